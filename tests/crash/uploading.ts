/**
 * Uploads in segments while the server is killed: a segment that was acknowledged is kept, an upload that was cut off can be
 * continued where it was, one that was finalized has exactly the bytes that were sent, and no file is left that nothing knows of.
 */
import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'libsql';
import { z } from 'zod';
import { encodePng, pngChunk } from '../../apps/server/src/media/testing/images.ts';
import { member } from '../src/support/body.ts';
import { multipart, partsOf } from '../src/support/uploads.ts';
import type { Chance, Session } from './session.ts';

const UPLOAD = '/2/media/upload';

/** An upload as its writer knows it. */
interface Upload {
  readonly segments: readonly Buffer[];
  readonly acknowledged: Set<number>;
  finalized: boolean;
  /** The request without a response: the index of a segment, or the end. */
  underWay: number | 'finalize' | undefined;
}

/** A writer of uploads, by their ids. */
export interface UploadWriter {
  readonly uploads: Map<string, Upload>;
  acknowledged: number;
}

/** A picture in pieces. Comments make each its own. */
function piecesOf(chance: Chance): Buffer[] {
  const image = encodePng(800, 418);
  // After the signature and the header: a comment of any length.
  const comment = pngChunk('tEXt', Buffer.alloc(8 + Math.floor(chance() * 200_000), 'Comment\0'));
  const bytes = Buffer.concat([image.subarray(0, 33), comment, image.subarray(33)]);
  const count = 1 + Math.floor(chance() * 5);
  const size = Math.ceil(bytes.length / count);
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}

/** Uploads a picture and adds it to the library of the account. @returns its media key */
export async function libraryPicture(session: Session): Promise<string> {
  const body = multipart(partsOf({ media_category: 'post_image' }, encodePng(800, 418)));
  const uploaded = await session.ok({ listener: 'api', method: 'POST', path: UPLOAD, ...body });
  const media_key = String(member(member(uploaded, 'data'), 'media_key'));
  const path = `/12/accounts/${session.account_id}/media_library`;
  await session.ok({ method: 'POST', path, query: { media_key } });
  return media_key;
}

/** Uploads one picture after the other until the server has stopped. */
export async function upload(session: Session, writer: UploadWriter, chance: Chance): Promise<void> {
  const post = async (at: string, more: object) => {
    try {
      return await session.send(await session.sign({ listener: 'api', method: 'POST', path: at, ...more }));
    } catch {
      return undefined;
    }
  };
  for (;;) {
    const segments = piecesOf(chance);
    const json = {
      media_type: 'image/png',
      media_category: 'post_image',
      total_bytes: segments.reduce((sum, { length }) => sum + length, 0),
    };
    const begun = await post(`${UPLOAD}/initialize`, { json });
    if (begun === undefined) return;
    assert.equal(begun.status, 200, begun.text);
    const id = String(member(member(begun.body, 'data'), 'id'));
    const one: Upload = { segments, acknowledged: new Set(), finalized: false, underWay: undefined };
    writer.uploads.set(id, one);
    writer.acknowledged++;
    // Some are left unfinished.
    const last = chance() < 0.2 ? Math.floor(chance() * segments.length) : segments.length;
    for (const [index, bytes] of segments.slice(0, last).entries()) {
      one.underWay = index;
      const appended = await post(`${UPLOAD}/${id}/append`, multipart(partsOf({ segment_index: index }, bytes)));
      if (appended === undefined) return;
      assert.equal(appended.status, 200, appended.text);
      one.underWay = undefined;
      one.acknowledged.add(index);
      writer.acknowledged++;
    }
    if (last < segments.length) continue;
    one.underWay = 'finalize';
    const finalized = await post(`${UPLOAD}/${id}/finalize`, {});
    if (finalized === undefined) return;
    assert.equal(finalized.status, 200, finalized.text);
    one.underWay = undefined;
    one.finalized = true;
    writer.acknowledged++;
  }
}

const Media = z.object({ state: z.string(), blob_key: z.string().nullable(), total_bytes: z.number() });
const Stored = z.array(z.object({ segment_index: z.number(), size: z.number(), blob_key: z.string() }));

function reading<Result>(directory: string, read: (database: Sqlite.Database) => Result): Result {
  const database = new Sqlite(path.join(directory, 'platform.db'), { readonly: true });
  try {
    return read(database);
  } finally {
    database.close();
  }
}

function pathOf(directory: string, key: string): string {
  const digest = createHash('sha256').update(key).digest('hex');
  return path.join(directory, 'media/blobs', digest.slice(0, 2), digest.slice(2, 4), key.replaceAll('/', '+'));
}

/** Checks uploads on a server that was started again, and completes those that were cut off. @throws AssertionError */
export async function checkUploads(session: Session, directory: string, { uploads }: UploadWriter): Promise<void> {
  for (const [id, one] of uploads) {
    const { media, stored } = reading(directory, (database) => ({
      media: Media.parse(
        database.prepare('SELECT "state", "blob_key", "total_bytes" FROM "media" WHERE "id" = ?').get(BigInt(id)),
      ),
      stored: Stored.parse(
        database
          .prepare('SELECT "segment_index", "size", "blob_key" FROM "media_segments" WHERE "media_id" = ?')
          .all(BigInt(id)),
      ),
    }));
    const isDone = media.state === 'succeeded';
    assert(isDone || media.state === 'receiving', `the upload ${id} is ${media.state}`);
    if (isDone) assert(one.finalized || one.underWay === 'finalize', `the upload ${id} ended by itself`);
    else {
      assert(!one.finalized, `the upload ${id} was finalized`);
      checkSegments(directory, id, one, stored);
      await complete(session, id, one);
    }
    const { blob_key } = reading(directory, (database) =>
      Media.parse(
        database.prepare('SELECT "state", "blob_key", "total_bytes" FROM "media" WHERE "id" = ?').get(BigInt(id)),
      ),
    );
    const response = await fetch(`${session.server.credentials.base_url}/media/${blob_key}`, {
      headers: { connection: 'close' },
    });
    assert.equal(response.status, 200, `the bytes of ${id}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    assert(bytes.equals(Buffer.concat(one.segments)), `the upload ${id} has the bytes that were sent`);
  }
}

function checkSegments(directory: string, id: string, one: Upload, stored: z.output<typeof Stored>): void {
  for (const { segment_index, size, blob_key } of stored) {
    const sent = one.segments[segment_index];
    assert(one.acknowledged.has(segment_index) || one.underWay === segment_index, `segment ${segment_index} of ${id}`);
    assert.equal(size, sent?.length);
    assert(readFileSync(pathOf(directory, blob_key)).equals(sent ?? Buffer.alloc(0)), `bytes of a segment of ${id}`);
  }
  const present = new Set(stored.map(({ segment_index }) => segment_index));
  for (const index of one.acknowledged) assert(present.has(index), `segment ${index} of ${id} was acknowledged`);
}

async function complete(session: Session, id: string, { segments, acknowledged }: Upload): Promise<void> {
  for (const [index, bytes] of segments.entries()) {
    if (acknowledged.has(index)) continue;
    const body = multipart(partsOf({ segment_index: index }, bytes));
    await session.ok({ listener: 'api', method: 'POST', path: `${UPLOAD}/${id}/append`, ...body });
  }
  await session.ok({ listener: 'api', method: 'POST', path: `${UPLOAD}/${id}/finalize` });
}

/** Checks the files of a server that has ended: each is known, and each that is known is there. @throws AssertionError */
export function checkFiles(directory: string): void {
  const column = z.array(z.string());
  const { used, leaving } = reading(directory, (database) => ({
    used: column.parse(
      database
        .prepare(
          `SELECT "blob_key" FROM "media" WHERE "blob_key" IS NOT NULL UNION SELECT "preview_blob_key" FROM "media"
           WHERE "preview_blob_key" IS NOT NULL UNION SELECT "blob_key" FROM "media_segments"`,
        )
        .pluck(true)
        .all(),
    ),
    leaving: column.parse(
      database.prepare(`SELECT "subject" FROM "jobs" WHERE "kind" = 'media.remove_blobs'`).pluck(true).all(),
    ),
  }));
  for (const key of used) assert(existsSync(pathOf(directory, key)), `the file of ${key} is there`);
  const known = new Set([...used, ...leaving.flatMap((keys) => keys.split(' '))].map((key) => pathOf(directory, key)));
  const blobs = path.join(directory, 'media/blobs');
  const files = existsSync(blobs) ? readdirSync(blobs, { recursive: true, withFileTypes: true }) : [];
  for (const file of files) {
    const at = path.join(file.parentPath, file.name);
    if (file.isFile()) assert(known.has(at), `${at} is a file that nothing knows of`);
  }
  assert.deepEqual(readdirSync(path.join(directory, 'media/incoming')), [], 'no file is half written');
}
