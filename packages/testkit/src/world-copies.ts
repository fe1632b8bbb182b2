/** Copies of worlds in process: snapshots, and worlds that begin with one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { copyClosedWorld, copyWorld, ManualClock, SeededRandom } from '@broadside/server';
import { type Fixed, type Opened, RunningClock, urlsOf } from './open-world.ts';

/** The state of a world at one moment, on disk until the world that took it is closed. */
export class WorldSnapshot {
  readonly directory: string;
  /** The world's time, in milliseconds since the epoch. */
  readonly now: number;
  /** Where the source of ids and secrets stood. */
  readonly position: number;

  constructor(directory: string, now: number, position: number) {
    this.directory = directory;
    this.now = now;
    this.position = position;
  }
}

/** Takes a snapshot of an open world. */
export async function takeSnapshot({ clock, random }: Fixed, { platform }: Opened): Promise<WorldSnapshot> {
  const directory = freshDirectory('snapshot');
  await copyWorld(platform, directory);
  return new WorldSnapshot(directory, clock.now(), random.position);
}

/** Removes a snapshot from disk. */
export function removeSnapshot({ directory }: WorldSnapshot): void {
  rmSync(directory, { recursive: true, force: true });
}

/** The parts of a world that begins with a snapshot, in a directory of its own. Its time for clients is that of the other world. */
export async function beginWith(snapshot: WorldSnapshot, { options, wallClock, seed }: Fixed): Promise<Fixed> {
  const directory = freshDirectory('world');
  await copyClosedWorld(snapshot.directory, directory);
  const Clock = options.listen ? RunningClock : ManualClock;
  return {
    options,
    urls: { ...urlsOf(options) },
    directory,
    clock: new Clock(snapshot.now),
    wallClock: new Clock(wallClock.now()),
    seed,
    random: new SeededRandom(seed, snapshot.position),
    failures: [],
  };
}

/** Puts the state of a snapshot into the directory of a closed world, whose time goes back with it. That for clients does not. */
export async function putBack(snapshot: WorldSnapshot, fixed: Fixed): Promise<Fixed> {
  rmSync(fixed.directory, { recursive: true, force: true });
  await copyClosedWorld(snapshot.directory, fixed.directory);
  fixed.clock.step(snapshot.now - fixed.clock.now());
  return { ...fixed, random: new SeededRandom(fixed.seed, snapshot.position) };
}

/** A directory that nobody else takes, and that is not there yet: copies are made beside their place. */
function freshDirectory(what: string): string {
  const directory = mkdtempSync(path.join(tmpdir(), `broadside-${what}-`));
  rmSync(directory, { recursive: true });
  return directory;
}
