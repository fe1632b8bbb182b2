/** For tests that compare costs, on machines of any speed and under any load. */

/** Work to measure, finished when its promise resolves. */
export type Work = () => unknown;

const MIN_RUNS = 3;
const MAX_RUNS = 60;

/**
 * Returns the cost of work as a multiple of a reference in the same process: the minimum processor time of each over
 * several alternating runs, that of all threads of the process. Other load on the machine adds little to it, and never takes
 * from it, so while the ratio is not below `limit`, more runs are made, at most 60. Both should run once before, if the first
 * run is slower than others.
 */
export async function costRatio(work: Work, reference: Work, limit: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  let leastReference = Number.POSITIVE_INFINITY;
  for (let run = 0; run < MAX_RUNS; run++) {
    leastReference = Math.min(leastReference, await timeOf(reference));
    least = Math.min(least, await timeOf(work));
    if (run + 1 >= MIN_RUNS && least / leastReference < limit) break;
  }
  return least / leastReference;
}

/** Returns the processor time of one run in microseconds, at least one. */
async function timeOf(work: Work): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return Math.max(user + system, 1);
}
