/** Creates worlds for tests, each as a copy of one that was started before. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureDemo, ManualClock, type Random, World, wallClock } from '@broadside/server';
import { HeldClock, TestClock } from './clocks.ts';
import {
  type CreateWorldOptions,
  credentialsIn,
  DEFAULT_NOW,
  type Fixed,
  open,
  startListening,
  type Urls,
  urlsOf,
} from './open-world.ts';
import { unpackSnapshot } from './packed-world.ts';
import { furnish } from './prepared.ts';
import { TestWorld, worldFrom } from './world.ts';
import { WorldSnapshot } from './world-copies.ts';

/** That of worlds which are not given another. */
const USUAL_SEED = 'broadside';

/** Creates a world with a demo user and an account in each environment. Close it, or declare it with `await using`. */
export async function createWorld(options: CreateWorldOptions = {}): Promise<TestWorld> {
  const { listen, seed = USUAL_SEED } = options;
  const runs = Boolean(listen);
  const urls = urlsOf(options);
  // What programs see of the time at which the demo was made is the same for each listening world, so that one can be copied.
  const made = options.now ?? DEFAULT_NOW;
  const begin = (place: string) =>
    furnish(place, { now: made, seed, urls }, (at, source) => makeDemo(at, source, made, urls));
  const now = runs ? (options.now ?? wallClock.now()) : made;
  const directory = temporaryDirectory('world');
  try {
    const random = await begin(directory);
    const fixed: Fixed = {
      options,
      urls: { ...urls },
      directory,
      clock: new TestClock(now, { runs }),
      wallClock: new HeldClock(runs ? wallClock.now() : now, { runs }),
      seed,
      random,
      restarts: 0,
      failures: [],
    };
    const opened = await open(fixed);
    if (listen) await startListening(fixed, opened, listen === true ? {} : listen);
    return new TestWorld(fixed, opened, await credentialsIn(opened, fixed), async () => {
      const place = temporaryDirectory('snapshot');
      const { position } = await begin(place);
      return new WorldSnapshot(place, now, position);
    });
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

/** Options of {@link importWorld}. */
export type ImportWorldOptions = Omit<CreateWorldOptions, 'now'>;

/**
 * Makes a world of a file that a world has exported, in process or of a server. It has the credentials and the time that the file has; what is
 * made in it gets ids that follow from the file and the seed.
 * @throws PackError for a file that is none, is damaged or of a newer version; TypeError for a world that was made without a demo
 */
export async function importWorld(file: Uint8Array, options: ImportWorldOptions = {}): Promise<TestWorld> {
  const { snapshot, digest } = await unpackSnapshot(file);
  const seed = `${options.seed ?? USUAL_SEED}\nimported\n${digest}`;
  const clients = options.listen ? wallClock : new ManualClock(snapshot.now);
  return worldFrom(snapshot, { options, seed, wallClock: clients }, [snapshot]);
}

function temporaryDirectory(what: string): string {
  return mkdtempSync(path.join(tmpdir(), `broadside-${what}-`));
}

async function makeDemo(dataDirectory: string, random: Random, now: number, urls: Urls): Promise<void> {
  const world = await World.open({
    dataDirectory,
    clock: new ManualClock(now),
    wallClock: new ManualClock(now),
    random,
    frugal: true,
  });
  try {
    await ensureDemo(world, urls);
  } finally {
    await world.close();
  }
}
