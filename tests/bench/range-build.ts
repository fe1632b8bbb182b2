/** What building the index of a part of the people takes, against that of everybody. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { AudienceStore } from '../../apps/server/src/audience/audience-store.ts';
import { RANGES, type Ranges, rangesOf } from '../../apps/server/src/audience/ranges.ts';
import { openDatabase } from '../../apps/server/src/db/open-database.ts';
import { wallClock } from '../../apps/server/src/world/clock.ts';

/** Of the ranges, which are measured. */
const PARTS = [1, 1 / 2, 1 / 4, 1 / 8, 1 / 64] as const;
const ROUNDS = 3;

/** The build of a part. */
export interface RangeBuild {
  /** Share of the ranges. */
  readonly part: number;
  /** Processor time, the least of some rounds. */
  readonly cpu_ms: number;
}

/** Builds the index of parts of a platform. */
export async function measureRangeBuilds(directory: string): Promise<RangeBuild[]> {
  const database = await openDatabase(pathToFileURL(path.join(directory, 'platform.db')).href);
  try {
    const builds = PARTS.map((part) => ({ part, cpu_ms: Number.POSITIVE_INFINITY }));
    for (let round = 0; round < ROUNDS; round++) {
      for (const build of builds) {
        const reads: Ranges = rangesOf(Array.from({ length: RANGES * build.part }, (_, range) => range));
        const share = { takes: reads, reads };
        const store = new AudienceStore({ database, clock: wallClock, key: 'bench', share });
        const before = process.cpuUsage();
        await store.prepare();
        const { user, system } = process.cpuUsage(before);
        build.cpu_ms = Math.min(build.cpu_ms, (user + system) / 1000);
        await store.close();
      }
    }
    return builds;
  } finally {
    await database.close();
  }
}
