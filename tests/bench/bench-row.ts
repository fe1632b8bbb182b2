/** The report of a bench: one row for each subject. */

/** One side of a comparison: a server under load. */
export interface Side {
  /** Processor time of the whole process for one request, in microseconds: the median of the rounds. */
  readonly cpu_us: number;
  readonly requests_per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Resident memory of the process after the last round, in MB. */
  readonly memory_mb: number;
}

/** A row of the report. */
export interface BenchRow {
  readonly name: string;
  /** The quality by `ratio_of`: more is better. The median of the rounds; null where there is nothing to compare with. */
  readonly ratio: number | null;
  /** The two figures that are divided. */
  readonly ratio_of: string | null;
  /** The least ratio that is good enough; null where none was set. */
  readonly aim: number | null;
  /** What half of the ratios of the rounds lie between. */
  readonly spread: readonly [low: number, high: number] | null;
  readonly cpu_us: number | null;
  readonly requests_per_second: number | null;
  readonly p50_ms: number | null;
  readonly p99_ms: number | null;
  /** Resident memory of the server after the last round, in MB. */
  readonly memory_mb: number | null;
  /** The other side. */
  readonly other: Side | null;
  /** Processor time of a server that sends the same bytes from memory, in microseconds. */
  readonly floor_cpu_us: number | null;
  /** Further figures, for people. */
  readonly notes: string | null;
}

const nothing = {
  ratio: null,
  ratio_of: null,
  aim: null,
  spread: null,
  cpu_us: null,
  requests_per_second: null,
  p50_ms: null,
  p99_ms: null,
  memory_mb: null,
  other: null,
  floor_cpu_us: null,
  notes: null,
} as const satisfies Omit<BenchRow, 'name'>;

/** Makes a row of what is known. */
export function benchRow(known: Pick<BenchRow, 'name'> & Partial<BenchRow>): BenchRow {
  return { ...nothing, ...known };
}

/** Returns whether a row misses its aim. */
export function misses({ ratio, aim }: BenchRow): boolean {
  return ratio !== null && aim !== null && ratio < aim;
}
