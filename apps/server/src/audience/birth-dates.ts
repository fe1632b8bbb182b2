import type { DenseSet } from './dense-set.ts';

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(1900, 0, 1) / DAY_MS;
const SLICES = 16;
/** Words per chunk. */
const CHUNK = 2048;
const NOBODY = new Uint32Array(CHUNK);

/**
 * Dates of birth, as one bitmap for each binary digit of the day. People born in any range of days are found in one pass
 * over sixteen bitmaps, so no age buckets are built in, and nobody has to be moved from one to the
 * next on a birthday.
 */
export class BirthDates {
  readonly #slices = Array.from({ length: SLICES }, () => new BitColumn());
  readonly #known = new BitColumn();
  // Scratch space, reused by each query.
  readonly #old = new Uint32Array(CHUNK);
  readonly #older = new Uint32Array(CHUNK);
  readonly #equal = new Uint32Array(CHUNK);

  /** Sets a date of birth; `undefined` if it is unknown. */
  set(ordinal: number, date: string | undefined): void {
    const day = date === undefined ? Number.NaN : Date.parse(date) / DAY_MS - FIRST_DAY;
    const isKnown = day >= 0 && day < 1 << SLICES;
    this.#known.set(ordinal, isKnown);
    for (const [digit, slice] of this.#slices.entries()) slice.set(ordinal, isKnown && ((day >>> digit) & 1) === 1);
  }

  /** Adds to a set those who have completed at least `from` and, if it is not null, at most `to` years at a time. */
  addAgedTo({ words }: DenseSet, from: number, to: number | null, now_ms: number): void {
    const [old, older] = [this.#old, this.#older];
    const latest = dayBefore(now_ms, from) + 1;
    const earliest = to === null ? undefined : dayBefore(now_ms, to + 1) + 1;
    for (let chunk = 0; chunk * CHUNK < words.length; chunk++) {
      const known = this.#known.chunk(chunk);
      if (!known) continue;
      const part = words.subarray(chunk * CHUNK, (chunk + 1) * CHUNK);
      this.#findEarlier(old, chunk, latest);
      if (earliest === undefined) older.fill(0);
      else this.#findEarlier(older, chunk, earliest);
      for (let i = 0; i < part.length; i++) {
        part[i] = (part[i] ?? 0) | ((old[i] ?? 0) & ~(older[i] ?? 0) & (known[i] ?? 0));
      }
    }
  }

  /** Finds those of a chunk whose day is smaller, including those whose day is unknown. */
  #findEarlier(less: Uint32Array, chunk: number, day: number): void {
    const equal = this.#equal;
    const bound = Math.max(0, Math.min(day, (1 << SLICES) - 1));
    less.fill(0);
    equal.fill(0xffffffff);
    // From the most significant digit: a 0 where the bound has a 1 is smaller, if all digits before are equal.
    for (let digit = SLICES - 1; digit >= 0; digit--) {
      const slice = this.#slices[digit]?.chunk(chunk) ?? NOBODY;
      if (((bound >>> digit) & 1) === 1) keepLess(less, equal, slice);
      else keepZeros(equal, slice);
    }
  }
}

function keepLess(less: Uint32Array, equal: Uint32Array, slice: Uint32Array): void {
  for (let i = 0; i < less.length; i++) {
    const same = equal[i] ?? 0;
    const ones = slice[i] ?? 0;
    less[i] = (less[i] ?? 0) | (same & ~ones);
    equal[i] = same & ones;
  }
}

function keepZeros(equal: Uint32Array, slice: Uint32Array): void {
  for (let i = 0; i < equal.length; i++) equal[i] = (equal[i] ?? 0) & ~(slice[i] ?? 0);
}

/** Returns the day that many years before that of a time, as a number; February 28 stands for a missing February 29. */
function dayBefore(now_ms: number, years: number): number {
  const now = new Date(now_ms);
  const [year, month, day] = [now.getUTCFullYear() - years, now.getUTCMonth(), now.getUTCDate()];
  const lastOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(day, lastOfMonth)) / DAY_MS - FIRST_DAY;
}

/** A bitmap over people, growing in chunks. */
class BitColumn {
  readonly #chunks: Uint32Array[] = [];

  set(ordinal: number, on: boolean): void {
    const word = ordinal >>> 5;
    const index = Math.floor(word / CHUNK);
    const known = this.#chunks[index];
    if (!known && !on) return;
    const chunk = known ?? new Uint32Array(CHUNK);
    this.#chunks[index] = chunk;
    const bit = 1 << (ordinal & 31);
    const held = chunk[word % CHUNK] ?? 0;
    chunk[word % CHUNK] = on ? held | bit : held & ~bit;
  }

  /** Returns the words of a chunk; `undefined` if no bit of it was ever set. */
  chunk(index: number): Uint32Array | undefined {
    return this.#chunks[index];
  }
}
