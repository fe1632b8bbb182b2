/**
 * Parts of the export of a person that the platform store holds. Each is read from a position, which is a text of its own, on; so an export is
 * a list with a cursor, and nothing of it is kept between two pages.
 */
import type { Database } from '../db/database.ts';
import type { BlobStore } from '../media/blobs/blob-store.ts';
import { BlobNotFoundError } from '../media/blobs/blob-store.ts';
import * as reads from './export-statements.ts';
import * as statements from './statements.ts';

/** Records of a part, and the position of those that follow; none where the part is over. */
export interface Exported {
  readonly records: readonly object[];
  readonly next?: string | undefined;
}

const ROWS = 200;
const SCANNED = 5_000;
/** Bytes of media in one record. */
const PIECE = 512 * 1024;

type Scan = { readonly first: bigint; readonly second: bigint; readonly count: number };

/** What the platform store holds on people. */
export class PersonExports {
  readonly #database: Database;
  readonly #blobs: BlobStore;

  constructor(database: Database, blobs: BlobStore) {
    this.#database = database;
    this.#blobs = blobs;
  }

  async profile(id: string): Promise<Exported> {
    const found = await reads.findPerson.first(this.#database, { id });
    return { records: found ? [found] : [] };
  }

  async sessions(user_id: string): Promise<Exported> {
    return { records: await reads.listSessions.all(this.#database, { user_id }) };
  }

  async accessTokens(user_id: string): Promise<Exported> {
    return { records: await reads.listTokens.all(this.#database, { user_id }) };
  }

  async notifications(user_id: string): Promise<Exported> {
    return { records: await reads.listNotifications.all(this.#database, { user_id }) };
  }

  async posts(user_id: string, position: string): Promise<Exported> {
    const args = { author_id: BigInt(user_id), after: BigInt(position || 0), count: ROWS };
    const records = await reads.listPosts.all(this.#database, args);
    return { records, next: records.length === ROWS ? `${records.at(-1)?.id}` : undefined };
  }

  async following(user_id: string, position: string): Promise<Exported> {
    const args = { user_id: BigInt(user_id), after: BigInt(position || 0), count: ROWS };
    const records = await reads.listFollowing.all(this.#database, args);
    return { records, next: records.length === ROWS ? `${records.at(-1)?.followed_id}` : undefined };
  }

  async followers(user_id: string, position: string): Promise<Exported> {
    const args = { user_id: BigInt(user_id), after: BigInt(position || 0), count: ROWS };
    const records = await reads.listFollowers.all(this.#database, args);
    return { records, next: records.length === ROWS ? `${records.at(-1)?.follower_id}` : undefined };
  }

  async likes(user_id: string, position: string): Promise<Exported> {
    const scan = scanFrom(position);
    const records = await statements.scanLikes.all(this.#database, { ...scan, user_id: BigInt(user_id) });
    return { records, next: positionOf(await statements.endOfLikes.all(this.#database, scan)) };
  }

  async votes(user_id: string, position: string): Promise<Exported> {
    const scan = scanFrom(position);
    const records = await statements.scanVotes.all(this.#database, { ...scan, user_id: BigInt(user_id) });
    return { records, next: positionOf(await statements.endOfVotes.all(this.#database, scan)) };
  }

  async media(user_id: string, position: string): Promise<Exported> {
    const { ids, next } = await this.#ownMedia(user_id, BigInt(position || 0));
    const records = await Promise.all(ids.map((id) => reads.findMedium.first(this.#database, { id })));
    return { records: records.filter((record) => record !== undefined), next };
  }

  /** Bytes, a piece after the other. */
  async mediaBytes(user_id: string, position: string): Promise<Exported> {
    const [after = '0', offset = '0'] = position.split(':');
    // With an offset, it is the medium with this id that goes on.
    if (offset !== '0') return this.#piece(BigInt(after), Number(offset));
    const { ids, next } = await this.#ownMedia(user_id, BigInt(after));
    const [id] = ids;
    if (id === undefined) return { records: [], next: next === undefined ? undefined : `${next}:0` };
    return this.#piece(id, 0);
  }

  async #ownMedia(user_id: string, after: bigint) {
    const found = await statements.scanMedia.all(this.#database, { after, count: SCANNED });
    const owner = BigInt(user_id);
    const ids = found.filter((row) => row.owner_user_id === owner).map(({ id }) => id);
    return { ids, next: found.length === SCANNED ? `${found.at(-1)?.id}` : undefined };
  }

  async #piece(id: bigint, offset: number): Promise<Exported> {
    const blob_key = (await reads.findBlob.first(this.#database, { id }))?.blob_key;
    const over = { records: [], next: `${id}:0` };
    if (!blob_key) return over;
    try {
      const size = (await this.#blobs.size(blob_key)) ?? 0;
      if (offset >= size) return over;
      const opened = await this.#blobs.open(blob_key, { start: offset, end: Math.min(size, offset + PIECE) - 1 });
      const parts: Uint8Array[] = [];
      for await (const part of opened.body) parts.push(part);
      const base64 = Buffer.concat(parts).toString('base64');
      const end = offset + PIECE;
      return {
        records: [{ media_id: `${id}`, offset, total_bytes: size, base64 }],
        next: `${id}:${end < size ? end : 0}`,
      };
    } catch (error) {
      // It was removed meanwhile.
      if (error instanceof BlobNotFoundError) return over;
      throw error;
    }
  }
}

function scanFrom(position: string): Scan {
  const [first = '-1', second = '-1'] = position === '' ? [] : position.split(':');
  return { first: BigInt(first), second: BigInt(second), count: SCANNED };
}

function positionOf([end]: readonly { readonly first: bigint; readonly second: bigint }[]): string | undefined {
  return end && `${end.first}:${end.second}`;
}
