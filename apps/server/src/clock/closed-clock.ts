/** The clock in the directory of a world that is not open. */
import path from 'node:path';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';
import { fileOf } from '../world/store-locations.ts';
import { AS_MACHINE } from './clock-row.ts';
import { putTime, readTime, skipRest } from './store.ts';

/**
 * Has the clock go on from where it was, if it was ever set.
 * @param rested_ms the time of the machine since
 */
export async function skipRestOf(directory: string, rested_ms: number): Promise<void> {
  await inStore(directory, async (database) => {
    // Nothing is written into a world whose clock is the machine's.
    if (await readTime(database)) await skipRest(database, rested_ms);
  });
}

/**
 * Has the clock stand until it is set.
 * @param wall_ms the time of the machine at which it is to stand
 * @param world_ms its time then, where that is known; by default it follows from what is stored
 */
export async function standStill(directory: string, wall_ms: number, world_ms?: number): Promise<void> {
  await inStore(directory, async (database) => {
    const stored = await readTime(database);
    const { rate, frozen, limits } = stored ?? AS_MACHINE;
    const passed_ms = stored === undefined || frozen ? 0 : Math.max(0, wall_ms - stored.wall_ms) * rate;
    const stands_ms = world_ms ?? (stored?.world_ms ?? wall_ms) + Math.floor(passed_ms);
    await database.write((writer) => putTime(writer, { world_ms: stands_ms, wall_ms, rate, frozen: true, limits }));
  });
}

async function inStore(directory: string, work: (database: Database) => Promise<void>): Promise<void> {
  const database = await openDatabase(path.join(directory, fileOf('platform')));
  try {
    await work(database);
  } finally {
    await database.close();
  }
}
