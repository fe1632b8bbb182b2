/**
 * Keys as the thread computes with them: four words of 32 bits, the first of which holds the first four bytes in the order of
 * their weight, so that comparing words compares keys. Lists of keys are flat, four words for each.
 */

export const KEY_WORDS = 4;
export const KEY_BYTES = 16;

/** Copies a key from bytes into words. */
export function readKey(bytes: Uint8Array, at: number, words: Uint32Array, to: number): void {
  for (let word = 0; word < KEY_WORDS; word++) {
    const byte = at + word * 4;
    words[to + word] =
      ((bytes[byte] ?? 0) << 24) |
      ((bytes[byte + 1] ?? 0) << 16) |
      ((bytes[byte + 2] ?? 0) << 8) |
      (bytes[byte + 3] ?? 0);
  }
}

/** Compares the key at a place of one list with that at a place of another; places count words. */
export function compareKeys(one: Uint32Array, i: number, other: Uint32Array, j: number): number {
  for (let word = 0; word < KEY_WORDS; word++) {
    const difference = (one[i + word] ?? 0) - (other[j + word] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Copies a key from one list to another; places count words. */
export function copyKey(from: Uint32Array, i: number, to: Uint32Array, j: number): void {
  to[j] = from[i] ?? 0;
  to[j + 1] = from[i + 1] ?? 0;
  to[j + 2] = from[i + 2] ?? 0;
  to[j + 3] = from[i + 3] ?? 0;
}

/** Returns the number of the kind of a key, from its first word. */
export function kindOf(first: number): number {
  return first >>> 24;
}

/** Writes the key of a person of the platform. */
export function writePlatformKey(user_id: bigint, words: Uint32Array, to: number): void {
  words[to] = Number(user_id >> 40n) & 0xffffff;
  words[to + 1] = Number((user_id >> 8n) & 0xffffffffn);
  words[to + 2] = Number(user_id & 0xffn) << 24;
  words[to + 3] = 0;
}

/** Returns the id of the person whose platform key is at a place. */
export function userIdAt(words: Uint32Array, at: number): bigint {
  const [first = 0, second = 0, third = 0] = [words[at], words[at + 1], words[at + 2]];
  return (BigInt(first & 0xffffff) << 40n) | (BigInt(second) << 8n) | BigInt(third >>> 24);
}

const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
const SMALL = 24;

/** Sorts lists of keys. Holds the memory that sorting takes, for the next time. */
export class KeySorter {
  readonly #counts = new Uint32Array(DIGITS);
  #values = new Uint32Array(0);
  #otherValues = new Uint32Array(0);
  #other = new Uint32Array(0);

  /** Returns the numbers of the first `count` keys in ascending order of the keys. */
  order(keys: Uint32Array, count: number): Uint32Array {
    const order = new Uint32Array(count);
    for (let i = 0; i < count; i++) order[i] = i;
    if (this.#values.length < count) {
      this.#values = new Uint32Array(count);
      this.#otherValues = new Uint32Array(count);
      this.#other = new Uint32Array(count);
    }
    this.#sort(keys, order, 0, count, 0);
    return order;
  }

  /** Sorts a range by the words from one on. Hashes differ in the first word mostly, ids of people in the second. */
  #sort(keys: Uint32Array, order: Uint32Array, begin: number, end: number, word: number): void {
    if (end - begin <= SMALL) {
      insertionSort(keys, order, begin, end);
      return;
    }
    if (word === KEY_WORDS) return;
    const values = this.#values;
    for (let i = begin; i < end; i++) values[i] = keys[(order[i] ?? 0) * KEY_WORDS + word] ?? 0;
    for (let shift = 0; shift < 32; shift += DIGIT_BITS) this.#pass(order, begin, end, shift);
    // Sorting a group overwrites its values only, so they are compared before.
    let first = begin;
    for (let i = begin + 1; i <= end; i++) {
      if (i < end && values[i] === values[first]) continue;
      if (i - first > 1) this.#sort(keys, order, first, i, word + 1);
      first = i;
    }
  }

  #pass(order: Uint32Array, begin: number, end: number, shift: number): void {
    const values = this.#values;
    const counts = this.#counts.fill(0);
    for (let i = begin; i < end; i++) {
      const digit = ((values[i] ?? 0) >>> shift) & (DIGITS - 1);
      counts[digit] = (counts[digit] ?? 0) + 1;
    }
    if (counts[((values[begin] ?? 0) >>> shift) & (DIGITS - 1)] === end - begin) return;
    let sum = begin;
    for (let digit = 0; digit < DIGITS; digit++) {
      const count = counts[digit] ?? 0;
      counts[digit] = sum;
      sum += count;
    }
    const [otherValues, other] = [this.#otherValues, this.#other];
    for (let i = begin; i < end; i++) {
      const value = values[i] ?? 0;
      const digit = (value >>> shift) & (DIGITS - 1);
      const to = counts[digit] ?? 0;
      counts[digit] = to + 1;
      otherValues[to] = value;
      other[to] = order[i] ?? 0;
    }
    values.set(otherValues.subarray(begin, end), begin);
    order.set(other.subarray(begin, end), begin);
  }
}

function insertionSort(keys: Uint32Array, order: Uint32Array, begin: number, end: number): void {
  for (let i = begin + 1; i < end; i++) {
    const moved = order[i] ?? 0;
    let to = i;
    while (to > begin && compareKeys(keys, (order[to - 1] ?? 0) * KEY_WORDS, keys, moved * KEY_WORDS) > 0) {
      order[to] = order[to - 1] ?? 0;
      to--;
    }
    order[to] = moved;
  }
}
