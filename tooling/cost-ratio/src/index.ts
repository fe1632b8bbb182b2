/** Tests that compare times, on machines of any speed and with any other work. */

/** Work that is measured, finished when its promise resolves. */
export type Work = () => unknown;

const MIN_RUNS = 3;
const MAX_RUNS = 60;

/**
 * The cost of work as a multiple of a reference in the same process: the least time of each over several runs, which alternate.
 * Other work of the machine only adds to a time, so while the ratio is not below `limit`, more runs are made, 60 at most. Both
 * should run once before, if the first run is slower than others.
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
