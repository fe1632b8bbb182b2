/** Checks a data directory: whether its stores are whole and agree with each other, and with the files beside them. */
import { appendFileSync, existsSync, readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { ShardConfig } from '../config/shard-settings.ts';
import { dataNames } from '../data-names.ts';
import { type DataLock, lockDataDirectory } from '../db/data-lock.ts';
import type { Database } from '../db/database.ts';
import { Generations } from '../db/generations.ts';
import { findWrongCounts } from '../db/list-counts.ts';
import { openDatabase } from '../db/open-database.ts';
import { advertisingWithoutPerson, grantsToNobody, rowsWithoutPerson } from '../db/person-findings.ts';
import { namesOfShards } from '../db/place-findings.ts';
import { checkStoreFile } from '../db/store-check.ts';
import {
  changeLogGaps,
  idsOf,
  knownMedia,
  mediaReferences,
  postsWithoutMedia,
  type RowFinding,
  rowsWithoutAccount,
  subjectsOf,
  unknownJobs,
  wrongParents,
} from '../db/store-findings.ts';
import { entities } from '../families.ts';
import { blobKeys } from '../media/blob-keys.ts';
import type { BlobStore } from '../media/blobs/blob-store.ts';
import { pathOfBlob } from '../media/blobs/disk-store.ts';
import { isShared } from '../media/blobs/shared-blobs.ts';
import { isBlobName, REMOVE } from '../media/incoming.ts';
import { nameOfDirectory } from '../members/audience-name.ts';
import { namedPeople } from '../people/held-on-people.ts';
import { type Environment, environments } from '../world/environment.ts';
import { DIRECTORY } from '../world/shards/places.ts';
import { fileOf } from '../world/store-locations.ts';
import { type StoreName, storeNames } from '../world/world-options.ts';
import { type CheckedShard, type CheckedStore, checkedShards, foreignShard, usedShards } from './checked-shards.ts';
import { jobKinds } from './job-kinds.ts';
import { findMisplaced } from './misplaced.ts';

/** Something that is wrong. */
export interface Finding {
  /** The store, such as `production` or its shard `production/east`, or `media` and `members` for files. */
  readonly store: CheckedStore | 'media' | 'members';
  readonly table: string;
  readonly id: string;
  /** What is wrong, as the end of a sentence. */
  readonly what: string;
  /** What is done about it by a repair, or what is to be done by hand. */
  readonly remedy: string;
  /** Whether a repair does it. */
  readonly repairable: boolean;
  readonly repaired: boolean;
}

/** What {@link checkDirectory} takes. */
export interface CheckOptions {
  readonly dataDirectory: string;
  /** Files of stores that are not in the directory: copies, or those that the settings name. */
  readonly files?: { readonly [Name in StoreName]?: string };
  /** The directory of media, where it is another one than that in the data directory. */
  readonly mediaDirectory?: string | undefined;
  /** The shards that accounts are on, which are files. */
  readonly shards: ShardConfig;
  /** Sets right what can safely be. The directory is locked for it, so no server may run. */
  readonly repair: boolean;
  /** The lock, where the caller holds it. */
  readonly lock?: DataLock | undefined;
  /** Repairs a store that is elsewhere, of which a copy is checked. Resolves to false for one that is the file that was read. */
  readonly repairElsewhere?:
    | ((store: CheckedStore, statements: readonly { readonly sql: string }[]) => Promise<boolean>)
    | undefined;
  /** A server runs: the stores are read beside it, and files that may be on their way are passed over. */
  readonly isServed: boolean;
  /** Where the bytes of media are, unless they are files. */
  readonly objects: Pick<BlobStore, 'size' | 'delete' | 'list'> | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

interface Found extends Omit<Finding, 'repaired'> {
  readonly sql?: readonly string[];
  readonly file?: string;
  /** The key of an object. */
  readonly object?: string;
}

const BY_HAND = 'restore it from a backup, or leave it: nothing else depends on it';
const LOG_BY_HAND = 'nothing: what was changed cannot be told any more';
const NO_PERSON = 'restore a backup that has the person, or leave it: nobody sees it';
/** Files that are younger may belong to what is being written. */
const YOUNG_MS = 3_600_000;

/**
 * Checks the default world of a data directory.
 * @throws DataDirectoryInUseError where a server runs that is not known; DatabaseOpenError
 */
export async function checkDirectory(options: CheckOptions): Promise<Finding[]> {
  if (options.lock) return new Check(options, options.lock).all();
  const lock = options.isServed ? undefined : lockDataDirectory(options.dataDirectory);
  try {
    return await new Check(options, lock).all();
  } finally {
    lock?.release();
  }
}

/** The columns by which rows that go with a person are found. A row of the person itself has none beside it. */
function heldBy(store: keyof typeof namedPeople): Record<string, readonly string[]> {
  const tables = Object.entries(namedPeople[store]).flatMap(([table, { deleted }]) =>
    table === 'users' || !deleted ? [] : [[table, deleted] as const],
  );
  return Object.fromEntries(tables);
}

/** The names of objects that are blobs of media: others may be in the bucket too, such as backups. */
async function listedKeys(objects: Pick<BlobStore, 'list'>): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of objects.list?.() ?? []) if (isBlobName(key)) keys.push(key);
  return keys;
}

function asFound({ sql: _, file: __, object: ___, ...one }: Found): Finding {
  return { ...one, repaired: false };
}

class Check {
  readonly #options: CheckOptions;
  readonly #found: Found[] = [];
  readonly #mayRepair: boolean;
  readonly #shards: readonly CheckedShard[];

  constructor(options: CheckOptions, lock: DataLock | undefined) {
    this.#options = options;
    this.#shards = checkedShards(options.shards);
    this.#mayRepair = options.repair && lock !== undefined;
  }

  async all(): Promise<Finding[]> {
    const damaged = await this.#files();
    // Nothing can be said of the rows of a store that is not whole.
    if (damaged) return this.#found.map(asFound);
    const open = new Map<CheckedStore, Database>();
    try {
      for (const { store, file } of this.#shards) if (existsSync(file)) open.set(store, await this.#open(file));
      // Platform last: what advertising refers to is there before.
      for (const name of [...environments, 'platform'] as const) open.set(name, await this.#open(this.#fileOf(name)));
      const store = (name: CheckedStore): Database => {
        const found = open.get(name);
        if (!found) throw new TypeError(`the store ${name} is not open`);
        return found;
      };
      const shards = await usedShards(this.#shards, open);
      if (await this.#foreign(open, store)) return this.#found.map(asFound);
      for (const name of environments) await this.#environment(name, shards, store);
      await this.#platform(store('platform'));
      await this.#bytes(store('platform'));
      await this.#members(shards, store);
      return await this.#repair(store);
    } finally {
      for (const database of open.values()) await database.close();
    }
  }

  /** Finds shards that are missing, or are not those of the platform: nothing can be said of accounts then. */
  async #foreign(open: ReadonlyMap<CheckedStore, Database>, store: (name: CheckedStore) => Database): Promise<boolean> {
    let isForeign = false;
    for (const shard of this.#shards) {
      const finding = await foreignShard(shard, open.get(shard.store), store(shard.environment), store('platform'));
      if (finding === undefined) continue;
      isForeign = true;
      this.#add({ store: shard.store, table: path.basename(shard.file), id: '-', ...finding, repairable: false });
    }
    return isForeign;
  }

  async #environment(
    name: Environment,
    all: readonly CheckedShard[],
    store: (name: CheckedStore) => Database,
  ): Promise<void> {
    const shards = all.filter(({ environment }) => environment === name);
    const directory = store(name);
    const isSharded = (await namesOfShards(directory)).size > 0;
    this.#rows(name, await rowsWithoutAccount(directory), '', 'restore a backup that has the account');
    // An account that leaves a store takes its part of the log along.
    if (!isSharded) this.#rows(name, await changeLogGaps(directory), '', LOG_BY_HAND);
    for (const one of [name, ...shards.map((shard) => shard.store)])
      await this.#advertising(one, store(one), directory, store('platform'));
    const holding = shards.map((shard) => ({ shard: shard.name, database: store(shard.store) }));
    const stores = [{ shard: DIRECTORY, database: directory }, ...holding];
    for (const { shard, repair, ...row } of isSharded
      ? await findMisplaced(name, stores, this.#options.isServed)
      : []) {
      const at = shard === DIRECTORY ? name : (`${name}/${shard}` as const);
      this.#add({ store: at, ...row, repairable: repair.length > 0, sql: repair });
    }
  }

  #fileOf(name: StoreName): string {
    return this.#options.files?.[name] ?? path.join(this.#options.dataDirectory, fileOf(name));
  }

  #open(file: string): Promise<Database> {
    return openDatabase(file, this.#mayRepair ? {} : { reading: { generations: new Generations() } });
  }

  async #files(): Promise<boolean> {
    let isDamaged = false;
    const own = storeNames.map((store) => ({ store, file: this.#fileOf(store) }));
    // One that is missing need not have been used yet.
    const shards = this.#shards.filter(({ file }) => existsSync(file));
    for (const { store, file } of [...own, ...shards]) {
      const missing = { damage: ['the file is missing'], foreign: [] };
      const { damage, foreign } = existsSync(file) ? await checkStoreFile(file) : missing;
      isDamaged ||= damage.length > 0;
      for (const what of damage) {
        this.#add({ store, table: path.basename(file), id: '-', what, remedy: 'restore a backup', repairable: false });
      }
      for (const { table, row, parent } of foreign) {
        this.#add({ store, table, id: row, what: `its ${parent} does not exist`, remedy: BY_HAND, repairable: false });
      }
    }
    return isDamaged;
  }

  async #advertising(store: CheckedStore, database: Database, directory: Database, platform: Database): Promise<void> {
    this.#rows(store, await grantsToNobody(database, directory), 'end the grant', BY_HAND);
    const ofPeople = await advertisingWithoutPerson(database, platform, heldBy('advertising'));
    this.#rows(store, ofPeople, 'remove them', NO_PERSON);
    this.#rows(store, await wrongParents(database, entities.all), 'hide or show it as its parent is', BY_HAND);
    for (const { table, account_id: id, repair } of await findWrongCounts(database, entities.all)) {
      const what = `the counts of the lists of ${table} are not those of its rows`;
      this.#add({ store, table: 'list_counts', id, what, remedy: 'count them anew', repairable: true, sql: repair });
    }
    const known = await knownMedia(platform);
    for (const { table, id, media_key } of await mediaReferences(database)) {
      if (known.has(media_key)) continue;
      const what = `it refers to the medium ${media_key}, which does not exist`;
      this.#add({ store, table, id, what, remedy: 'upload the medium again, and change it', repairable: false });
    }
  }

  async #platform(platform: Database): Promise<void> {
    this.#rows(
      'platform',
      await postsWithoutMedia(platform),
      '',
      'restore a backup that has the medium, or delete the post',
    );
    this.#rows('platform', await rowsWithoutPerson(platform, heldBy('platform')), 'remove them', NO_PERSON);
    this.#rows('platform', await changeLogGaps(platform), '', LOG_BY_HAND);
    this.#rows('platform', await unknownJobs(platform, jobKinds), '', 'start the version that made it, or leave it');
  }

  async #bytes(platform: Database): Promise<void> {
    const { dataDirectory, objects, mediaDirectory = path.join(dataDirectory, dataNames.media) } = this.#options;
    const root = path.join(mediaDirectory, 'blobs');
    const sizeOf = async (key: string) =>
      objects ? objects.size(key) : statSync(path.join(root, pathOfBlob(key)), { throwIfNoEntry: false })?.size;
    // Listed first: what is put meanwhile is known to the store before.
    const listed = objects && this.#hasObjectsAlone() ? await listedKeys(objects) : [];
    const keys = await blobKeys(platform);
    for (const [key, id] of keys) {
      if ((await sizeOf(key)) !== undefined) continue;
      const what = `its bytes ${key} are missing`;
      const remedy = 'restore a backup that has them, or upload it again';
      this.#add({ store: 'platform', table: 'media', id: `${id}`, what, remedy, repairable: false });
    }
    const leaving = new Set((await subjectsOf(platform, REMOVE)).flatMap((subject) => subject.split(' ')));
    for (const object of listed) {
      if (keys.has(object) || leaving.has(object)) continue;
      const [what, remedy] = ['no medium refers to this object', 'remove it'];
      this.#add({ store: 'media', table: 'objects', id: object, what, remedy, repairable: true, object });
    }
    if (objects || !existsSync(root)) return;
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const [file, key] = [path.join(entry.parentPath, entry.name), entry.name.replaceAll('+', '/')];
      if (keys.has(key) || leaving.has(key) || this.#isYoung(file)) continue;
      const what = 'no medium refers to these bytes';
      this.#add({ store: 'media', table: 'blobs', id: key, what, remedy: 'remove them', repairable: true, file });
    }
  }

  async #members(shards: readonly CheckedShard[], store: (name: CheckedStore) => Database): Promise<void> {
    const root = path.join(this.#options.dataDirectory, dataNames.members, 'audiences');
    if (!existsSync(root)) return;
    const tables = ['custom_audiences', 'do_not_reach_lists'];
    const ids = new Map<string, Set<string>>();
    for (const name of environments) ids.set(name, await idsOf(store(name), tables));
    for (const shard of shards)
      for (const id of await idsOf(store(shard.store), tables)) ids.get(shard.environment)?.add(id);
    for (const directory of readdirSync(root)) {
      const [environment = '', id = ''] = nameOfDirectory(directory).split('/');
      const file = path.join(root, directory);
      if (ids.get(environment)?.has(id) || this.#isYoung(file)) continue;
      const what = 'there is no audience and no list whose members these are';
      this.#add({
        store: 'members',
        table: 'audiences',
        id: directory,
        what,
        remedy: 'remove them',
        repairable: true,
        file,
      });
    }
  }

  /** Whether no other world may have objects beside those of this one: worlds of one server, and copies, are in one bucket. */
  #hasObjectsAlone(): boolean {
    const { dataDirectory } = this.#options;
    const hasSome = (name: string) => {
      const directory = path.join(dataDirectory, name);
      return existsSync(directory) && readdirSync(directory).length > 0;
    };
    return (
      !isShared(path.join(dataDirectory, dataNames.media)) &&
      !hasSome(dataNames.worlds) &&
      !hasSome(dataNames.snapshots)
    );
  }

  /** While a server writes, files come before the rows that refer to them. */
  #isYoung(file: string): boolean {
    const { isServed, now } = this.#options;
    return isServed && now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now()) < YOUNG_MS;
  }

  #rows(store: CheckedStore, rows: readonly RowFinding[], remedy: string, byHand: string): void {
    for (const { repair, ...row } of rows) {
      const repairable = repair.length > 0;
      this.#add({ store, ...row, remedy: repairable ? remedy : byHand, repairable, sql: repair });
    }
  }

  #add(found: Found): void {
    this.#found.push(found);
  }

  /** Sets right what can be: each store in one transaction, then files. */
  async #repair(store: (name: CheckedStore) => Database): Promise<Finding[]> {
    if (!this.#mayRepair) return this.#found.map(asFound);
    for (const name of [...storeNames, ...this.#shards.map((shard) => shard.store)]) {
      const texts = this.#found.flatMap((one) => (one.store === name ? (one.sql ?? []) : []));
      // In the order of their first mention: the counts last, which follow from the rows.
      const once = [...new Set(texts)].map((sql) => ({ sql }));
      if (once.length === 0) continue;
      if (await this.#options.repairElsewhere?.(name, once)) continue;
      await store(name).applyMigration(once);
    }
    for (const { file, object } of this.#found) {
      if (file !== undefined) await rm(file, { recursive: true, force: true });
      if (object !== undefined) await this.#options.objects?.delete(object);
    }
    const done = this.#found.map(({ sql: _, file: __, object: ___, ...one }) => ({ ...one, repaired: one.repairable }));
    this.#log(done.filter(({ repaired }) => repaired));
    return done;
  }

  #log(repaired: readonly Finding[]): void {
    if (repaired.length === 0) return;
    const { dataDirectory, now } = this.#options;
    const lines = repaired.map((one) => JSON.stringify({ time: new Date(now()).toISOString(), ...one }));
    appendFileSync(path.join(dataDirectory, dataNames.repairs), `${lines.join('\n')}\n`, { mode: 0o600 });
  }
}
