/**
 * A World is one isolated platform: identities and tokens, advertising data of two environments, a clock, a source of ids
 * and randomness. The server runs one; tests open as many as they like.
 */
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Quotas, quotas as usualQuotas } from '@broadside/core';
import { AudienceStore } from '../audience/audience-store.ts';
import { KeywordInsightsStore } from '../audience/keyword-insights.ts';
import { PeopleFeed } from '../audience/members/people-feed.ts';
import { AudienceProcessing, type ProcessingProfile } from '../audience/processing.ts';
import type { SharedNonceState } from '../auth/nonce-sharing.ts';
import { NonceRegistry } from '../auth/nonces.ts';
import { type DataLock, lockDataDirectory } from '../db/data-lock.ts';
import type { Database } from '../db/database.ts';
import { Generations } from '../db/generations.ts';
import type { KeptOptions } from '../db/kept-rows.ts';
import { keepListCounts } from '../db/list-counts.ts';
import { MigrationError, migrate, type Progress, pendingMigrations } from '../db/migrate.ts';
import { openDatabase } from '../db/open-database.ts';
import { FollowStore } from '../follows/follow-store.ts';
import { HashDoctor } from '../hash-doctor/hash-doctor.ts';
import { BearerTokens } from '../identity/bearer-tokens.ts';
import { IdentityStore } from '../identity/identity-store.ts';
import { hasSecrets, platformKey } from '../identity/platform-key.ts';
import { RequestTokens } from '../identity/request-tokens.ts';
import { resealAll } from '../identity/reseal.ts';
import { Sessions } from '../identity/sessions.ts';
import { Jobs } from '../jobs/jobs.ts';
import { type BlobStore, unavailableBlobs } from '../media/blobs/blob-store.ts';
import { type BlobLocation, openBlobStore } from '../media/blobs/open-blob-store.ts';
import { MediaStore } from '../media/media-store.ts';
import { syncDirectory } from '../members/durable-file.ts';
import { DurableMembers } from '../members/durable-members.ts';
import type { MemberStore } from '../members/member-store.ts';
import { MemberSweeps } from '../members/member-sweeps.ts';
import { NotificationStore } from '../notifications/notification-store.ts';
import { packageFile } from '../package-file.ts';
import { PollStore } from '../polls/poll-store.ts';
import { PostStore } from '../posts/post-store.ts';
import { PublicationJobs } from '../posts/publication-jobs.ts';
import { ShownPosts } from '../posts/shown-posts.ts';
import { SeedStore } from '../seed/seed-store.ts';
import type { ReaderNonces } from '../threads/reader-nonces.ts';
import { type AdsServices, AdsStore } from './ads-store.ts';
import { type Clock, timestamp, type WallClock, wallClock } from './clock.ts';
import { type Environment, environments } from './environment.ts';
import { Snowflakes } from './ids.ts';
import { type Random, randomText, systemRandom } from './random.ts';
import { hasSecretKey, secretKeyFile, secretKeysOf } from './secret-key.ts';
import { SecretBox, type SecretKeys, UnknownKeyError } from './secrets.ts';
import { StoreMarks } from './store-marks.ts';

/** A store's database: a `file:` URL, or the URL of a libSQL server with its token. */
export interface StoreLocation {
  readonly url: string;
  readonly authToken?: string | undefined;
}

/** The parts of the families that the stores of a world work with. */
export type Families = Pick<AdsServices, 'entities' | 'furnish'>;

export interface WorldOptions {
  /** Directory of databases, the secret key and nonces. Created when missing. */
  readonly dataDirectory: string;
  /** Stores that are not files in the data directory. */
  readonly stores?: { readonly [Name in StoreName]?: StoreLocation | undefined };
  /** By default a file in the data directory, made on first use. */
  readonly secretKeys?: SecretKeys | undefined;
  /** Called every few seconds while stores are brought to the schema of this version, with what is begun. */
  readonly onMigration?: ((store: StoreName, step: string) => void) | undefined;
  /** Storage of the bytes of media; by default files in the data directory. */
  readonly media?: BlobLocation | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  /** Starts although a store is missing, or older than it was. */
  readonly acceptLoss?: boolean | undefined;
  /** The time that new members of audiences wait until they are counted; `fast` by default. */
  readonly audienceProcessing?: ProcessingProfile | undefined;
  /** The clock of clients, against which OAuth timestamps are held. */
  readonly wallClock?: WallClock | undefined;
  /** Memory of nonces, where other threads serve requests too. */
  readonly sharedNonces?: SharedNonceState | undefined;
  /** Quotas that differ from the usual ones. */
  readonly quotas?: Partial<Quotas> | undefined;
  /** Bounds of the rows of advertising data in memory; `false` reads each from its store. */
  readonly kept?: KeptOptions | false | undefined;
}

/** The things that a world that only reads has from the one of the main thread. */
export interface ReadingOptions extends Omit<WorldOptions, 'sharedNonces' | 'media'> {
  readonly generations: Readonly<Record<StoreName, SharedArrayBuffer>>;
  readonly platformKey: string;
  readonly nonces: ReaderNonces;
}

/** Parts of a world whose state is in the memory of the main thread. */
const mainThreadOnly = ['audience', 'insights', 'members', 'processing', 'hashDoctor', 'jobs', 'publications'] as const;

/** How often the progress of a long migration is reported. */
const PROGRESS_MS = 3000;

/** Reports the progress of stores every few seconds; of short migrations nothing. */
function startProgress({ onMigration, wallClock: wall = wallClock }: WorldOptions): (store: StoreName) => Progress {
  let last = wall.elapsed();
  return (store) => (step) => {
    if (wall.elapsed() - last < PROGRESS_MS) return;
    last = wall.elapsed();
    onMigration?.(store, step);
  };
}

const storeNames = ['platform', 'production', 'sandbox'] as const;
/** The databases of a world. */
export type StoreName = (typeof storeNames)[number];

const migrationsOf = { platform: 'platform', production: 'ads', sandbox: 'ads' } as const satisfies Record<
  StoreName,
  string
>;

function migrationFolder(store: StoreName): string {
  return packageFile(`drizzle/${migrationsOf[store]}`);
}

/** The locks of the process that writes on the data directory. */
interface Held {
  readonly lock: DataLock;
  readonly marks: StoreMarks;
}

export class World {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly random: Random;
  /** Numeric ids of people, apps, media and posts, and of what an account has under such an id. */
  readonly snowflakes: Snowflakes;
  readonly identity: IdentityStore;
  readonly bearerTokens: BearerTokens;
  readonly requestTokens: RequestTokens;
  readonly sessions: Sessions;
  /** Notifications to people, shown on pages. */
  readonly notifications: NotificationStore;
  readonly posts: PostStore;
  readonly polls: PollStore;
  /** Posts and people as pages show them. */
  readonly shown: ShownPosts;
  readonly follows: FollowStore;
  readonly media: MediaStore;
  /** Deferred work. A server starts it; tests run due jobs explicitly. */
  readonly jobs: Jobs;
  /** Has scheduled posts published at their time. */
  readonly publications: PublicationJobs;
  readonly seeds: SeedStore;
  /** Counts people for advertisers. */
  readonly audience: AudienceStore;
  /** Searches posts for keywords. */
  readonly insights: KeywordInsightsStore;
  /** Names mistakes in uploaded hashes, for development mode only. */
  readonly hashDoctor: HashDoctor;
  /** Counts the members of audiences after they have come. */
  readonly processing: AudienceProcessing;
  /** Members of audiences and of do-not-reach lists, of both environments. */
  readonly members: MemberStore;
  /** A key of the platform, for keyed hashes that need not outlive a form. */
  readonly platformKey: string;
  readonly ads: Readonly<Record<Environment, AdsStore>>;
  readonly nonces: NonceRegistry | ReaderNonces;
  readonly dataDirectory: string;
  readonly #databases: Readonly<Record<StoreName, Database>>;
  /** Held by the world that writes. */
  readonly #held: Held | undefined;
  /** Tells the members' store who the people of the platform are. */
  readonly #people: PeopleFeed;
  readonly #sweeps: MemberSweeps;

  private constructor(
    options: WorldOptions,
    families: Families,
    databases: Readonly<Record<StoreName, Database>>,
    { secrets, key }: { readonly secrets: SecretBox; readonly key: string },
    nonces: NonceRegistry | ReaderNonces,
    blobs: BlobStore,
    held: Held | undefined,
  ) {
    this.dataDirectory = options.dataDirectory;
    this.clock = options.clock ?? wallClock;
    this.wallClock = options.wallClock ?? wallClock;
    this.random = options.random ?? systemRandom;
    this.platformKey = key;
    this.#databases = databases;
    this.nonces = nonces;
    this.#held = held;
    const { clock, random } = this;
    // The data directory is locked, so a file in it has no other writer; a remote store may have.
    const cached = (name: StoreName) => options.stores?.[name] === undefined;
    const database = databases.platform;
    // One source of numeric ids: ids of one world never meet.
    const ids = new Snowflakes(clock, random);
    this.snowflakes = ids;
    this.posts = new PostStore({ database, clock, ids, cache: cached('platform') });
    this.polls = new PollStore({ database, clock });
    this.shown = new ShownPosts({ database });
    this.follows = new FollowStore({ database, clock });
    this.jobs = new Jobs({ database, clock });
    this.publications = new PublicationJobs({ database, clock, jobs: this.jobs });
    const quotas = { ...usualQuotas, ...options.quotas };
    this.media = new MediaStore({ database, clock, random, ids, blobs, jobs: this.jobs, quotas });
    this.seeds = new SeedStore({ database, clock, random, blobs });
    this.members = new DurableMembers({ directory: path.join(options.dataDirectory, 'members') });
    this.#people = new PeopleFeed({ database, members: this.members });
    this.#sweeps = new MemberSweeps({ database, clock, jobs: this.jobs, members: this.members });
    this.audience = new AudienceStore({ database, clock, members: this.#people, key });
    this.hashDoctor = new HashDoctor({ database });
    this.insights = new KeywordInsightsStore({ audience: this.audience, database, clock });
    this.bearerTokens = new BearerTokens({ database, clock, random, key, cache: cached('platform') });
    const identity = new IdentityStore({
      database,
      clock,
      random,
      ids,
      secrets,
      bearers: this.bearerTokens,
      cache: cached('platform'),
    });
    this.identity = identity;
    this.requestTokens = new RequestTokens({
      database,
      clock,
      random,
      secrets,
      key,
      issue: (writer, grant) => identity.tokens.grant(writer, grant),
    });
    this.sessions = new Sessions({ database, wallClock: this.wallClock, random });
    this.notifications = new NotificationStore({ database, clock });
    const ads = (name: Environment) =>
      new AdsStore({
        database: databases[name],
        clock,
        random,
        ...families,
        cache: cached(name),
        quotas,
      });
    this.ads = { production: ads('production'), sandbox: ads('sandbox') };
    this.processing = new AudienceProcessing({
      database,
      clock,
      jobs: this.jobs,
      ads: this.ads,
      entities: families.entities,
      profile: options.audienceProcessing ?? 'fast',
      key,
      members: {
        settle: (name) => this.#people.settle(name),
        countActive: (audience) => this.audience.countActive(audience),
        drop: async (name) => {
          await this.members.drop(name);
          this.audience.dropMembers(name);
        },
      },
    });
  }

  /**
   * Opens the stores and brings them up to date. `openWorld` does it with all families.
   * @throws DataDirectoryError, DatabaseOpenError, DataDirectoryInUseError, StoreLossError, NewerDatabaseError: nothing is
   * changed then.
   */
  static async open(options: WorldOptions, families: Families): Promise<World> {
    const { dataDirectory } = options;
    makeDirectory(path.resolve(dataDirectory));
    const lock = lockDataDirectory(dataDirectory);
    const opened = new Map<StoreName, Database>();
    try {
      const stores = storeNames.map((name) => ({ name, file: ownFile(options, name) }));
      const marks = new StoreMarks(dataDirectory, stores, options.acceptLoss === true);
      for (const store of marks.order(stores)) {
        const { url, authToken } = options.stores?.[store.name] ?? fileLocation(dataDirectory, store.name);
        const database = await openDatabase(url, {
          ...(authToken === undefined ? {} : { authToken }),
          keep: keptOf(options, store.name),
        });
        opened.set(store.name, database);
        await marks.check(store, database);
      }
      const database = (name: StoreName): Database => {
        const found = opened.get(name);
        if (found === undefined) throw new TypeError(`the store ${name} is not open`);
        return found;
      };
      const databases = {
        platform: database('platform'),
        production: database('production'),
        sandbox: database('sandbox'),
      };
      // A database that a newer version wrote must be found before any is changed.
      for (const name of storeNames) await named(name, pendingMigrations(databases[name], migrationFolder(name)));
      const now = new Date((options.clock ?? wallClock).now());
      const progressOf = startProgress(options);
      for (const name of storeNames) {
        await named(name, migrate(databases[name], migrationFolder(name), now, { progress: progressOf(name) }));
      }
      for (const name of environments) {
        await keepListCounts(databases[name], families.entities.all, { progress: progressOf(name) });
      }
      const keys = await openKeys(options, databases.platform);
      const blobs = await openBlobStore(options.media ?? { directory: path.join(dataDirectory, 'media') });
      const wall = options.wallClock ?? wallClock;
      const nonces = usable(path.join(dataDirectory, 'nonces'), (directory) =>
        NonceRegistry.open({
          directory,
          nowSeconds: () => Math.floor(wall.now() / 1000),
          elapsed: () => wall.elapsed(),
          shared: options.sharedNonces,
        }),
      );
      // Last, so that a start that is rejected for anything else leaves the stores as they were.
      await marks.adopt(opened, randomText(systemRandom, 22));
      // The names of nonces, media and marks: without them, what is synced in them would be lost with the power.
      syncDirectory(dataDirectory);
      return new World(options, families, databases, keys, nonces, blobs, { lock, marks });
    } catch (error) {
      for (const database of opened.values()) await database.close();
      lock.release();
      throw error;
    }
  }

  /**
   * Opens the same platform for reading, in a thread beside the one in which it is open already: with connections of its own,
   * no lock, and nothing that writes or that is in the memory of the main thread.
   * @throws DatabaseOpenError
   */
  static async openReading(options: ReadingOptions, families: Families): Promise<World> {
    const { dataDirectory, generations, platformKey: key, nonces } = options;
    const opened: Database[] = [];
    try {
      const open = async (name: StoreName): Promise<Database> => {
        const { url, authToken } = options.stores?.[name] ?? fileLocation(dataDirectory, name);
        const reading = { generations: new Generations(generations[name]) };
        const database = await openDatabase(url, {
          reading,
          keep: keptOf(options, name),
          ...(authToken === undefined ? {} : { authToken }),
        });
        opened.push(database);
        return database;
      };
      const databases = {
        platform: await open('platform'),
        production: await open('production'),
        sandbox: await open('sandbox'),
      };
      const secrets = new SecretBox(options.secretKeys ?? secretKeysOf(dataDirectory));
      const world = new World(options, families, databases, { secrets, key }, nonces, unavailableBlobs, undefined);
      for (const name of mainThreadOnly) {
        Object.defineProperty(world, name, {
          get: () => {
            throw new TypeError(`world.${name} is in the main thread only; its handlers have to say so: inMainThread`);
          },
        });
      }
      return world;
    } catch (error) {
      for (const database of opened) await database.close();
      throw error;
    }
  }

  /** Ends a world that only reads. */
  async closeReading(): Promise<void> {
    this.nonces.close();
    for (const name of storeNames) await this.#databases[name].close();
  }

  /** The memory by which threads that read learn of writes. */
  get generations(): Readonly<Record<StoreName, SharedArrayBuffer>> {
    const { platform, production, sandbox } = this.#databases;
    return {
      platform: platform.generations.buffer,
      production: production.generations.buffer,
      sandbox: sandbox.generations.buffer,
    };
  }

  /**
   * Why stores cannot be written, as sentences. A store that could not be is tried again.
   */
  async storageProblems(): Promise<string[]> {
    const found = await Promise.all(
      storeNames.map(async (name) => {
        const database = this.#databases[name];
        await database.probe();
        return database.problem === undefined ? [] : [`The store ${name} cannot be written: ${database.problem}.`];
      }),
    );
    return found.flat();
  }

  /** Reports when the disk begins to reject the writes of a store, and when it takes them again (no problem). */
  onStorage(report: (store: StoreName, problem: string | undefined) => void): void {
    for (const name of storeNames) this.#databases[name].onProblem((problem) => report(name, problem));
  }

  /** Returns the names of the stores that do not respond or lack migrations. */
  async unready(): Promise<StoreName[]> {
    const checks = await Promise.all(
      storeNames.map(async (name) => {
        try {
          return (await pendingMigrations(this.#databases[name], migrationFolder(name))).length === 0;
        } catch {
          return false;
        }
      }),
    );
    return storeNames.filter((_, i) => !checks[i]);
  }

  /** Waits for running writes, then closes everything. */
  async close(): Promise<void> {
    const stopped = this.jobs.stop();
    // A job may be waiting for the people, of whom there may be many.
    await this.#people.close();
    await stopped;
    await this.audience.close();
    await this.hashDoctor.close();
    await this.members.close();
    await this.#sweeps.close();
    for (const name of storeNames) await this.#databases[name].close();
    this.#held?.marks.close();
    this.nonces.close();
    this.#held?.lock.release();
  }
}

/** The data directory is locked, so a file in it has one writer, whose generations all threads share; a remote store may have others. */
function keptOf({ stores, kept = {} }: WorldOptions, name: StoreName): KeptOptions | undefined {
  return stores?.[name] === undefined && kept !== false ? kept : undefined;
}

/** Opens the platform's key, which also finds out whether the sealing key is the right one. */
async function openKeys(
  options: WorldOptions,
  database: Database,
): Promise<{ readonly secrets: SecretBox; readonly key: string }> {
  const { dataDirectory, random = systemRandom, clock = wallClock } = options;
  const isNew = options.secretKeys === undefined && !hasSecretKey(dataDirectory);
  if (isNew && (await hasSecrets(database))) {
    // A new key would not open anything, and would be taken for the right one later.
    throw new SecretKeyError(
      `The secret key ${secretKeyFile(dataDirectory)} is missing, under which the platform store was written. Put it back, or give it in BROADSIDE_SECRET_KEY.`,
    );
  }
  const secrets = new SecretBox(options.secretKeys ?? secretKeysOf(dataDirectory));
  try {
    const key = await platformKey('platform', timestamp(clock), { database, random, secrets });
    if (secrets.isRotating) await resealAll(database, secrets);
    return { secrets, key };
  } catch (error) {
    if (!(error instanceof UnknownKeyError)) throw error;
    throw new SecretKeyError(
      'The platform store was written under another secret key. Give that key in BROADSIDE_SECRET_KEY or in the file secret.key, after the new one if it was changed.',
      { cause: error },
    );
  }
}

/** The key that seals secrets is not the one of the store. */
export class SecretKeyError extends Error {
  override readonly name = 'SecretKeyError';
}

/** The data directory cannot be made, or something in it cannot be used. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError';
}

/** Adds the store to the message of a migration's error. */
async function named<Result>(name: StoreName, step: Promise<Result>): Promise<Result> {
  try {
    return await step;
  } catch (error) {
    if (error instanceof MigrationError) error.message = `${error.message} (store: ${name})`;
    throw error;
  }
}

/** Level by level, because a recursive mkdir never returns on some file systems that reject new directories. */
function makeDirectory(directory: string): void {
  const status = statSync(directory, { throwIfNoEntry: false });
  if (status?.isDirectory()) return;
  const parent = path.dirname(directory);
  if (!status && parent !== directory) makeDirectory(parent);
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : String(error);
    throw new DataDirectoryError(`The data directory ${directory} cannot be created (${reason}).`, { cause: error });
  }
}

/** Opens a part of the data directory. @throws DataDirectoryError */
function usable<Part>(directory: string, open: (directory: string) => Part): Part {
  try {
    return open(directory);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DataDirectoryError(`The directory ${directory} cannot be used (${reason}).`, { cause: error });
  }
}

/** The file of a store, if it is one of the data directory, which nobody else writes. */
function ownFile({ dataDirectory, stores }: WorldOptions, name: StoreName): string | undefined {
  return stores?.[name] === undefined ? fileURLToPath(fileLocation(dataDirectory, name).url) : undefined;
}

function fileLocation(dataDirectory: string, name: StoreName): StoreLocation {
  const file = name === 'platform' ? 'platform.db' : `ads-${name}.db`;
  return { url: pathToFileURL(path.resolve(dataDirectory, file)).href };
}
