/** Times below which a share of all lie, in milliseconds. */
export interface Percentiles {
  readonly p50_ms: number;
  readonly p99_ms: number;
}

/** Returns the percentiles of times in milliseconds. */
export function percentiles(times: readonly number[]): Percentiles {
  const sorted = [...times].sort((a, b) => a - b);
  const share = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return { p50_ms: share(0.5), p99_ms: share(0.99) };
}
