/**
 * Pseudo-random numbers from a seed, the same on every machine: 32-bit integer arithmetic only, and of the floating point
 * operations those that IEEE 754 rounds exactly. Never for secrets.
 */
import { createHash } from 'node:crypto';

/** Purpose of a stream. Streams of one seed are independent, so that one can change without the others. */
const purposes = [
  'users',
  'follows',
  'posts',
  'profile',
  'text',
  'likes',
  'media',
  'traits',
  'identifiers',
  'polls',
] as const;
type Purpose = (typeof purposes)[number];

/** Source of all random numbers of a run. */
export class Seed {
  readonly #words: Int32Array;

  /** @param text any text; equal texts give equal numbers */
  constructor(text: string) {
    const digest = createHash('sha256').update(text.normalize('NFC')).digest();
    this.#words = Int32Array.from([0, 4, 8], (at) => digest.readInt32LE(at));
  }

  /** Returns the numbers for one purpose, and for one of its many subjects: the profile of user 17, say. */
  stream(purpose: Purpose, index = 0): Stream {
    const [a = 0, b = 0, c = 0] = this.#words;
    return new Stream(a ^ index, b ^ Math.imul(purposes.indexOf(purpose) + 1, 0x9e3779b1), c);
  }
}

const UNIT = 2 ** -32;

/** A sequence of random numbers (the generator sfc32). */
export class Stream {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(a: number, b: number, c: number) {
    this.#a = a | 0;
    this.#b = b | 0;
    this.#c = c | 0;
    // Neighbouring indexes differ in one bit; this many steps are needed until they are uncorrelated.
    for (let i = 0; i < 12; i++) this.#next();
  }

  #next(): number {
    const sum = (this.#a + this.#b + this.#counter++) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum;
  }

  /** Returns a number from 0 to below 1. */
  fraction(): number {
    return (this.#next() >>> 0) * UNIT;
  }

  /** Returns an integer from 0 to below `count`. */
  below(count: number): number {
    return Math.floor(this.fraction() * count);
  }

  /** Returns true with this probability. */
  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** Returns an element of a non-empty list. */
  pick<Item>(list: readonly Item[]): Item {
    const item = list[this.below(list.length)];
    if (item === undefined) throw new TypeError('nothing can be picked from an empty list');
    return item;
  }

  /** Returns an integer from 0 to below `count`, small ones far more often. */
  low(count: number): number {
    const x = this.fraction();
    return Math.floor(x * x * x * count);
  }

  /** Returns the numbers from 0 to below `count` in random order. */
  permutation(count: number): Int32Array {
    const order = new Int32Array(count);
    for (let i = 0; i < count; i++) {
      const other = this.below(i + 1);
      order[i] = order[other] ?? 0;
      order[other] = i;
    }
    return order;
  }
}
