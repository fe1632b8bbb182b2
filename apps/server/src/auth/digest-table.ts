/**
 * Digests of nonces with their timestamps, as numbers in tables of their own. All nonces of some minutes are known, which can be millions:
 * as texts in a `Map` each took some 120 bytes of the heap, which every collection of garbage went through. Here it takes half of that,
 * outside of the heap.
 *
 * A digest is 22 characters of base64url: five words, of five characters each, and of two the last. A table is a part of all, so that
 * moving one that is full to a larger one does not hold the event loop.
 */
import { DIGEST_LENGTH } from './nonce-digest.ts';

const WORDS = 5;
/** Words of a place: those of the digest, two of the timestamp, and one more, so that no place lies on two lines of the processor's cache. */
const PLACE_WORDS = 8;
const SECONDS = WORDS;
const BILLIONS = WORDS + 1;
const BILLION = 1e9;
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
  /** Digests, and timestamps or {@link FREE} or {@link TAKEN_OUT}. */
  readonly words: Int32Array;
  readonly places: number;
  /** Places that are not free. */
  filled: number;
}

function newPart(places: number): Part {
  return { words: new Int32Array(places * PLACE_WORDS), places, filled: 0 };
}

function timeAt(words: Int32Array, at: number): number {
  return (words[at * PLACE_WORDS + BILLIONS] ?? 0) * BILLION + (words[at * PLACE_WORDS + SECONDS] ?? 0);
}

/** @param time a timestamp or {@link TAKEN_OUT} */
function setTime(words: Int32Array, at: number, time: number): void {
  words[at * PLACE_WORDS + SECONDS] = time % BILLION;
  words[at * PLACE_WORDS + BILLIONS] = time / BILLION;
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
    const end = word === WORDS - 1 ? DIGEST_LENGTH : at + WORDS;
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
    return part !== undefined && timeAt(part.words, placeIn(part, place)) > 0;
  }

  /** Adds a digest that is not there. @param timestamp positive */
  add(timestamp: number, digest: string): void {
    const place = this.#placeOf(digest);
    const index = place & (PARTS - 1);
    let part = this.#parts[index] ?? newPart(FIRST_PLACES);
    // So that few places have to be looked at.
    if (part.filled * 2 >= part.places) part = grown(part, this.#seed);
    this.#parts[index] = part;
    const at = placeIn(part, place);
    if (timeAt(part.words, at) === FREE) {
      part.filled += 1;
      this.#size += 1;
    }
    setTime(part.words, at, timestamp);
    for (let word = 0; word < WORDS; word++) part.words[at * PLACE_WORDS + word] = wanted[word] ?? 0;
    const bit = (place >>> 12) & (SEEN_BITS - 1);
    this.#seen[bit >>> 5] = (this.#seen[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }

  delete(digest: string): void {
    const place = this.#placeOf(digest);
    const part = this.#parts[place & (PARTS - 1)];
    if (part === undefined) return;
    const at = placeIn(part, place);
    if (timeAt(part.words, at) === FREE) return;
    setTime(part.words, at, TAKEN_OUT);
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
      for (let at = 0; at < part.places; at++) {
        const timestamp = timeAt(part.words, at);
        if (timestamp > 0) yield [timestamp, digestAt(part, at)];
      }
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
function placeIn({ words, places }: Part, place: number): number {
  const last = places - 1;
  for (let at = (place >>> 8) & last; ; at = (at + 1) & last) {
    const time = timeAt(words, at);
    if (time === FREE || (time !== TAKEN_OUT && isWanted(words, at * PLACE_WORDS))) return at;
  }
}

function isWanted(words: Int32Array, from: number): boolean {
  for (let word = 0; word < WORDS; word++) if (words[from + word] !== wanted[word]) return false;
  return true;
}

/** The same digests with room for as many more. {@link wanted} stays as it is. */
function grown({ words, places }: Part, seed: number): Part {
  const larger = newPart(places * 2);
  const last = larger.places - 1;
  for (let place = 0; place < places; place++) {
    if (timeAt(words, place) <= 0) continue;
    const from = place * PLACE_WORDS;
    let at = (placeOf(words, from, seed) >>> 8) & last;
    while (timeAt(larger.words, at) !== FREE) at = (at + 1) & last;
    for (let word = 0; word < PLACE_WORDS; word++) larger.words[at * PLACE_WORDS + word] = words[from + word] ?? 0;
    larger.filled += 1;
  }
  return larger;
}

function digestAt({ words }: Part, place: number): string {
  let digest = '';
  for (let word = 0; word < WORDS; word++) {
    const value = words[place * PLACE_WORDS + word] ?? 0;
    const characters = Math.min(WORDS, DIGEST_LENGTH - word * WORDS);
    for (let at = characters - 1; at >= 0; at--) digest += ALPHABET.charAt((value >>> (6 * at)) & 63);
  }
  return digest;
}
