/** Creates worlds for tests, each as a copy of one that was started before. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureDemo, ManualClock, type Random, World, wallClock } from '@broadside/server';
import {
  type CreateWorldOptions,
  credentialsIn,
  DEFAULT_NOW,
  type Fixed,
  open,
  RunningClock,
  startListening,
  type Urls,
  urlsOf,
} from './open-world.ts';
import { furnish } from './prepared.ts';
import { TestWorld } from './world.ts';

/** Creates a world with a demo user and an account in each environment. Close it, or declare it with `await using`. */
export async function createWorld(options: CreateWorldOptions = {}): Promise<TestWorld> {
  const { listen } = options;
  const now = options.now ?? (listen ? wallClock.now() : DEFAULT_NOW);
  // What programs see of the time at which the demo was made is the same for each listening world, so that one can be copied.
  const made = options.now ?? DEFAULT_NOW;
  const urls = urlsOf(options);
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-world-'));
  try {
    const seed = options.seed ?? 'broadside';
    const recipe = { now: made, seed, urls };
    const random = await furnish(directory, recipe, (place, source) => makeDemo(place, source, made, urls));
    const Clock = listen ? RunningClock : ManualClock;
    const fixed: Fixed = {
      options,
      urls: { ...urls },
      directory,
      clock: new Clock(now),
      wallClock: new Clock(listen ? wallClock.now() : now),
      seed,
      random,
      restarts: 0,
      failures: [],
    };
    const opened = await open(fixed);
    if (listen) await startListening(fixed, opened, listen === true ? {} : listen);
    return new TestWorld(fixed, opened, await credentialsIn(opened, fixed));
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
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
