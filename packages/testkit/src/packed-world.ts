/** Worlds in process as files, of the form that servers export and import. */
import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { copyWorld, packWorld, unpackWorld, World } from '@broadside/server';
import type { Fixed, Opened } from './open-world.ts';
import { freshDirectory, WorldSnapshot } from './world-copies.ts';

/** Packs an open world. */
export async function packOpenWorld({ clock }: Fixed, { platform }: Opened): Promise<Uint8Array> {
  const directory = freshDirectory('export');
  try {
    await copyWorld(platform, directory);
    const now = clock.now();
    // The stores know nothing of a clock that a test holds.
    const copy = await World.open({ dataDirectory: directory, startsAt: now, frugal: true });
    try {
      // An imported world has a time in its stores, and may have gone on since.
      const later = copy.clock.now() === now ? {} : { now: new Date(now).toISOString() };
      await copy.time.set({ frozen: clock.isFrozen, ...later });
    } finally {
      await copy.close();
    }
    const { stream } = await packWorld(directory);
    return await buffer(stream);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A world that was packed, as a snapshot to begin with. */
export interface Unpacked {
  readonly snapshot: WorldSnapshot;
  /** Differs with the content, so that ids of what follows can differ from those that are taken. */
  readonly digest: string;
}

/**
 * Unpacks a world.
 * @throws PackError for what is none, or damaged; TypeError for one that was made without a demo, as whose user a test could sign
 */
export async function unpackSnapshot(file: Uint8Array): Promise<Unpacked> {
  const directory = freshDirectory('snapshot');
  try {
    await unpackWorld(piecesOf(file), directory);
    if (!existsSync(path.join(directory, 'credentials.json')))
      throw new TypeError('a world of the testkit has a demo, and that of the file has none');
    const world = await World.open({ dataDirectory: directory, frugal: true });
    const now = world.clock.now();
    await world.close();
    return { snapshot: new WorldSnapshot(directory, now, 0), digest: createHash('sha256').update(file).digest('hex') };
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

async function* piecesOf(file: Uint8Array): AsyncGenerator<Uint8Array> {
  yield file;
}
