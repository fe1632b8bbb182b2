/** `broadside backup`: backups of a data directory that no server has open, and what is done with backups wherever they are. */

import { tmpdir } from 'node:os';
import path from 'node:path';
import { ConfigError, readConfig } from '../config/config.ts';
import { RemoteStoreError } from '../copies/copy-stores.ts';
import { DataDirectoryInUseError } from '../db/data-lock.ts';
import { DatabaseOpenError } from '../db/database.ts';
import { BlobStoreError } from '../media/blobs/blob-store.ts';
import { openBlobStore } from '../media/blobs/open-blob-store.ts';
import { SeveralServersError } from '../servers/errors.ts';
import { wallClock } from '../world/clock.ts';
import { DataDirectoryError, keepFilesPrivate } from '../world/data-directory.ts';
import { randomText, systemRandom } from '../world/random.ts';
import type { BackupProgress, MadeBackup } from './create-backup.ts';
import { BackupError, type BackupManifest, NoBackupError, NoPlaceError } from './manifest.ts';
import { backUpDirectory } from './offline.ts';
import { openPlace } from './open-place.ts';
import { type RestoredBackup, restoreBackup } from './restore-backup.ts';
import { manifestOf, type VerifiedBackup, verifyBackup } from './verify-backup.ts';

export type { BackupProgress, MadeBackup } from './create-backup.ts';
export { type BackupManifest, bytesOf } from './manifest.ts';
export type { RestoredBackup } from './restore-backup.ts';
export type { VerifiedBackup } from './verify-backup.ts';

/** Nothing was done, for a reason that the user can do something about: one or two sentences. */
export class BackupRefusedError extends Error {
  override readonly name = 'BackupRefusedError';

  /** What is missing: the backup, or where backups are. */
  get missing(): 'backup' | 'place' | undefined {
    if (this.cause instanceof NoBackupError) return 'backup';
    return this.cause instanceof NoPlaceError ? 'place' : undefined;
  }
}

/** The environment, which has the settings, and what a command is about. */
export interface BackupCall {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly dataDirectory: string;
  /** A directory or `s3://` URL; that of the settings when left out. */
  readonly at: string | undefined;
  readonly onProgress: (progress: BackupProgress) => void;
}

/** Backs up a data directory that no server has open. @throws BackupRefusedError */
export function createOffline(
  call: BackupCall,
  order: { readonly worlds: boolean; readonly snapshots: boolean; readonly keep: number | undefined },
): Promise<MadeBackup & { readonly place: string }> {
  return expected(call, async (place, config) => {
    const { dataDirectory, onProgress } = call;
    const now = () => wallClock.now();
    return {
      ...(await backUpDirectory({ ...order, place, config, dataDirectory, now, onProgress })),
      place: place.label,
    };
  });
}

/** Lists the backups of a place, the oldest first. One whose manifest cannot be read is a text that says why. @throws BackupRefusedError */
export function listBackups(call: BackupCall): Promise<readonly (BackupManifest | string)[]> {
  return expected(call, async (place) => {
    const found: (BackupManifest | string)[] = [];
    for (const id of await place.list()) {
      try {
        found.push(await manifestOf(place, id));
      } catch (error) {
        if (!(error instanceof BackupError)) throw error;
        found.push(error.message);
      }
    }
    return found;
  });
}

/** Verifies a backup, the latest one when left out. @throws BackupRefusedError */
export function verify(call: BackupCall, id: string | undefined): Promise<VerifiedBackup> {
  return expected(call, async (place, config) => {
    const { id: found } = await manifestOf(place, id);
    const scratch = path.join(tmpdir(), `broadside-verify-${randomText(systemRandom, 8)}`);
    const { passphrase } = config.backups;
    return verifyBackup({ place, id: found, scratch, passphrase, onProgress: call.onProgress });
  });
}

/** Restores a backup, the latest one when left out, into an empty data directory, and into empty stores where the settings name some. @throws BackupRefusedError */
export function restore(
  call: BackupCall,
  { id, withoutKeys }: { readonly id: string | undefined; readonly withoutKeys: boolean },
): Promise<RestoredBackup> {
  return expected(call, async (place, config) => {
    const { dataDirectory, onProgress } = call;
    const objects = config.media && (await openBlobStore(config.media, path.join(dataDirectory, 'media')));
    const { passphrase } = config.backups;
    return restoreBackup({
      place,
      id,
      dataDirectory,
      passphrase,
      withoutKeys,
      objects,
      config,
      now: () => wallClock.now(),
      onProgress,
    });
  });
}

const EXPECTED = [
  BackupError,
  BlobStoreError,
  ConfigError,
  DataDirectoryError,
  DataDirectoryInUseError,
  DatabaseOpenError,
  RemoteStoreError,
  SeveralServersError,
];

async function expected<Result>(
  { at, env }: BackupCall,
  work: (place: ReturnType<typeof openPlace>, config: ReturnType<typeof readConfig>) => Promise<Result>,
): Promise<Result> {
  try {
    keepFilesPrivate();
    const config = readConfig(env);
    const text = at ?? config.backups.url;
    if (text === undefined)
      throw new NoPlaceError('Name the directory or the s3:// URL of the backups, or set BROADSIDE_BACKUP_URL.');
    return await work(openPlace(text, config.backups.credentials), config);
  } catch (error) {
    const isExpected = error instanceof Error && (EXPECTED.some((kind) => error instanceof kind) || 'syscall' in error);
    throw isExpected ? new BackupRefusedError(error.message, { cause: error }) : error;
  }
}
