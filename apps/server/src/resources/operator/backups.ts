import { formatTimestamp, type OperatorContract, type OutcomeOf, type Reject } from '@broadside/core';
import { BackupError, type BackupManifest, bytesOf, NoPlaceError } from '../../backup/manifest.ts';
import { BackupUnderWayError, type OrderedBackup, type RunningBackups } from '../../backup/running-backups.ts';
import { manifestOf } from '../../backup/verify-backup.ts';
import { BlobStoreError } from '../../media/blobs/blob-store.ts';
import type { Context, HandlersOf } from '../../pipeline/context.ts';

type Backups = OperatorContract['admin']['backups'];

/** The operator's procedures for backups. */
export const adminBackups: HandlersOf<Backups> = {
  create(context, { to, ...order }) {
    const backups = backupsOf(context);
    try {
      return shownOrder(backups.begin({ ...order, to }));
    } catch (error) {
      if (error instanceof BackupUnderWayError) {
        throw context.reject.error({
          error: 'WORLD_BUSY',
          message: 'Another backup is being made; try again when it is there',
        });
      }
      throw asParameter(context.reject, 'to', to, error);
    }
  },

  get({ backups, reject }, { number }) {
    const found = backups?.().get(number);
    if (found) return shownOrder(found);
    const message = `There is no backup with the number ${number} since this server was started`;
    throw reject.error({ error: 'NOT_FOUND', parameter: 'number', value: String(number), message });
  },

  async list(context, { at }) {
    const backups = backupsOf(context);
    try {
      const place = backups.placeOf(at);
      const found: BackupManifest[] = [];
      for (const id of await place.list()) {
        const manifest = await readable(manifestOf(place, id));
        if (manifest) found.push(manifest);
      }
      return found.map(shownBackup);
    } catch (error) {
      throw asParameter(context.reject, 'at', at, error);
    }
  },
};

/** @throws ApiError in worlds but the default one, which is backed up with them */
function backupsOf({
  backups,
  reject,
}: Pick<Context, 'backups'> & { reject: Reject<'ACTION_NOT_ALLOWED'> }): RunningBackups {
  if (backups) return backups();
  const message = 'A server is backed up by calls of its default world; `worlds` has the others in the backup';
  throw reject.error({ error: 'ACTION_NOT_ALLOWED', message });
}

/** The error of a place that cannot be used, as that of the parameter that names it. */
function asParameter(
  reject: Reject<'INVALID_PARAMETER' | 'MISSING_PARAMETER'>,
  parameter: string,
  value: string | undefined,
  error: unknown,
): unknown {
  if (error instanceof NoPlaceError) {
    return reject.error({ error: 'MISSING_PARAMETER', parameter, message: error.message });
  }
  const isPlace = error instanceof BackupError || error instanceof BlobStoreError || isOfFiles(error);
  if (!isPlace) return error;
  const { message } = error;
  return reject.error({ error: 'INVALID_PARAMETER', parameter, ...(value === undefined ? {} : { value }), message });
}

function isOfFiles(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}

async function readable(manifest: Promise<BackupManifest>): Promise<BackupManifest | undefined> {
  try {
    return await manifest;
  } catch (error) {
    if (error instanceof BackupError) return undefined;
    throw error;
  }
}

function shownOrder({ number, place, progress, outcome }: OrderedBackup): OutcomeOf<Backups['get']> {
  const made = outcome.state === 'SUCCEEDED' ? outcome.made : undefined;
  return {
    number,
    place,
    state: outcome.state,
    bytes_done: BigInt(progress.done),
    bytes_total: BigInt(progress.total),
    reason: outcome.state === 'FAILED' ? outcome.reason : null,
    backup: made ? shownBackup(made.manifest) : null,
    new_media: made?.new_media ?? 0,
    removed: [...(made?.removed ?? [])],
  };
}

function shownBackup(manifest: BackupManifest): OutcomeOf<Backups['list']>[number] {
  const { id, instant_ms, product_version, worlds, sealed } = manifest;
  return {
    id,
    instant: formatTimestamp(instant_ms),
    product_version,
    worlds: worlds.length,
    media: worlds.reduce((sum, { media }) => sum + media.length, 0),
    bytes: BigInt(bytesOf(manifest)),
    has_keys: sealed !== null,
  };
}
