/** Copies of worlds in process: snapshots, and worlds that begin with one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Clock, copyClosedWorld, copyWorld, SeededRandom } from '@broadside/server';
import { HeldClock, TestClock } from './clocks.ts';
import type { TakenSnapshot } from './controlled-world.ts';
import { type Fixed, type Opened, urlsOf } from './open-world.ts';

/** The state of a world at one moment, on disk until the world that took it is closed. */
export class WorldSnapshot implements TakenSnapshot {
  readonly id: string;
  readonly name: string;
  readonly directory: string;
  /** The world's time, in milliseconds since the epoch. */
  readonly now: number;
  /** Where the source of ids and secrets stood. */
  readonly position: number;

  constructor(directory: string, now: number, position: number, name?: string) {
    this.id = path.basename(directory);
    this.name = name ?? this.id;
    this.directory = directory;
    this.now = now;
    this.position = position;
  }
}

/** Takes a snapshot of an open world. */
export async function takeSnapshot(
  { clock, random }: Fixed,
  { platform }: Opened,
  name?: string,
): Promise<WorldSnapshot> {
  const directory = freshDirectory('snapshot');
  await copyWorld(platform, directory);
  return new WorldSnapshot(directory, clock.now(), random.position, name);
}

/** Worlds that begin with a snapshot which no test knows, besides the first. */
const holders = new WeakMap<WorldSnapshot, number>();

/** Keeps a snapshot until {@link removeSnapshot} was called once more. */
export function holdSnapshot(snapshot: WorldSnapshot): WorldSnapshot {
  holders.set(snapshot, (holders.get(snapshot) ?? 0) + 1);
  return snapshot;
}

/** Removes a snapshot from disk, unless another world holds it. */
export function removeSnapshot(snapshot: WorldSnapshot): void {
  const others = holders.get(snapshot) ?? 0;
  if (others > 0) holders.set(snapshot, others - 1);
  else rmSync(snapshot.directory, { recursive: true, force: true });
}

/** The state of a world by which it is seen whether it has changed since: what was written, the time, and the source of ids. */
interface Seen {
  readonly opened: Opened;
  readonly written: readonly Int32Array[];
  readonly now: number;
  readonly position: number;
}

/** A snapshot of a world as it is now, taken once for all forks that are made until the world changes: they cost one copy each. */
export class PresentSnapshot {
  #taken: { readonly snapshot: WorldSnapshot; readonly seen: Seen } | undefined;

  /** Takes the snapshot, or finds the one that is still right. */
  async take(fixed: Fixed, opened: Opened): Promise<WorldSnapshot> {
    const seen = seenOf(fixed, opened);
    if (this.#taken && isSame(this.#taken.seen, seen)) return this.#taken.snapshot;
    this.remove();
    const snapshot = await takeSnapshot(fixed, opened);
    // What was written meanwhile is in the copy or not, so the state before is none that could be found again.
    this.#taken = { snapshot, seen };
    return snapshot;
  }

  /** Leaves the snapshot to the forks that began with it. */
  remove(): void {
    if (this.#taken) removeSnapshot(this.#taken.snapshot);
    this.#taken = undefined;
  }
}

function seenOf({ clock, random }: Fixed, opened: Opened): Seen {
  return { opened, written: opened.platform.stores.written, now: clock.now(), position: random.position };
}

function isSame(one: Seen, other: Seen): boolean {
  if (one.opened !== other.opened || one.now !== other.now || one.position !== other.position) return false;
  return isDeepStrictEqual(one.written, other.written);
}

/** The parts of a world that begins with a snapshot, in a directory of its own. Its time for clients is that of the other world. */
export async function beginWith(
  snapshot: WorldSnapshot,
  { options, wallClock, seed }: Pick<Fixed, 'options' | 'seed'> & { readonly wallClock: Clock },
): Promise<Fixed> {
  const directory = freshDirectory('world');
  await copyClosedWorld(snapshot.directory, directory);
  const runs = Boolean(options.listen);
  return {
    options,
    urls: { ...urlsOf(options) },
    directory,
    clock: new TestClock(snapshot.now, { runs }),
    wallClock: new HeldClock(wallClock.now(), { runs }),
    seed,
    random: new SeededRandom(seed, snapshot.position),
    restarts: 0,
    failures: [],
  };
}

/** Puts the state of a snapshot into the directory of a closed world, whose time goes back with it. That for clients does not. */
export async function putBack(snapshot: WorldSnapshot, fixed: Fixed): Promise<Fixed> {
  rmSync(fixed.directory, { recursive: true, force: true });
  await copyClosedWorld(snapshot.directory, fixed.directory);
  fixed.clock.step(snapshot.now - fixed.clock.now());
  return { ...fixed, random: new SeededRandom(fixed.seed, snapshot.position), restarts: 0 };
}

/** A directory that nobody else takes, and that is not there yet: copies are made beside their place. */
export function freshDirectory(what: string): string {
  const directory = mkdtempSync(path.join(tmpdir(), `broadside-${what}-`));
  rmSync(directory, { recursive: true });
  return directory;
}
