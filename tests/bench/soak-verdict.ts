/**
 * When a soak has failed. Memory has grown when two things are true of its readings after the warm-up: the robust slope
 * (Theil and Sen: the median of the slopes between all pairs) adds up to more than an allowance over the time that it spans,
 * and the readings rise more often than chance would have them rise (Mann and Kendall, one-sided, at 1 %). One reading that is
 * out of line moves neither, and noise without a trend does not pass the second.
 */

/** A reading at a moment of the soak: bytes of memory, or how many there are of something. */
export interface Reading {
  readonly seconds: number;
  readonly value: number;
}

/** Bounded growth that is allowed in a series: 5 % of it, or these bytes where that is more. */
export const allowances = { heap: 4 * 2 ** 20, rss: 8 * 2 ** 20 } as const;

/** Trend of the readings of a kind of memory. */
export interface Growth {
  /** Medians of the first third of all readings and of the last, in bytes. */
  readonly first: number;
  readonly last: number;
  /** Growth by the slope since the end of the warm-up, in bytes. */
  readonly growth: number;
  /** More growth than this, with a trend, is a failure. */
  readonly allowed: number;
  readonly rising: boolean;
  readonly grew: boolean;
}

/** Measurements that are judged. */
export interface Soaked {
  readonly heap: Growth;
  readonly rss: Growth;
  readonly requests: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Answers of reads and writes that were not what was asked for, with one of them. */
  readonly failures: number;
  readonly failure: string | undefined;
}

const MB = 2 ** 20;
/** Pages of the databases, compiled code and the nonces of the last minutes fill their places in this share of a soak. */
const WARM_UP = 0.2;
const ALLOWED_SHARE = 0.05;
/** The normal distribution leaves 1 % above it. */
const ONE_PERCENT = 2.326;
/** With fewer readings a trend cannot be distinguished from noise. */
export const LEAST_READINGS = 10;
const P99_TIMES = 3;

/** Judges the readings of a kind of memory, or of something else that should stay as it is. @throws RangeError when there are too few */
export function growthOf(readings: readonly Reading[], leastAllowed: number): Growth {
  if (readings.length < LEAST_READINGS) throw new RangeError(`${readings.length} readings of memory are too few`);
  const warm = readings.slice(Math.floor(readings.length * WARM_UP));
  const slopes: number[] = [];
  let rises = 0;
  for (const [index, earlier] of warm.entries()) {
    for (const later of warm.slice(index + 1)) {
      slopes.push((later.value - earlier.value) / (later.seconds - earlier.seconds));
      rises += Math.sign(later.value - earlier.value);
    }
  }
  const span = (warm.at(-1)?.seconds ?? 0) - (warm[0]?.seconds ?? 0);
  const growth = median(slopes) * span;
  const allowed = Math.max(leastAllowed, median(warm.map(({ value }) => value)) * ALLOWED_SHARE);
  const count = warm.length;
  const deviation = Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18);
  const rising = (rises - 1) / deviation > ONE_PERCENT;
  const third = Math.floor(readings.length / 3);
  return {
    first: median(readings.slice(0, third).map(({ value }) => value)),
    last: median(readings.slice(-third).map(({ value }) => value)),
    growth,
    allowed,
    rising,
    grew: rising && growth > allowed,
  };
}

/** Returns a message for each failed check; none if the soak test passed. */
export function faultsOf({ heap, rss, requests, p50_ms, p99_ms, failures, failure }: Soaked): string[] {
  const faults: string[] = [];
  if (requests === 0) faults.push('nothing was asked');
  if (failures > 0) faults.push(`${failures} answers were wrong, one with ${failure}`);
  for (const [name, { grew, growth, allowed }] of Object.entries({ heap, rss })) {
    if (grew) faults.push(`${name} grew by ${(growth / MB).toFixed(1)} MB, more than ${(allowed / MB).toFixed(1)} MB`);
  }
  // Written so that NaN fails too.
  if (!(p99_ms <= P99_TIMES * p50_ms))
    faults.push(`p99 is ${(p99_ms / p50_ms).toFixed(1)} times p50, more than ${P99_TIMES}`);
  return faults;
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which a share of the values lies; `NaN` of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
