/**
 * Digests of nonces with their timestamps, as numbers in tables of their own. All nonces of some minutes are known, which can be millions:
 * as texts in a `Map` each took some 120 bytes of the heap, which every collection of garbage went through. Here it takes half of that,
 * outside of the heap.
 *
 * A digest is 22 characters of base64url: five words, of five characters each, and of two the last. A table is a part of all, so that
 * moving one that is full to a larger one does not hold the event loop.
 */

/** Characters in a digest. */
const DIGEST_CHARACTERS = 22;
const WORDS = 5;
const PARTS = 256;
const FIRST_PLACES = 16;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const sextets = new Uint8Array(128);
for (let at = 0; at < ALPHABET.length; at++) sextets[ALPHABET.charCodeAt(at)] = at;

/** No nonce has been here. Timestamps are positive. */
const FREE = 0;
/** The nonce that was here was taken out; those that were placed behind it have to be found nevertheless. */
const TAKEN_OUT = -1;

/** A table of digests with open addressing. */
interface Part {
  readonly words: Int32Array;
  /** Timestamps, or {@link FREE} or {@link TAKEN_OUT}. */
  readonly times: Float64Array;
  /** Places that are not free. */
  filled: number;
}

function newPart(places: number): Part {
  return { words: new Int32Array(places * WORDS), times: new Float64Array(places), filled: 0 };
}

/** The words of the digest at hand: one is looked up in two tables, and then added to one. */
const wanted = new Int32Array(WORDS);
let read = '';

/** Takes a digest into {@link wanted}. */
function readDigest(digest: string): void {
  if (digest === read) return;
  read = digest;
  for (let word = 0, at = 0; word < WORDS; word++) {
    let value = 0;
    const end = word === WORDS - 1 ? DIGEST_CHARACTERS : at + WORDS;
    for (; at < end; at++) value = (value << 6) | (sextets[digest.charCodeAt(at) & 127] ?? 0);
    wanted[word] = value;
  }
}

/** Bits that are told apart: 128 KB for each table. */
const SEEN_BITS = 2 ** 20;

/** See the top of this file. */
export class DigestTable {
  readonly #seed: number;
  readonly #parts: (Part | undefined)[] = new Array<Part | undefined>(PARTS).fill(undefined);
  readonly #seen = new Int32Array(SEEN_BITS / 32);
  #size = 0;

  /** @param seed makes the places of digests unpredictable */
  constructor(seed: number) {
    this.#seed = seed;
  }

  /** The number of digests. */
  get size(): number {
    return this.#size;
  }

  has(digest: string): boolean {
    const place = this.#placeOf(digest);
    // A bit for each digest tells of most new ones that they are new. Nearly all are, and a search in a large table takes
    // misses of the processor's caches.
    const bit = (place >>> 12) & (SEEN_BITS - 1);
    if (((this.#seen[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false;
    const part = this.#parts[place & (PARTS - 1)];
    return part !== undefined && (part.times[placeIn(part, place)] ?? FREE) > 0;
  }

  /** Adds a digest that is not there. @param timestamp positive */
  add(timestamp: number, digest: string): void {
    const place = this.#placeOf(digest);
    const index = place & (PARTS - 1);
    let part = this.#parts[index] ?? newPart(FIRST_PLACES);
    // So that few places have to be looked at.
    if (part.filled * 2 >= part.times.length) part = grown(part, this.#seed);
    this.#parts[index] = part;
    const at = placeIn(part, place);
    if (part.times[at] === FREE) {
      part.filled += 1;
      this.#size += 1;
    }
    part.times[at] = timestamp;
    for (let word = 0; word < WORDS; word++) part.words[at * WORDS + word] = wanted[word] ?? 0;
    const bit = (place >>> 12) & (SEEN_BITS - 1);
    this.#seen[bit >>> 5] = (this.#seen[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }

  delete(digest: string): void {
    const place = this.#placeOf(digest);
    const part = this.#parts[place & (PARTS - 1)];
    if (part === undefined) return;
    const at = placeIn(part, place);
    if (part.times[at] === FREE) return;
    part.times[at] = TAKEN_OUT;
    this.#size -= 1;
  }

  /** Returns where a digest is: its part in the lowest bits, and its place there in the others. */
  #placeOf(digest: string): number {
    readDigest(digest);
    return placeOf(wanted, 0, this.#seed);
  }

  /** All digests, in no order. */
  *entries(): Generator<readonly [timestamp: number, digest: string]> {
    for (const part of this.#parts) {
      if (part === undefined) continue;
      for (const [at, timestamp] of part.times.entries()) if (timestamp > 0) yield [timestamp, digestAt(part, at)];
    }
  }
}

/** A number that only those can predict who know the seed (the finalizer of MurmurHash3). */
function placeOf(words: Int32Array, from: number, seed: number): number {
  let value = seed ^ (words[from] ?? 0);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b) ^ (words[from + 1] ?? 0);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** The place of the digest in {@link wanted}, or the free one at which it would be. */
function placeIn({ words, times }: Part, place: number): number {
  const last = times.length - 1;
  for (let at = (place >>> 8) & last; ; at = (at + 1) & last) {
    const time = times[at];
    if (time === FREE || (time !== TAKEN_OUT && isWanted(words, at * WORDS))) return at;
  }
}

function isWanted(words: Int32Array, from: number): boolean {
  for (let word = 0; word < WORDS; word++) if (words[from + word] !== wanted[word]) return false;
  return true;
}

/** The same digests with room for as many more. {@link wanted} stays as it is. */
function grown({ words, times }: Part, seed: number): Part {
  const larger = newPart(times.length * 2);
  const last = larger.times.length - 1;
  for (const [from, time] of times.entries()) {
    if (time <= 0) continue;
    let at = (placeOf(words, from * WORDS, seed) >>> 8) & last;
    while (larger.times[at] !== FREE) at = (at + 1) & last;
    larger.times[at] = time;
    larger.words.set(words.subarray(from * WORDS, from * WORDS + WORDS), at * WORDS);
    larger.filled += 1;
  }
  return larger;
}

function digestAt({ words }: Part, place: number): string {
  let digest = '';
  for (let word = 0; word < WORDS; word++) {
    const value = words[place * WORDS + word] ?? 0;
    const characters = Math.min(WORDS, DIGEST_CHARACTERS - word * WORDS);
    for (let at = characters - 1; at >= 0; at--) digest += ALPHABET.charAt((value >>> (6 * at)) & 63);
  }
  return digest;
}
