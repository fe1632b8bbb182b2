/** Sets of timestamps as a few ranges: which were used, and which are no longer accepted. */

/** Seconds since the epoch, both ends included. */
export type TimeRange = readonly [from: number, to: number];

/** Ranges that a set keeps apart. Beyond that the two with the least between them become one. */
export const MAX_RANGES = 32;

/** A set of timestamps. It never loses one; with many ranges it gains those between two of them. */
export class TimeRanges {
  /** In order, disjoint, with at least one second between two of them. */
  #ranges: TimeRange[] = [];

  constructor(ranges: Iterable<TimeRange> = []) {
    this.addAll(ranges);
  }

  /** The ranges in order, for writing them down. */
  get ranges(): readonly TimeRange[] {
    return this.#ranges;
  }

  has(timestamp: number): boolean {
    // The latest is what nearly all requests ask for.
    for (let index = this.#ranges.length - 1; index >= 0; index -= 1) {
      const range = this.#ranges[index];
      if (range !== undefined && timestamp >= range[0]) return timestamp <= range[1];
    }
    return false;
  }

  /** Returns whether any timestamp of the range is in the set. */
  overlaps(from: number, to: number): boolean {
    return this.#ranges.some((range) => range[0] <= to && range[1] >= from);
  }

  add(from: number, to: number): void {
    let [low, high] = [from, to];
    const apart: TimeRange[] = [];
    for (const range of this.#ranges) {
      if (range[1] < low - 1 || range[0] > high + 1) apart.push(range);
      else [low, high] = [Math.min(low, range[0]), Math.max(high, range[1])];
    }
    apart.push([low, high]);
    apart.sort(([a], [b]) => a - b);
    this.#ranges = apart;
    if (apart.length > MAX_RANGES) this.#joinNearest();
  }

  addAll(ranges: Iterable<TimeRange>): void {
    for (const [from, to] of ranges) this.add(from, to);
  }

  #joinNearest(): void {
    let nearest: TimeRange | undefined;
    let gap = Number.POSITIVE_INFINITY;
    for (const [index, range] of this.#ranges.entries()) {
      const next = this.#ranges[index + 1];
      if (next === undefined || next[0] - range[1] >= gap) continue;
      gap = next[0] - range[1];
      nearest = [range[1], next[0]];
    }
    if (nearest !== undefined) this.add(...nearest);
  }
}
