/** `broadside check`: what is wrong with a data directory. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ConfigError, readConfig } from '../config/config.ts';
import { DataDirectoryInUseError } from '../db/data-lock.ts';
import { DatabaseOpenError, StoreUnreachableError, WriteAbortedError } from '../db/database.ts';
import { BlobStoreError } from '../media/blobs/blob-store.ts';
import { openBlobStore } from '../media/blobs/open-blob-store.ts';
import { wallClock } from '../world/clock.ts';
import { randomText, systemRandom } from '../world/random.ts';
import { fileOf } from '../world/store-locations.ts';
import { storeNames } from '../world/world-options.ts';
import { checkDirectory, type Finding } from './check-directory.ts';
import { filesElsewhere, namesElsewhere } from './stores-elsewhere.ts';

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
  DataDirectoryInUseError,
  DatabaseOpenError,
  StoreUnreachableError,
  WriteAbortedError,
];

/** Checks a data directory. @throws CheckRefusedError */
export async function check({ env, ...call }: CheckCall): Promise<Finding[]> {
  try {
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
    if (call.repair) {
      throw new CheckRefusedError(
        `The store ${elsewhere} is not in the data directory, so nothing is repaired from here: leave --repair out.`,
      );
    }
    const scratch = path.join(tmpdir(), `broadside-check-${randomText(systemRandom, 8)}`);
    try {
      // Other servers may write files that are not known to the copies.
      return await checkDirectory({ ...options, ...(await filesElsewhere(config, scratch)), isServed: true });
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  } catch (error) {
    const isExpected = error instanceof Error && (EXPECTED.some((kind) => error instanceof kind) || 'syscall' in error);
    throw isExpected ? new CheckRefusedError(error.message, { cause: error }) : error;
  }
}

/** Rejects a directory in which no platform is. @throws CheckRefusedError */
function demandPlatform(directory: string): void {
  // One that has lost all of its stores still has these.
  const left = ['secret.key', 'stores.mark', ...storeNames.map(fileOf)];
  if (left.some((name) => existsSync(path.join(directory, name)))) return;
  throw new CheckRefusedError(`${directory} is no data directory: nothing of a platform is there.`);
}
