/** The worlds of a data directory as a backup takes them: each a copy of one instant. */
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ShardFile } from '../config/shard-files.ts';
import { copyIfThere, copyWhole } from '../copies/copy-file.ts';
import { type CopyOptions, copyClosedWorld, copyWorld } from '../copies/copy-world.ts';
import { WriteAbortedError } from '../db/errors.ts';
import type { BlobStore } from '../media/blobs/blob-store.ts';
import { fileOfShard } from '../world/store-locations.ts';
import type { World } from '../world/world.ts';
import { BackupError } from './manifest.ts';
import type { SecretFiles } from './sealed.ts';

/** A copy is tried so often. */
const ATTEMPTS = 3;
const NO_INSTANT =
  'The stores could not be held for an instant, as they are busy or do not respond. Try again when less is written.';

/** A world that is to be backed up. */
export interface WorldSource {
  /** In the data directory; empty for the default world. */
  readonly path: string;
  /**
   * Copies the world and works on the copy, which is gone afterwards.
   * @param target a directory that is not there yet
   * @param work gets the store of media that are objects, which stay until it has ended; `undefined` where they are files of the copy
   */
  copied(target: string, work: (objects: Pick<BlobStore, 'open' | 'size'> | undefined) => Promise<void>): Promise<void>;
}

/** Files that say what a directory is, which copies of worlds do not have. */
const SAYING = ['world.json', 'snapshot.json'];

/** An open world, which goes on serving. */
export function openSource(place: string, directory: string, world: World): WorldSource {
  return {
    path: place,
    async copied(target, work) {
      const release = world.blobs.hold?.();
      const releaseAll = await world.media.held.hold();
      try {
        const options = {
          withoutObjects: true,
          forBackup: true,
          prepare: (made: string) => copySayings(directory, made),
        };
        await steadily(() => copyWorld(world, target, options));
        await work(release ? world.blobs : undefined);
      } finally {
        await releaseAll();
        await release?.();
      }
    },
  };
}

/**
 * A world that no process has open, such as a snapshot.
 * @param objects the store of its media, where they are objects: nobody removes any meanwhile
 * @param shards files of its shards
 */
export function closedSource(
  place: string,
  directory: string,
  objects: BlobStore | undefined,
  shards: readonly ShardFile[] = [],
): WorldSource {
  return {
    path: place,
    async copied(target, work) {
      const prepare = async (made: string) => {
        await copySayings(directory, made);
        for (const { environment, name, file } of shards) {
          const to = path.join(made, fileOfShard(environment, name));
          await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
          for (const end of ['', '-wal']) await copyIfThere(`${file}${end}`, `${to}${end}`);
        }
      };
      const options: CopyOptions = { withoutObjects: true, prepare };
      await copyClosedWorld(directory, target, options);
      await work(existsSync(path.join(target, 'media', 'blobs')) ? undefined : objects);
    },
  };
}

async function copySayings(from: string, to: string): Promise<void> {
  const found = SAYING.filter((name) => existsSync(path.join(from, name)));
  for (const name of found) await copyWhole(path.join(from, name), path.join(to, name));
  if (!existsSync(path.join(from, 'media', 'shared'))) return;
  await mkdir(path.join(to, 'media'), { recursive: true, mode: 0o700 });
  await copyWhole(path.join(from, 'media', 'shared'), path.join(to, 'media', 'shared'));
}

/** Reads the secrets of a place, by their path in the data directory. @param place that of a world, or empty */
export async function readSecrets(directory: string, place: string, names: readonly string[]): Promise<SecretFiles> {
  const found = names.filter((name) => existsSync(path.join(directory, name)));
  const read = found.map(
    async (name) => [path.posix.join(place, name), await readFile(path.join(directory, name), 'utf8')] as const,
  );
  return Object.fromEntries(await Promise.all(read));
}

/** Repeats a copy that had no instant: a server of a store has given the turn to write to another one, because that waited for too long. */
async function steadily(copy: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await copy();
    } catch (error) {
      if (!(error instanceof WriteAbortedError)) throw error;
      if (attempt === ATTEMPTS) throw new BackupError(NO_INSTANT);
    }
  }
}
