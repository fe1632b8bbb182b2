/** `broadside check`: what is wrong with a data directory. */
import path from 'node:path';
import { ConfigError, readConfig } from '../config/config.ts';
import { shardsOnServers } from '../config/shard-files.ts';
import { DataDirectoryInUseError } from '../db/data-lock.ts';
import { DatabaseOpenError } from '../db/database.ts';
import { BlobStoreError } from '../media/blobs/blob-store.ts';
import { openBlobStore } from '../media/blobs/open-blob-store.ts';
import { wallClock } from '../world/clock.ts';
import { checkDirectory, type Finding } from './check-directory.ts';

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

const EXPECTED = [BlobStoreError, ConfigError, DataDirectoryInUseError, DatabaseOpenError];

/** Checks a data directory. @throws CheckRefusedError */
export async function check({ env, ...call }: CheckCall): Promise<Finding[]> {
  try {
    const { media, stores, shards } = readConfig(env);
    const onServers = shardsOnServers(shards).map(({ environment, name }) => `${environment}/${name}`);
    const [elsewhere] = [...Object.keys(stores), ...onServers];
    if (elsewhere !== undefined) {
      throw new CheckRefusedError(
        `The store ${elsewhere} is not in the data directory. Check it there: by PRAGMA integrity_check of its server.`,
      );
    }
    const objects = media && (await openBlobStore(media, path.join(call.dataDirectory, 'media')));
    return await checkDirectory({ ...call, shards, objects, now: () => wallClock.now() });
  } catch (error) {
    const isExpected = error instanceof Error && (EXPECTED.some((kind) => error instanceof kind) || 'syscall' in error);
    throw isExpected ? new CheckRefusedError(error.message, { cause: error }) : error;
  }
}
