/**
 * A World is one isolated platform: identities and tokens, advertising data of two environments, a clock, a source of ids
 * and randomness. The server runs one; tests open as many as they like.
 */
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { NonceRegistry } from '../auth/nonces.ts';
import { type DataLock, lockDataDirectory } from '../db/data-lock.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { MigrationError, migrate, pendingMigrations } from '../db/migrate.ts';
import { IdentityStore } from '../identity/store.ts';
import { packageFile } from '../package-file.ts';
import { AdsStore } from './ads-store.ts';
import { type Clock, wallClock } from './clock.ts';
import { Snowflakes } from './ids.ts';
import { type Random, systemRandom } from './random.ts';
import { secretKey } from './secret-key.ts';
import { SecretBox } from './secrets.ts';

/** Where advertising data lives: for money, or to try things out. */
export type Environment = 'production' | 'sandbox';
export const environments: readonly Environment[] = ['production', 'sandbox'];

/** A store's database: a `file:` URL, or the URL of a libSQL server with its token. */
export interface StoreLocation {
  readonly url: string;
  readonly authToken?: string | undefined;
}

export interface WorldOptions {
  /** Where files go: databases, the secret key, nonces. Created when missing. */
  readonly dataDirectory: string;
  /** Stores that are not files in the data directory. */
  readonly stores?: { readonly [Name in StoreName]?: StoreLocation | undefined };
  /** 32 bytes; by default a file in the data directory, made on first use. */
  readonly secretKey?: Uint8Array | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  /** The clock of clients, against which OAuth timestamps are held. */
  readonly wallClock?: Clock | undefined;
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

export class World {
  readonly clock: Clock;
  readonly wallClock: Clock;
  readonly random: Random;
  readonly identity: IdentityStore;
  readonly ads: Readonly<Record<Environment, AdsStore>>;
  readonly nonces: NonceRegistry;
  readonly dataDirectory: string;
  readonly #databases: Readonly<Record<StoreName, Database>>;
  readonly #lock: DataLock;

  private constructor(
    options: WorldOptions,
    databases: Readonly<Record<StoreName, Database>>,
    nonces: NonceRegistry,
    lock: DataLock,
  ) {
    this.dataDirectory = options.dataDirectory;
    this.clock = options.clock ?? wallClock;
    this.wallClock = options.wallClock ?? wallClock;
    this.random = options.random ?? systemRandom;
    this.#databases = databases;
    this.nonces = nonces;
    this.#lock = lock;
    const { clock, random } = this;
    // The data directory is locked, so a file in it has no other writer; a remote store may have.
    const cached = (name: StoreName) => options.stores?.[name] === undefined;
    this.identity = new IdentityStore({
      database: databases.platform,
      clock,
      random,
      ids: new Snowflakes(clock, random),
      secrets: new SecretBox(options.secretKey ?? secretKey(options.dataDirectory)),
      cache: cached('platform'),
    });
    const ads = (name: Environment) => new AdsStore({ database: databases[name], clock, random, cache: cached(name) });
    this.ads = { production: ads('production'), sandbox: ads('sandbox') };
  }

  /**
   * Opens the stores and brings them up to date.
   * @throws DataDirectoryError, DatabaseOpenError, DataDirectoryInUseError, NewerDatabaseError: each with one clear sentence, nothing changed.
   */
  static async open(options: WorldOptions): Promise<World> {
    const { dataDirectory } = options;
    makeDirectory(path.resolve(dataDirectory));
    const lock = lockDataDirectory(dataDirectory);
    const opened: Database[] = [];
    try {
      const open = async (name: StoreName): Promise<Database> => {
        const { url, authToken } = options.stores?.[name] ?? fileLocation(dataDirectory, name);
        const database = await openDatabase(url, authToken === undefined ? {} : { authToken });
        opened.push(database);
        return database;
      };
      const databases = {
        platform: await open('platform'),
        production: await open('production'),
        sandbox: await open('sandbox'),
      };
      // A database that a newer version wrote must be found before any is changed.
      for (const name of storeNames) await named(name, pendingMigrations(databases[name], migrationFolder(name)));
      const now = new Date((options.clock ?? wallClock).now());
      for (const name of storeNames) await named(name, migrate(databases[name], migrationFolder(name), now));
      const wall = options.wallClock ?? wallClock;
      const nonces = NonceRegistry.open({
        directory: path.join(dataDirectory, 'nonces'),
        nowSeconds: () => Math.floor(wall.now() / 1000),
      });
      return new World(options, databases, nonces, lock);
    } catch (error) {
      for (const database of opened) await database.close();
      lock.release();
      throw error;
    }
  }

  /** Whether every store answers and has all migrations; the names of those that do not. */
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
    for (const name of storeNames) await this.#databases[name].close();
    this.nonces.close();
    this.#lock.release();
  }
}

/** The data directory cannot be made. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError';
}

/** Says in the message of a migration's error which store it is about. */
async function named<Result>(name: StoreName, step: Promise<Result>): Promise<Result> {
  try {
    return await step;
  } catch (error) {
    if (error instanceof MigrationError) error.message = `${error.message} (store: ${name})`;
    throw error;
  }
}

/** Level by level, because a recursive mkdir never returns on some file systems that refuse new folders. */
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

function fileLocation(dataDirectory: string, name: StoreName): StoreLocation {
  const file = name === 'platform' ? 'platform.db' : `ads-${name}.db`;
  return { url: pathToFileURL(path.resolve(dataDirectory, file)).href };
}
