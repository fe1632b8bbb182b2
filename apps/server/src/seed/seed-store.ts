import { createReadStream } from 'node:fs';
import { parseJson } from '@broadside/core';
import { and, eq, isNull, ne } from 'drizzle-orm';
import { type Actor, recordChange } from '../db/change-log.ts';
import { changeLog } from '../db/change-log-table.ts';
import type { Database, Reader, Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { NO_PASSWORD } from '../identity/password.ts';
import { users } from '../identity/platform-table.ts';
import type { BlobStore } from '../media/blobs/blob-store.ts';
import { PostStore } from '../posts/post-store.ts';
import { type Clock, timestamp } from '../world/clock.ts';
import { Snowflakes } from '../world/ids.ts';
import type { Random } from '../world/random.ts';
import type { Applied } from './applied.ts';
import type { FileMedia } from './file-media.ts';
import type { StockMedia } from './pictures/stock-media.ts';
import { mediaKey } from './post-media.ts';
import { insertMedia, type SeededMedia } from './rows.ts';

/** A finished or running seed: its one entry in the change log. */
export interface SeedRecord {
  /** Identifies the seed: equal parameters have equal ids. */
  readonly id: string;
  readonly finished: boolean;
  readonly [member: string]: unknown;
}

/** A time at which things are seeded, and what makes them then. */
export interface SeededMoment {
  readonly clock: Clock;
  readonly ids: Snowflakes;
  readonly posts: PostStore;
}

/** Seeds a file. */
export type ApplySeed = (data: unknown, directory: string) => Promise<Applied>;

interface Services {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly blobs: BlobStore;
}

const ACTOR: Actor = { user_id: null, platform: 'OPERATOR' };
const ENTITY = 'SEED';

const { entity, entity_id, entity_data } = changeLog;
const isSeed = and(isNull(changeLog.account_id), eq(entity, ENTITY));

const listSeeds = statement({}, () => query.select({ entity_data }).from(changeLog).where(isSeed));
const findSeed = statement({ entity_id }, (args) =>
  query
    .select({ entity_data })
    .from(changeLog)
    .where(and(isSeed, eq(entity_id, args.entity_id)))
    .limit(1),
);
const updateSeed = statement({ entity_id, entity_data }, (args) =>
  query
    .update(changeLog)
    .set({ entity_data: args.entity_data })
    .where(and(isSeed, eq(entity_id, args.entity_id))),
);
const findPersonWithPassword = statement({}, () =>
  query.select({ id: users.id }).from(users).where(ne(users.password_hash, NO_PASSWORD)).limit(1),
);

/** Access of seeding to the platform's database. */
export class SeedStore {
  readonly #services: Services;
  #apply: ApplySeed | undefined;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Registers what seeds a file: it needs all families, which a store does not know. */
  handle(apply: ApplySeed): void {
    this.#apply = apply;
  }

  /**
   * Seeds what a file says, as data of JSON.
   * @param directory of the files that it references
   * @throws SeedFileError; nothing was written then
   */
  async apply(data: unknown, directory: string): Promise<Applied> {
    if (!this.#apply) throw new TypeError('nothing was registered that seeds a file');
    return this.#apply(data, directory);
  }

  /** Reads. */
  get reader(): Reader {
    return this.#services.database;
  }

  /** Runs a write; see {@link Database.write}. */
  write<Result>(body: (writer: Writer) => Promise<Result>): Promise<Result> {
    return this.#services.database.write(body);
  }

  /** Stores the bytes of stock media, unless they exist. */
  async store(media: Iterable<StockMedia>): Promise<void> {
    const { blobs } = this.#services;
    for (const { blob_key, bytes, still } of media) {
      for (const blob of [{ blob_key, bytes }, ...(still ? [still] : [])]) {
        if ((await blobs.size(blob.blob_key)) === undefined) await blobs.put(blob.blob_key, blob.bytes);
      }
    }
  }

  /** Stores the bytes of files, unless they exist. @returns the names of those that were stored now */
  async storeFiles(files: Iterable<FileMedia>): Promise<string[]> {
    const { blobs } = this.#services;
    const stored: string[] = [];
    for (const { blob_key, file, still } of files) {
      for (const [key, content] of [
        [blob_key, undefined],
        ...(still ? [[still.blob_key, still.bytes] as const] : []),
      ] as const) {
        if ((await blobs.size(key)) !== undefined) continue;
        await blobs.put(key, content ?? createReadStream(file));
        stored.push(key);
      }
    }
    return stored;
  }

  /** Removes bytes that were stored for nothing. */
  async removeFiles(keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#services.blobs.delete(key);
  }

  /** Makes stored files media of an owner. @returns the keys of the media */
  async addMedia(owner_user_id: bigint, files: readonly FileMedia[], moment: SeededMoment): Promise<readonly string[]> {
    const media = files.map((bytes): SeededMedia => {
      const id = BigInt(moment.ids.next());
      const { alt_text, facts } = bytes;
      const media_key = mediaKey(facts.kind, id);
      return { id, media_key, owner_user_id, bytes, alt_text, view_count: 0, created_ms: moment.clock.now() };
    });
    await this.#services.database.write(async (writer) => {
      for (const one of media) await insertMedia(writer, one);
    });
    return media.map(({ media_key }) => media_key);
  }

  /** A time at which something is posted. */
  momentAt(clock: Clock): SeededMoment {
    const { database, random } = this.#services;
    // One source of ids for a time: those of one millisecond would meet.
    const ids = new Snowflakes(clock, random);
    return { clock, ids, posts: new PostStore({ database, clock, ids, cache: false }) };
  }

  /** Returns the seeds of this platform, in no particular order. */
  async records(): Promise<SeedRecord[]> {
    const seeds = await listSeeds.all(this.#services.database);
    return seeds.flatMap((seed) => recordOf(seed));
  }

  /** Returns the seed with an id. */
  async find(id: string): Promise<SeedRecord | undefined> {
    const seed = await findSeed.first(this.#services.database, { entity_id: id });
    return seed && recordOf(seed)[0];
  }

  /** Records a seed, in the write that starts it. A seed has one entry, which records its progress. */
  async record(writer: Writer, record: SeedRecord): Promise<void> {
    const at = timestamp(this.#services.clock);
    const after = { ...record };
    await recordChange(writer, ACTOR, at, {
      account_id: null,
      entity: ENTITY,
      entity_id: record.id,
      before: undefined,
      after,
    });
  }

  /** Records the progress of a seed, in the write that makes it. */
  async update(writer: Writer, record: SeedRecord): Promise<void> {
    await updateSeed.run(writer, { entity_id: record.id, entity_data: JSON.stringify(record) });
  }

  /** Returns whether there is anybody who can sign in. */
  async isInhabited(): Promise<boolean> {
    return (await findPersonWithPassword.first(this.#services.database)) !== undefined;
  }
}

function recordOf(seed: { readonly entity_data: string }): SeedRecord[] {
  const held = parseJson(seed.entity_data);
  return isRecord(held) ? [held] : [];
}

function isRecord(value: unknown): value is SeedRecord {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'string' &&
    'finished' in value &&
    typeof value.finished === 'boolean'
  );
}
