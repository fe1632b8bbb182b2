/**
 * Copies of worlds, open and closed. A copy is made in a directory beside its place and appears there as a whole, on disk, or
 * not at all. It holds what belongs to the world: the stores, the keys that seal their secrets, members of audiences, media, credentials of a demo
 * and the position of its ids. What belongs to the process or the place is left out: locks, marks, nonces, the operator's token.
 */
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { dataNames } from '../data-names.ts';
import { DiskBlobStore } from '../media/blobs/disk-store.ts';
import { markShared } from '../media/blobs/shared-blobs.ts';
import { MembersCopy } from '../members/members-copy.ts';
import { randomText, systemRandom } from '../world/random.ts';
import { fileOf } from '../world/store-locations.ts';
import type { World } from '../world/world.ts';
import { storeNames } from '../world/world-options.ts';
import { copyIfThere, syncAll, syncNames, writeWhole } from './copy-file.ts';
import { makeDurable } from './durable-directory.ts';
import { atInstant, lookAt } from './instant.ts';

/** A directory that is being made begins with this, beside the place where it is to appear. */
const MAKING = '.making-';

/** Files of a closed world that are copied as they are. */
const PLAIN_FILES = [
  ...storeNames.flatMap((name) => [fileOf(name), `${fileOf(name)}-wal`]),
  dataNames.secretKey,
  dataNames.credentials,
  dataNames.unfinishedDemo,
  dataNames.idState,
];

/** There is something at the place of a copy. */
export class CopyTargetError extends Error {
  override readonly name = 'CopyTargetError';
  constructor(target: string) {
    super(`${target} is there already; a copy is made in a directory that is not there yet.`);
  }
}

/** Options of a copy. */
export interface CopyOptions {
  /** Leaves out the keys of secrets, where the copy is to be opened with the same keys from a setting. */
  readonly withoutKeys?: boolean | undefined;
  /** Leaves media out that are objects in an object store. Otherwise the copy shares them, so that from then on they are never removed. */
  readonly withoutObjects?: boolean | undefined;
  /** Copies shards and stores on servers as well, for a backup. Without, a world that has some is not copied. */
  readonly forBackup?: boolean | undefined;
  /** Called at the instant that a copy of an open world is of. */
  readonly onInstant?: (() => void) | undefined;
  /**
   * Works on the copy before it appears at its place, such as {@link renewCredentials}. What it writes in directories below that of the copy, it has
   * to make durable itself.
   * @param directory that of the copy, of which no part is open
   */
  readonly prepare?: ((directory: string) => Promise<void>) | undefined;
}

/**
 * Copies an open world, which goes on serving: all of the copy is of one instant, at which no write was under way in any store.
 * @param target a directory that is not there yet, best on the same file system: media are then shared, and blocks of stores where the
 * file system can. Its parent is made if it is missing.
 * @throws CopyTargetError, RemoteStoreError, the error of the file system or of `prepare`: then there is no copy
 */
export async function copyWorld(world: World, target: string, options: CopyOptions = {}): Promise<void> {
  await world.keepOpen(() =>
    appear(target, options, async (directory) => {
      const { databases, shards, secretKeys, media, ...source } = world.beginCopy(directory, {
        withObjects: !options.withoutObjects,
        forBackup: options.forBackup === true,
      });
      const parts = [...source.parts, ...(media ? [media] : [])];
      try {
        for (const part of parts) await part.before();
        const look = () => {
          options.onInstant?.();
          return lookAt(parts);
        };
        await atInstant(databases, look, shards);
        await Promise.all(parts.map((part) => part.after()));
      } finally {
        for (const part of parts) part.end();
      }
      // The keys may be given by a setting: a copy has to be usable where that is not.
      const keys = secretKeys.map((key) => `${Buffer.from(key).toString('base64')}\n`);
      if (!options.withoutKeys) await writeWhole(path.join(directory, dataNames.secretKey), keys.join(''));
      const { credentials } = dataNames;
      await copyIfThere(path.join(world.dataDirectory, credentials), path.join(directory, credentials));
    }),
  );
}

/**
 * Copies the directory of a world that no process has open, such as a snapshot.
 * @throws as {@link copyWorld}
 */
export async function copyClosedWorld(source: string, target: string, options: CopyOptions = {}): Promise<void> {
  if (!existsSync(source)) throw new Error(`There is no world in ${source}.`);
  await appear(target, options, async (directory) => {
    await Promise.all(PLAIN_FILES.map((name) => copyIfThere(path.join(source, name), path.join(directory, name))));
    const parts = [
      new MembersCopy(path.join(source, dataNames.members), path.join(directory, dataNames.members)),
      DiskBlobStore.copyOf(path.join(source, dataNames.media), path.join(directory, dataNames.media)),
    ];
    try {
      for (const part of parts) await part.before();
      await lookAt(parts);
      for (const part of parts) await part.after();
    } finally {
      for (const part of parts) part.end();
    }
    // Otherwise the bytes of media are objects elsewhere.
    if (options.withoutObjects || existsSync(path.join(source, dataNames.media, 'blobs'))) return;
    markShared(path.join(source, dataNames.media));
    markShared(path.join(directory, dataNames.media));
  });
}

/** Returns whether a directory is a copy that is being made, or that an earlier process has begun, by its name. */
export function isUnfinishedCopy(name: string): boolean {
  return name.startsWith(MAKING);
}

/** Has a directory made beside its place, and puts it there when it is on disk. What `make` puts into directories below it has to be on disk already. */
export async function appear(
  target: string,
  { prepare }: CopyOptions,
  make: (directory: string) => Promise<void>,
): Promise<void> {
  const place = path.resolve(target);
  const parent = path.dirname(place);
  await makeDurable(parent);
  if (existsSync(place)) throw new CopyTargetError(target);
  const directory = path.join(parent, `${MAKING}${path.basename(place)}-${randomText(systemRandom, 8)}`);
  try {
    await mkdir(directory, { mode: 0o700 });
    await make(directory);
    await prepare?.(directory);
    await syncAll(directory);
    if (existsSync(place)) throw new CopyTargetError(target);
    await rename(directory, place);
    await syncNames(parent);
  } catch (error) {
    await rm(directory, { recursive: true, force: true }).catch(() => {});
    throw error;
  }
}
