import { hash } from 'node:crypto';
import { IdTable } from '../../audience/id-table.ts';
import type { PlatformPerson } from '../member-store.ts';
import { KEY_WORDS, readKey } from './keys.ts';

const NONE = 0;
const GONE = 0xffffffff;
const FIRST_CAPACITY = 1024;

/** A state of the table in two words; equal states have equal digests. */
export type Digest = readonly [low: number, high: number];

/**
 * Identifiers of the people of the platform, as keys in open addressing: 24 bytes for each, at most four fifths full. What several
 * people gave is in it several times, and belongs to the one with the lowest id.
 */
export class PeopleTable {
  #capacity = FIRST_CAPACITY;
  #keys = new Uint32Array(FIRST_CAPACITY * KEY_WORDS);
  /** Number of the person, from 1 on. */
  #owners = new Uint32Array(FIRST_CAPACITY);
  /** The next claim of the same person, plus one. */
  #siblings = new Uint32Array(FIRST_CAPACITY);
  #used = 0;
  readonly #numbers = new IdTable();
  #ids = new BigUint64Array(64);
  /** The first claim of each person, plus one. */
  #heads = new Uint32Array(64);
  readonly #digest = new Uint32Array(2);

  get digest(): Digest {
    return [this.#digest[0] ?? 0, this.#digest[1] ?? 0];
  }

  /** Returns the id of the person that a key belongs to; `undefined` if it belongs to nobody. */
  owner(keys: Uint32Array, at: number): bigint | undefined {
    const number = this.ownerNumber(keys, at);
    return number === NONE ? undefined : this.#ids[number];
  }

  /** Returns the number of the person that a key belongs to, 0 for nobody. */
  ownerNumber(keys: Uint32Array, at: number): number {
    const mask = this.#capacity - 1;
    let best = NONE;
    for (let slot = hashOf(keys, at) & mask; this.#owners[slot] !== NONE; slot = (slot + 1) & mask) {
      const owner = this.#owners[slot] ?? NONE;
      if (owner === GONE || !this.#isAt(slot, keys, at)) continue;
      if (best === NONE || this.idOf(owner) < this.idOf(best)) best = owner;
    }
    return best;
  }

  /** Returns the id of a person by number. */
  idOf(number: number): bigint {
    return this.#ids[number] ?? 0n;
  }

  /** Replaces a person's identifiers. @returns the keys that were added or taken away, four words each */
  set({ user_id, identifiers }: PlatformPerson): Uint32Array {
    const number = this.#numberOf(user_id);
    const wanted = new Uint32Array(identifiers.length * KEY_WORDS);
    for (const [i, [kind, value]] of identifiers.entries()) {
      const key = Buffer.concat([Buffer.of(kind), hash('sha256', value, 'buffer').subarray(0, 15)]);
      readKey(key, 0, wanted, i * KEY_WORDS);
    }
    const changed: number[] = [];
    let before: number = 0;
    for (let claim = this.#heads[number] ?? 0; claim !== 0; ) {
      const slot = claim - 1;
      const next = this.#siblings[slot] ?? 0;
      if (this.#isAmong(slot, wanted)) {
        before = claim;
      } else {
        const at = slot * KEY_WORDS;
        changed.push(...this.#keys.subarray(at, at + KEY_WORDS));
        this.#addToDigest(this.#keys, at, user_id, -1);
        this.#owners[slot] = GONE;
        if (before === 0) this.#heads[number] = next;
        else this.#siblings[before - 1] = next;
      }
      claim = next;
    }
    for (let at = 0; at < wanted.length; at += KEY_WORDS) {
      if (this.#has(number, wanted, at)) continue;
      changed.push(...wanted.subarray(at, at + KEY_WORDS));
      this.#addToDigest(wanted, at, user_id, 1);
      this.#claim(number, wanted, at);
    }
    return Uint32Array.from(changed);
  }

  /** All keys, four words each. */
  *keys(): Generator<Uint32Array> {
    for (let slot = 0; slot < this.#capacity; slot++) {
      const owner = this.#owners[slot] ?? NONE;
      if (owner !== NONE && owner !== GONE) yield this.#keys.subarray(slot * KEY_WORDS, (slot + 1) * KEY_WORDS);
    }
  }

  #numberOf(user_id: bigint): number {
    const number = this.#numbers.add(user_id) + 1;
    if (number >= this.#heads.length) {
      const heads = new Uint32Array(number * 2);
      heads.set(this.#heads);
      this.#heads = heads;
      const ids = new BigUint64Array(number * 2);
      ids.set(this.#ids);
      this.#ids = ids;
    }
    this.#ids[number] = user_id;
    return number;
  }

  #claim(number: number, keys: Uint32Array, at: number): void {
    if ((this.#used + 1) * 5 > this.#capacity * 4) this.#rebuild();
    const mask = this.#capacity - 1;
    let slot = hashOf(keys, at) & mask;
    while (this.#owners[slot] !== NONE) slot = (slot + 1) & mask;
    this.#keys.set(keys.subarray(at, at + KEY_WORDS), slot * KEY_WORDS);
    this.#owners[slot] = number;
    this.#siblings[slot] = this.#heads[number] ?? 0;
    this.#heads[number] = slot + 1;
    this.#used++;
  }

  #has(number: number, keys: Uint32Array, at: number): boolean {
    for (let claim = this.#heads[number] ?? 0; claim !== 0; claim = this.#siblings[claim - 1] ?? 0) {
      if (this.#isAt(claim - 1, keys, at)) return true;
    }
    return false;
  }

  #isAmong(slot: number, keys: Uint32Array): boolean {
    for (let at = 0; at < keys.length; at += KEY_WORDS) if (this.#isAt(slot, keys, at)) return true;
    return false;
  }

  #isAt(slot: number, keys: Uint32Array, at: number): boolean {
    const place = slot * KEY_WORDS;
    const own = this.#keys;
    return (
      own[place] === keys[at] &&
      own[place + 1] === keys[at + 1] &&
      own[place + 2] === keys[at + 2] &&
      own[place + 3] === keys[at + 3]
    );
  }

  #rebuild(): void {
    const [keys, owners] = [this.#keys, this.#owners];
    const live = owners.reduce((sum, owner) => sum + (owner === NONE || owner === GONE ? 0 : 1), 0);
    while (live * 5 > this.#capacity * 2) this.#capacity *= 2;
    this.#keys = new Uint32Array(this.#capacity * KEY_WORDS);
    this.#owners = new Uint32Array(this.#capacity);
    this.#siblings = new Uint32Array(this.#capacity);
    this.#heads.fill(0);
    this.#used = 0;
    for (const [slot, owner] of owners.entries()) {
      if (owner !== NONE && owner !== GONE) this.#claim(owner, keys, slot * KEY_WORDS);
    }
  }

  #addToDigest(keys: Uint32Array, at: number, user_id: bigint, sign: 1 | -1): void {
    const [first = 0, second = 0, third = 0] = [keys[at], keys[at + 1], keys[at + 2]];
    const low = Number(user_id & 0xffffffffn);
    const high = Number((user_id >> 32n) & 0xffffffffn);
    const one = mix(second ^ mix(low ^ mix(high ^ first)));
    const other = mix(third ^ mix(high + mix(low + mix(second ^ 0x5bd1e995))));
    const digest = this.#digest;
    digest[0] = (digest[0] ?? 0) + sign * one;
    digest[1] = (digest[1] ?? 0) + sign * other;
  }
}

/** Keys are hashes already; the first byte is the kind. */
function hashOf(keys: Uint32Array, at: number): number {
  return (keys[at + 1] ?? 0) ^ ((keys[at] ?? 0) >>> 24);
}

function mix(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
