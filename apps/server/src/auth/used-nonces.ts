/** The used nonces of a registry in memory, in two generations: those of the two files of its log. */
import { DigestTable } from './digest-table.ts';
import type { NonceRecord } from './nonce-file.ts';
import { TimeRanges } from './time-ranges.ts';

/** Times of dropped nonces are noted by the minute, in few ranges. */
const GRAIN_SECONDS = 60;

/** The nonces of one generation. */
interface Generation {
  readonly used: DigestTable;
  readonly times: TimeRanges;
  /** When the last one was added, in elapsed milliseconds. */
  latest_ms: number;
}

function emptyGeneration(seed: number): Generation {
  return { used: new DigestTable(seed), times: new TimeRanges(), latest_ms: Number.NEGATIVE_INFINITY };
}

/** See the top of this file. */
export class UsedNonces {
  readonly #seed: number;
  #older: Generation;
  #newer: Generation;

  /** @param seed makes the places of nonces unpredictable */
  constructor(seed: number) {
    this.#seed = seed;
    this.#older = emptyGeneration(seed);
    this.#newer = emptyGeneration(seed);
  }

  get size(): number {
    return this.#older.used.size + this.#newer.used.size;
  }

  /** The number in the newer generation. */
  get newerSize(): number {
    return this.#newer.used.size;
  }

  has(digest: string): boolean {
    return this.#newer.used.has(digest) || this.#older.used.has(digest);
  }

  /**
   * Adds to the newer generation, or to the older one.
   * @param elapsed_ms when it was used, in milliseconds since some instant
   */
  add(timestamp: number, digest: string, elapsed_ms: number, toOlder = false): void {
    const generation = toOlder ? this.#older : this.#newer;
    generation.used.add(timestamp, digest);
    if (elapsed_ms > generation.latest_ms) generation.latest_ms = elapsed_ms;
    if (!generation.times.has(timestamp)) generation.times.add(...minuteOf(timestamp));
  }

  delete(digest: string): void {
    this.#newer.used.delete(digest);
  }

  /** The digests with timestamps in a range. */
  *digestsOf(from: number, to: number): Generator<string> {
    for (const { used, times } of [this.#older, this.#newer]) {
      if (!times.overlaps(from, to)) continue;
      for (const [timestamp, digest] of used.entries()) if (timestamp >= from && timestamp <= to) yield digest;
    }
  }

  /** Returns whether the older generation has no timestamp in this range, and got its last nonce by this time. */
  isOlderPast(from: number, to: number, elapsed_ms: number): boolean {
    return this.#older.latest_ms <= elapsed_ms && !this.#older.times.overlaps(from, to);
  }

  /**
   * The older generation in two parts: what is after a time, up to a number, and the times of all others.
   */
  split(after: number, most: number): { readonly kept: readonly NonceRecord[]; readonly dropped: TimeRanges } {
    const kept: NonceRecord[] = [];
    const dropped = new TimeRanges();
    for (const [timestamp, digest] of this.#older.used.entries()) {
      if (timestamp > after && kept.length < most) kept.push([timestamp, digest]);
      else if (!dropped.has(timestamp)) dropped.add(...minuteOf(timestamp));
    }
    return { kept, dropped };
  }

  /** Drops the older generation, and begins a newer one with these nonces. */
  turn(kept: readonly NonceRecord[], elapsed_ms: number): void {
    this.#older = this.#newer;
    this.#newer = emptyGeneration(this.#seed);
    for (const [timestamp, digest] of kept) this.add(timestamp, digest, elapsed_ms);
  }
}

function minuteOf(timestamp: number): [from: number, to: number] {
  const from = Math.floor(timestamp / GRAIN_SECONDS) * GRAIN_SECONDS;
  return [from, from + GRAIN_SECONDS - 1];
}
