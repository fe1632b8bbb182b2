/** For tests that compare durations, on machines of any speed and under any load. */

/** Work to measure, finished when its promise resolves. */
export type Work = () => unknown;

const MIN_RUNS = 3;
const MAX_RUNS = 60;

/**
 * Returns the cost of work as a multiple of a reference in the same process: the minimum time of each over several
 * alternating runs. Other load on the machine only adds to a time, so while the ratio is not below `limit`, more runs
 * are made, at most 60. Both should run once before, if the first run is slower than others.
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

async function timeOf(work: Work): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
