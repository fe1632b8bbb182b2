import { DenseSet } from './dense-set.ts';

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(1900, 0, 1) / DAY_MS;
const SLICES = 16;
/** Words of a chunk. */
const CHUNK = 2048;
const NOBODY = new Uint32Array(CHUNK);

/**
 * Dates of birth, as one bitmap for each binary digit of the day. People born in any range of days are found in one pass
 * over sixteen bitmaps, whatever the range, so no bucket of ages is built in, and nobody has to be moved from one to the
 * next on a birthday.
 */
export class BirthDates {
  readonly #slices = Array.from({ length: SLICES }, () => new BitColumn());
  readonly #known = new BitColumn();

  /** Sets when somebody was born; `undefined` for a date that is not known. */
  set(ordinal: number, date: string | undefined): void {
    const day = date === undefined ? Number.NaN : Date.parse(date) / DAY_MS - FIRST_DAY;
    const isKnown = day >= 0 && day < 1 << SLICES;
    this.#known.set(ordinal, isKnown);
    for (const [digit, slice] of this.#slices.entries()) slice.set(ordinal, isKnown && ((day >>> digit) & 1) === 1);
  }

  /** People who have completed `from` years at a time, and at most `to`, if that is not null. */
  aged(from: number, to: number | null, now_ms: number, size: number): DenseSet {
    const found = this.#earlierThan(dayBefore(now_ms, from) + 1, size);
    if (to !== null) found.subtract(this.#earlierThan(dayBefore(now_ms, to + 1) + 1, size));
    found.intersect(this.#known.upTo(size));
    return found;
  }

  /** Those whose day is smaller, among them all whose day is not known. */
  #earlierThan(day: number, size: number): DenseSet {
    const found = new DenseSet(size);
    const bound = Math.max(0, Math.min(day, (1 << SLICES) - 1));
    const equal = new Uint32Array(CHUNK);
    for (let chunk = 0; chunk * CHUNK < found.words.length; chunk++) {
      const less = found.words.subarray(chunk * CHUNK, (chunk + 1) * CHUNK);
      equal.fill(0xffffffff);
      // From the largest digit on: whoever has a 0 where the bound has a 1 is smaller, if all digits before are equal.
      for (let digit = SLICES - 1; digit >= 0; digit--) {
        const slice = this.#slices[digit]?.chunk(chunk) ?? NOBODY;
        if (((bound >>> digit) & 1) === 1) keepLess(less, equal, slice);
        else keepZeros(equal, slice);
      }
    }
    return found;
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

/** The day so many years before that of a time, as a number; the 28th stands for a 29th of February that was not there. */
function dayBefore(now_ms: number, years: number): number {
  const now = new Date(now_ms);
  const [year, month, day] = [now.getUTCFullYear() - years, now.getUTCMonth(), now.getUTCDate()];
  const lastOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(day, lastOfMonth)) / DAY_MS - FIRST_DAY;
}

/** A bit for each person, growing in chunks. */
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

  /** The words of a chunk; `undefined` where no bit was ever set. */
  chunk(index: number): Uint32Array | undefined {
    return this.#chunks[index];
  }

  /** The column as a set. */
  upTo(size: number): DenseSet {
    const set = new DenseSet(size);
    for (const [index, chunk] of this.#chunks.entries()) {
      const room = set.words.length - index * CHUNK;
      if (chunk && room > 0) set.words.set(chunk.subarray(0, room), index * CHUNK);
    }
    return set;
  }
}
