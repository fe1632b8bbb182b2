/** `broadside check`: what is wrong with a data directory. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Config, ConfigError, readConfig } from '../config/config.ts';
import { dataNames } from '../data-names.ts';
import { DataDirectoryInUseError, lockDataDirectory } from '../db/data-lock.ts';
import { type Database, DatabaseOpenError, StoreUnreachableError, WriteAbortedError } from '../db/database.ts';
import { hasTable } from '../db/has-table.ts';
import { BlobStoreError } from '../media/blobs/blob-store.ts';
import { openBlobStore } from '../media/blobs/open-blob-store.ts';
import { LeaseEndedError, SeveralServersError } from '../servers/errors.ts';
import { placeOf } from '../servers/place.ts';
import { Registration } from '../servers/registration.ts';
import { listServers } from '../servers/store.ts';
import { wallClock } from '../world/clock.ts';
import { DataDirectoryError, keepFilesPrivate, makeDirectory } from '../world/data-directory.ts';
import { randomText, systemRandom } from '../world/random.ts';
import { fileOf, isOnServer } from '../world/store-locations.ts';
import { storeNames } from '../world/world-options.ts';
import { type CheckOptions, checkDirectory, type Finding } from './check-directory.ts';
import type { CheckedStore } from './checked-shards.ts';
import { namesElsewhere, StoresElsewhere } from './stores-elsewhere.ts';

export type { Finding } from './check-directory.ts';

/** Nothing could be checked, for a reason that the user can do something about. */
export class CheckRefusedError extends Error {
  override readonly name = 'CheckRefusedError';
}

/** What is checked, and how. */
export interface CheckCall {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly dataDirectory: string;
  readonly repair: boolean;
  /** A server runs on the directory. */
  readonly isServed: boolean;
}

const EXPECTED = [
  BlobStoreError,
  ConfigError,
  DataDirectoryError,
  DataDirectoryInUseError,
  DatabaseOpenError,
  LeaseEndedError,
  SeveralServersError,
  StoreUnreachableError,
  WriteAbortedError,
];

/** Checks a data directory. @throws CheckRefusedError */
export async function check({ env, ...call }: CheckCall): Promise<Finding[]> {
  try {
    keepFilesPrivate();
    const { media, ...config } = readConfig(env);
    const objects =
      media && 'url' in media ? await openBlobStore(media, path.join(call.dataDirectory, 'media')) : undefined;
    const mediaDirectory = media && 'directory' in media ? media.directory : undefined;
    const options = { ...call, shards: config.shards, objects, mediaDirectory, now: () => wallClock.now() };
    const [elsewhere] = namesElsewhere(config);
    if (elsewhere === undefined) {
      demandPlatform(call.dataDirectory);
      return await checkDirectory(options);
    }
    const scratch = path.join(tmpdir(), `broadside-check-${randomText(systemRandom, 8)}`);
    const opened = await StoresElsewhere.open(config);
    try {
      if (call.repair) return await repairElsewhere(opened, { ...config, ...options }, scratch);
      // Other servers may write files that are not known to the copies.
      return await checkDirectory({ ...options, ...(await opened.copy(scratch)), isServed: true });
    } finally {
      await opened.close();
      await rm(scratch, { recursive: true, force: true });
    }
  } catch (error) {
    const isExpected = error instanceof Error && (EXPECTED.some((kind) => error instanceof kind) || 'syscall' in error);
    throw isExpected ? new CheckRefusedError(error.message, { cause: error }) : error;
  }
}

/**
 * Checks and repairs stores of which some are on servers. No server of the platform runs meanwhile, so copies are what the stores have.
 * @throws CheckRefusedError, DataDirectoryInUseError
 */
async function repairElsewhere(
  opened: StoresElsewhere,
  options: CheckOptions & Pick<Config, 'stores'>,
  scratch: string,
): Promise<Finding[]> {
  const { stores, dataDirectory } = options;
  const file = storeNames.find((name) => stores[name] !== undefined && !isOnServer(stores[name]));
  if (file !== undefined) {
    throw new CheckRefusedError(
      `The store ${file} is a file outside of the data directory, which another server may have open, so nothing is repaired from here: leave --repair out.`,
    );
  }
  makeDirectory(dataDirectory);
  const lock = lockDataDirectory(dataDirectory);
  const alone =
    opened.platform &&
    (await beAlone(opened.platform, dataDirectory).catch((error: unknown) => {
      lock.release();
      throw error;
    }));
  try {
    const repairElsewhere = async (name: CheckedStore, statements: readonly { readonly sql: string }[]) => {
      const database = opened.find(name);
      if (database === undefined) return false;
      const { problem } = alone ?? {};
      if (problem) throw problem;
      await database.applyMigration(statements);
      return true;
    };
    return await checkDirectory({
      ...options,
      ...(await opened.copy(scratch)),
      lock,
      repairElsewhere,
      isServed: false,
    });
  } finally {
    await alone?.leave();
    lock.release();
  }
}

/** Has no server of a platform start until the registration is left. @throws CheckRefusedError where one runs */
async function beAlone(platform: Database, dataDirectory: string): Promise<Registration> {
  if (!(await hasTable(platform, 'servers'))) {
    throw new CheckRefusedError(
      'The store platform is empty, or of an earlier version: start the server on it once, and stop it.',
    );
  }
  const place = placeOf(dataDirectory);
  const running = (await listServers.all(platform)).find((server) => server.isLive && server.place !== place);
  if (running !== undefined) {
    throw new CheckRefusedError(
      `A process of the platform runs (${running.pid} on ${running.host}): stop all servers, then repair. One that was killed counts for 15 seconds.`,
    );
  }
  // Servers do not start beside one that shares nothing with them.
  return Registration.take({ database: platform, place, serves: true, shares: false });
}

/** Rejects a directory in which no platform is. @throws CheckRefusedError */
function demandPlatform(directory: string): void {
  // One that has lost all of its stores still has these.
  const left = [dataNames.secretKey, dataNames.storeMarks, ...storeNames.map(fileOf)];
  if (left.some((name) => existsSync(path.join(directory, name)))) return;
  throw new CheckRefusedError(`${directory} is no data directory: nothing of a platform is there.`);
}
