/** The used nonces of a registry in memory, in two generations: those of the two files of its log. */
import type { NonceRecord } from './nonce-file.ts';
import { TimeRanges } from './time-ranges.ts';

/** Times of dropped nonces are noted by the minute, in few ranges. */
const GRAIN_SECONDS = 60;

/** The nonces of one generation. */
interface Generation {
  /** Digest to timestamp. */
  readonly used: Map<string, number>;
  readonly seen: SeenBits;
  readonly times: TimeRanges;
  /** When the last one was added, in elapsed milliseconds. */
  latest_ms: number;
}

function emptyGeneration(): Generation {
  return { used: new Map(), seen: new SeenBits(), times: new TimeRanges(), latest_ms: Number.NEGATIVE_INFINITY };
}

/** See the top of this file. */
export class UsedNonces {
  #older = emptyGeneration();
  #newer = emptyGeneration();

  get size(): number {
    return this.#older.used.size + this.#newer.used.size;
  }

  /** The number in the newer generation. */
  get newerSize(): number {
    return this.#newer.used.size;
  }

  has(digest: string): boolean {
    return isIn(this.#newer, digest) || isIn(this.#older, digest);
  }

  /**
   * Adds to the newer generation, or to the older one.
   * @param elapsed_ms when it was used, in milliseconds since some instant
   */
  add(timestamp: number, digest: string, elapsed_ms: number, toOlder = false): void {
    const generation = toOlder ? this.#older : this.#newer;
    generation.used.set(digest, timestamp);
    generation.seen.add(digest);
    generation.latest_ms = Math.max(generation.latest_ms, elapsed_ms);
    if (!generation.times.has(timestamp)) generation.times.add(...minuteOf(timestamp));
  }

  delete(digest: string): void {
    this.#newer.used.delete(digest);
  }

  /** The digests with timestamps in a range. */
  *digestsOf(from: number, to: number): Generator<string> {
    for (const { used, times } of [this.#older, this.#newer]) {
      if (!times.overlaps(from, to)) continue;
      for (const [digest, timestamp] of used) if (timestamp >= from && timestamp <= to) yield digest;
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
    for (const [digest, timestamp] of this.#older.used) {
      if (timestamp > after && kept.length < most) kept.push([timestamp, digest]);
      else if (!dropped.has(timestamp)) dropped.add(...minuteOf(timestamp));
    }
    return { kept, dropped };
  }

  /** Drops the older generation, and begins a newer one with these nonces. */
  turn(kept: readonly NonceRecord[], elapsed_ms: number): void {
    this.#older = this.#newer;
    this.#newer = emptyGeneration();
    for (const [timestamp, digest] of kept) this.add(timestamp, digest, elapsed_ms);
  }
}

function isIn({ used, seen }: Generation, digest: string): boolean {
  return seen.mayHave(digest) && used.has(digest);
}

/** Bits that are told apart: 128 KB for each generation. */
const BITS = 2 ** 20;

/**
 * A bit for each digest, which tells of most new ones that they are new. Nearly all are, and a search in a large map that finds
 * nothing takes several misses of the processor's caches.
 */
class SeenBits {
  readonly #words = new Int32Array(BITS / 32);

  mayHave(digest: string): boolean {
    const bit = bitOf(digest);
    return ((this.#words[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0;
  }

  add(digest: string): void {
    const bit = bitOf(digest);
    this.#words[bit >>> 5] = (this.#words[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }
}

/** A number below {@link BITS} of the last five characters of a digest: of base64url, whose lowest five bits nearly tell all. */
function bitOf(digest: string): number {
  let value = 0;
  for (let at = digest.length - 5; at < digest.length; at++) value = Math.imul(value, 43) + digest.charCodeAt(at);
  return value & (BITS - 1);
}

function minuteOf(timestamp: number): [from: number, to: number] {
  const from = Math.floor(timestamp / GRAIN_SECONDS) * GRAIN_SECONDS;
  return [from, from + GRAIN_SECONDS - 1];
}
