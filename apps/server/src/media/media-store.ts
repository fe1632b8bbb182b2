/** The life cycle of media: from the first byte of an upload to media that posts can show, and their removal when unused. */
import { isStorable, type Quotas } from '@broadside/core';
import {
  defaultMediaCategories,
  type MediaCategory,
  type MediaKind,
  mediaCategories,
  uploadLimits,
} from '@broadside/core/resources/media';
import { getTableName } from 'drizzle-orm';
import { type Awaitable, chain } from '../awaitable.ts';
import type { Database, Writer } from '../db/database.ts';
import { KeptTable } from '../db/kept-rows.ts';
import type { LaterFaults } from '../faults/later-faults.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { type MediaRow, readMedia } from '../posts/store.ts';
import type { Clock } from '../world/clock.ts';
import type { Snowflakes } from '../world/ids.ts';
import type { Random } from '../world/random.ts';
import type { BlobContent, BlobStore } from './blobs/blob-store.ts';
import { checkSegments } from './blobs/segments.ts';
import { HeldBlobs } from './held-blobs.ts';
import { type IncomingBlob, IncomingBlobs } from './incoming.ts';
import { mediaLimits } from './limits.ts';
import { type MediaFactsRow, readFacts } from './media-facts.ts';
import { mediaIdOf } from './media-id.ts';
import { asDeclared, isUnderway, MediaProcessing } from './media-processing.ts';
import { media } from './platform-table.ts';
import { verifyQuota } from './quota.ts';
import {
  deleteSegments,
  deleteUpload,
  emptyUpload,
  insertUpload,
  keepMedia,
  type MediaFailure,
  putSegment,
  readSegments,
  readUpload,
  type SegmentRow,
  setState,
  type UploadRow,
} from './store.ts';
import { type UploadFacts, UploadRejectedError } from './upload.ts';

interface Services {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Snowflakes;
  readonly quotas: Quotas;
  readonly faults: LaterFaults;
}

const EXPIRE = 'media.expire';

export class MediaStore {
  readonly #services: Services;
  /** Facts of media, where rows of the platform are kept. */
  readonly #facts: KeptTable<MediaFactsRow> | undefined;
  /** Keeps servers from removing blobs. */
  readonly held: HeldBlobs;
  readonly #incoming: IncomingBlobs;
  readonly #processing: MediaProcessing;

  constructor(services: Services) {
    const { kept } = services.database;
    const by = { table: getTableName(media), keyOf: (row: MediaFactsRow) => row.media_key, idOf: mediaIdOf };
    this.#facts = kept && new KeptTable(kept, by);
    this.#services = services;
    this.held = new HeldBlobs(services);
    this.#incoming = new IncomingBlobs(services, this.held);
    this.#processing = new MediaProcessing({ ...services, incoming: this.#incoming });
    services.jobs.handle(EXPIRE, async (id, _failures, report) => {
      const row = await readUpload(services.database, BigInt(id));
      if (row && row.expires_ms !== null && row.expires_ms <= services.clock.now())
        report({ what: 'MEDIA_EXPIRED', id: row.media_key });
      return (writer) => this.#expire(writer, BigInt(id));
    });
  }

  /** Stores bytes that nothing owns yet. When the content throws, its error is thrown, and nothing is stored. */
  receive(content: BlobContent): Promise<IncomingBlob> {
    return this.#incoming.receive(content);
  }

  /** Removes received bytes unless they were taken into use. */
  discard(blob: IncomingBlob): Promise<void> {
    return this.#incoming.discard(blob);
  }

  /**
   * Creates media from bytes sent at once. Images and animated GIFs are usable then; a video is processed first.
   * @throws UploadRejectedError
   */
  async create(facts: UploadFacts, blob: IncomingBlob): Promise<UploadRow> {
    const inspected = await this.#processing.inspect(blob.blob_key, blob.size, facts);
    if (inspected.failure) throw new UploadRejectedError('invalid', 'media', inspected.failure.message);
    const { category } = inspected;
    const isVideo = inspected.facts.kind === 'video';
    const still = isVideo ? undefined : await this.#processing.makeStill(inspected.facts, blob);
    try {
      return await this.#write(async (writer) => {
        const id = await this.#insert(writer, facts, {
          category,
          state: isVideo ? 'pending' : 'succeeded',
          content_type: inspected.facts.media_type,
          total_bytes: blob.size,
          blob_key: blob.blob_key,
        });
        await this.#incoming.claim(writer, blob);
        if (isVideo) await this.#processing.queue(writer, id);
        else await this.#processing.setFacts(writer, id, { ...inspected, blob_key: blob.blob_key }, still);
        return this.#read(writer, id);
      });
    } finally {
      if (still) await this.#incoming.discard(still);
    }
  }

  /** Starts an upload in segments. @throws UploadRejectedError */
  async initialize(facts: UploadFacts & { readonly declared: string }, total_bytes: number): Promise<UploadRow> {
    const category = facts.category ?? categoryOfType(facts.declared);
    if (category === undefined) {
      const message = `Media of the type ${facts.declared} are not taken; PNG, JPEG, GIF, WebP, MP4 and QuickTime are`;
      throw new UploadRejectedError('invalid', 'media_type', message);
    }
    const { bytes } = mediaLimits[category];
    if (total_bytes > bytes) {
      const message = `The category ${category} takes up to ${bytes} bytes; total_bytes announces ${total_bytes}`;
      throw new UploadRejectedError('invalid', 'total_bytes', message);
    }
    return this.#write(async (writer) => {
      const content_type = facts.declared;
      const row = { category, state: 'receiving', content_type, total_bytes, blob_key: null } as const;
      return this.#read(writer, await this.#insert(writer, facts, row));
    });
  }

  /** Adds a segment, replacing one with the same index. @throws UploadRejectedError */
  async append(owner_user_id: string, media_id: string, index: number, blob: IncomingBlob): Promise<UploadRow> {
    return this.#write(async (writer) => {
      const row = await this.#own(writer, owner_user_id, media_id);
      if (row.state !== 'receiving') {
        throw new UploadRejectedError(
          'invalid',
          'media_id',
          'The upload has been finalized; it takes no more segments',
        );
      }
      const segments = await readSegments(writer, row.id);
      const replaced = segments.find((segment) => segment.index === index);
      const others = segments.reduce((sum, segment) => sum + (segment === replaced ? 0 : segment.size), 0);
      if (others + blob.size > row.total_bytes) {
        const message = `With this segment the upload has ${others + blob.size} bytes, but total_bytes announced ${row.total_bytes}`;
        throw new UploadRejectedError('invalid', 'media', message);
      }
      await putSegment(writer, row.id, { index, size: blob.size, blob_key: blob.blob_key });
      await this.#incoming.claim(writer, blob);
      if (replaced) await this.#incoming.release(writer, [replaced.blob_key]);
      return row;
    });
  }

  /**
   * Finalizes an upload in segments: images are usable then, videos and animated GIFs are processed first. If it was finalized
   * already, returns its state.
   * @throws UploadRejectedError
   */
  async finalize(owner_user_id: string, media_id: string): Promise<UploadRow> {
    const { database } = this.#services;
    const row = await this.#own(database, owner_user_id, media_id);
    if (row.state !== 'receiving') return usable(row);
    const segments = await readSegments(database, row.id);
    const problem = checkSegments(segments, row.total_bytes);
    if (problem !== undefined) throw new UploadRejectedError('invalid', 'media_id', problem);
    if (isProcessed(row)) {
      return this.#finish(row, segments, async (writer, expires_ms) => {
        await setState(writer, row.id, 'pending', expires_ms);
        await this.#processing.queue(writer, row.id);
      });
    }
    const blob = await this.#incoming.receive(this.#processing.join(segments));
    try {
      const inspected = await this.#processing.inspect(blob.blob_key, blob.size, asDeclared(row));
      return usable(
        await this.#finish(row, segments, async (writer, expires_ms) => {
          await setState(writer, row.id, row.state, expires_ms);
          await this.#processing.storeResult(writer, row, inspected, { joined: blob });
        }),
      );
    } finally {
      await this.#incoming.discard(blob);
    }
  }

  /** Returns the properties of usable media, by their key. */
  async usable(media_key: string): Promise<MediaRow | undefined> {
    const [row] = isStorable(media_key) ? await readMedia(this.#services.database, [media_key]) : [];
    return row;
  }

  /** Returns what is known of uploads that have not expired, by the keys of their media. */
  facts(media_keys: readonly string[]): Awaitable<ReadonlyMap<string, MediaFactsRow>> {
    const { database, clock } = this.#services;
    const keys = media_keys.filter(isStorable);
    const read = (missing: readonly string[]) => readFacts(database, missing);
    const rows = this.#facts ? this.#facts.scope('').rows(keys, read) : read(keys);
    return chain(rows, (known) => {
      const now = clock.now();
      const facts = new Map<string, MediaFactsRow>();
      for (const row of known) if (row.expires_ms === null || row.expires_ms > now) facts.set(row.media_key, row);
      return facts;
    });
  }

  /** Prevents media from expiring. @returns whether they still exist, with their bytes */
  async keep(media_key: string): Promise<boolean> {
    return this.#services.database.write((writer) => keepMedia(writer, media_key));
  }

  /** Returns an upload of its owner. @throws UploadRejectedError */
  async status(owner_user_id: string, media_id: string): Promise<UploadRow> {
    return this.#own(this.#services.database, owner_user_id, media_id);
  }

  /** Milliseconds until media expire; `undefined` when they do not. */
  remaining({ expires_ms }: UploadRow): number | undefined {
    return expires_ms === null ? undefined : Math.max(0, expires_ms - this.#services.clock.now());
  }

  /** Returns an upload of anybody that has neither expired nor been erased. */
  async get(media_id: string): Promise<UploadRow | undefined> {
    const id = BigInt(media_id);
    const row = id < 2n ** 63n ? await readUpload(this.#services.database, id) : undefined;
    if (!row || row.state === 'erased') return undefined;
    return row.expires_ms === null || row.expires_ms > this.#services.clock.now() ? row : undefined;
  }

  /**
   * Ends the processing of media now.
   * @param failure why it fails; left out, the bytes decide
   * @returns the media afterwards, or `undefined` where they are not being processed
   */
  async settle(row: UploadRow, failure?: MediaFailure): Promise<UploadRow | undefined> {
    if (!isUnderway(row)) return undefined;
    await this.#processing.end(row, failure);
    return this.#read(this.#services.database, row.id);
  }

  async #write<Result>(body: (writer: Writer) => Promise<Result>): Promise<Result> {
    const result = await this.#services.database.write(body);
    this.#services.jobs.wake();
    return result;
  }

  async #insert(
    writer: Writer,
    facts: UploadFacts,
    row: Pick<UploadRow, 'category' | 'state' | 'content_type' | 'total_bytes' | 'blob_key'>,
  ): Promise<bigint> {
    const { ids, clock, jobs } = this.#services;
    const id = BigInt(ids.next());
    const created_ms = clock.now();
    await verifyQuota(writer, this.#services.quotas, BigInt(facts.owner_user_id), row, created_ms);
    const expires_ms = created_ms + uploadLimits.expires_after_secs * 1000;
    await insertUpload(writer, {
      ...row,
      id,
      media_key: `${prefixOf(row.category)}_${id}`,
      owner_user_id: BigInt(facts.owner_user_id),
      additional_owners: facts.additional_owners,
      category_given: facts.category !== undefined,
      created_ms,
      expires_ms,
    });
    await jobs.add(writer, { kind: EXPIRE, subject: `${id}`, due_ms: expires_ms });
    return id;
  }

  async #read(reader: Database | Writer, id: bigint): Promise<UploadRow> {
    const row = await readUpload(reader, id);
    if (!row) throw new TypeError('the media that were just written are gone');
    return row;
  }

  /** Returns the upload, if it is this user's and has not expired. A missing one and another user's are not distinguished. */
  async #own(reader: Database | Writer, owner_user_id: string, media_id: string): Promise<UploadRow> {
    const id = BigInt(media_id);
    const row = id < 2n ** 63n ? await readUpload(reader, id) : undefined;
    const isOwn = row?.owner_user_id === BigInt(owner_user_id);
    if (row && isOwn && (row.expires_ms === null || row.expires_ms > this.#services.clock.now())) return row;
    throw new UploadRejectedError('not_found', 'media_id', `You have no upload ${media_id}`);
  }

  /** Ends receiving segments, once, if they are still the ones that were checked. */
  #finish(
    row: UploadRow,
    segments: readonly SegmentRow[],
    end: (writer: Writer, expires_ms: number) => Promise<void>,
  ): Promise<UploadRow> {
    return this.#write(async (writer) => {
      const now = await readUpload(writer, row.id);
      if (!now) throw new UploadRejectedError('not_found', 'media_id', `You have no upload ${row.id}`);
      if (now.state !== 'receiving') return now;
      const keys = (list: readonly SegmentRow[]) => list.map(({ blob_key }) => blob_key).join(' ');
      if (keys(await readSegments(writer, row.id)) !== keys(segments)) {
        throw new UploadRejectedError(
          'invalid',
          'media_id',
          'Segments came in meanwhile; finalize when all have arrived',
        );
      }
      await end(writer, this.#services.clock.now() + uploadLimits.expires_after_secs * 1000);
      return this.#read(writer, row.id);
    });
  }

  /**
   * Deletes the bytes of media and what was said of them. The row goes too, unless something may show the media: then their key, owner and
   * size stay, and their address leads nowhere. May be repeated.
   * @returns those whose rows are left and need not be, unless an account has them: see {@link forget}
   */
  async erase(ids: readonly bigint[]): Promise<Pick<UploadRow, 'id' | 'media_key'>[]> {
    const left: UploadRow[] = [];
    await this.#write(async (writer) => {
      left.length = 0;
      for (const id of ids) {
        const row = await readUpload(writer, id);
        if (!row) continue;
        // Those who share the media may have posted them.
        if (row.expires_ms === null && row.additional_owners.length === 0) left.push(row);
        if (row.state === 'erased') continue;
        const keys = [...(await deleteSegments(writer, id)), row.blob_key, row.preview_blob_key];
        if (row.expires_ms === null) await emptyUpload(writer, id);
        else await deleteUpload(writer, id);
        await this.#incoming.release(
          writer,
          keys.filter((key) => key !== null),
        );
      }
    });
    return left;
  }

  /** Deletes the rows of erased media that nothing shows. */
  async forget(ids: readonly bigint[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#write(async (writer) => {
      for (const id of ids) await deleteUpload(writer, id);
    });
  }

  async #expire(writer: Writer, id: bigint): Promise<void> {
    const row = await readUpload(writer, id);
    const { clock, jobs } = this.#services;
    if (!row || row.expires_ms === null) return;
    if (row.expires_ms > clock.now()) {
      await jobs.add(writer, { kind: EXPIRE, subject: `${id}`, due_ms: row.expires_ms });
      return;
    }
    const keys = await deleteSegments(writer, id);
    await deleteUpload(writer, id);
    await this.#incoming.release(writer, [
      ...keys,
      ...[row.blob_key, row.preview_blob_key].filter((key) => key !== null),
    ]);
  }
}

/** An image whose bytes were rejected while the uploader waited is rejected again. */
function usable(row: UploadRow): UploadRow {
  if (row.failure === undefined || isProcessed(row)) return row;
  throw new UploadRejectedError('invalid', 'media', row.failure.message);
}

/** Returns whether media are processed after the response to their upload. */
export function isProcessed({ category }: Pick<UploadRow, 'category'>): boolean {
  return mediaCategories[category].kind !== 'photo';
}

/** Returns the category of a declared type; none for types that no category accepts. */
function categoryOfType(type: string): MediaCategory | undefined {
  switch (type) {
    case 'image/gif':
      return 'post_gif';
    case 'image/jpeg':
    case 'image/pjpeg':
    case 'image/png':
    case 'image/webp':
      return 'post_image';
    case 'video/mp4':
    case 'video/quicktime':
      return 'post_video';
    default:
      return undefined;
  }
}

/** The reference defines keys for media of posts; media of direct messages use those of their kind (our choice). */
function prefixOf(category: MediaCategory): number {
  const facts: { readonly kind: MediaKind | 'subtitles'; readonly media_key_prefix?: number } =
    mediaCategories[category];
  if (facts.media_key_prefix !== undefined) return facts.media_key_prefix;
  const kind = facts.kind === 'subtitles' ? 'video' : facts.kind;
  return mediaCategories[defaultMediaCategories[kind]].media_key_prefix;
}
