/**
 * The nonces that were used lately, in memory that all threads of the server share. Any thread can use one up; of any number
 * of threads that try the same one, exactly one succeeds, without a lock that a thread could take with it when it ends.
 *
 * Nonces are in buckets by timestamp. Only the main thread opens and closes buckets. A bucket is a sequence of tables, each
 * four times as large as the one before, and a nonce has a fixed sequence of places in them. A place that was taken stays taken
 * until its bucket is closed, so threads that look for a free place for the same nonce meet at the same place, where one
 * compare-and-exchange decides. A place that a thread took after its bucket was closed does not count: see {@link claim}.
 *
 * A nonce is known by 64 bits of its hash. Two that share them are taken for one, and the second is rejected; nobody can
 * bring that about for a nonce of somebody else.
 */

/** Seconds of timestamps in one bucket. */
export const BUCKET_SECONDS = 60;

/** Outcome of using up a nonce: `closed` where its bucket is not open, `full` where no place is left for it in its bucket. */
export type Claim = 'claimed' | 'used' | 'closed' | 'full';

/** The memory, as one thread hands it to another. */
export interface SharedNonceMemory {
  readonly entries: SharedArrayBuffer;
  readonly slots: SharedArrayBuffer;
  /** The number of tables of a bucket. */
  readonly levels: number;
}

/** Buckets that can be open at a time: those of the window on both sides of the clock (11), and some to spare. */
const ENTRIES = 16;
const SMALLEST_LOG2 = 12;
/** Each table has two to this power times the places of the one before. All of them are looked at, so they are few. */
const GROWTH_LOG2 = 2;
/** Places in each table that a nonce can have: they are next to each other, and begin at a multiple of their number. */
const PROBES = 16;

/** The fields of an entry: the bucket, or {@link NO_BUCKET}; the largest table that was used; a seed; how often it was opened. */
const WORDS = 4;
const [LARGEST, SEED, OPENED] = [1, 2, 3];
const NO_BUCKET = -1;

/** Where the halves of a place are, in 32-bit words. */
const LOW = new Int32Array(new BigInt64Array([1n]).buffer)[0] === 1 ? 0 : 1;
const HIGH = 1 - LOW;

const FREE = 0n;
/** A place whose nonce was given back. It stays taken, or a place further on could be found by one thread and not by another. */
const GIVEN_BACK = 1n;

export class SharedNonces {
  readonly memory: SharedNonceMemory;
  readonly #entries: Int32Array;
  readonly #slots: BigInt64Array;
  readonly #halves: Int32Array;
  readonly #levels: number;
  readonly #bucketSlots: number;

  /** Takes part in the memory that another thread made. */
  constructor(memory: SharedNonceMemory) {
    this.memory = memory;
    this.#entries = new Int32Array(memory.entries);
    this.#slots = new BigInt64Array(memory.slots);
    this.#halves = new Int32Array(memory.slots);
    this.#levels = memory.levels;
    this.#bucketSlots = slotsOf(memory.levels);
  }

  /**
   * Makes the memory. The system gives it pages as they are used.
   * @param seed makes the places of nonces unpredictable
   * @param levels the number of tables of a bucket: one has room for 4,096 nonces, two for 20,000, five for 1.4 million
   */
  static create(seed: number, levels = 4): SharedNonces {
    const entries = new SharedArrayBuffer(ENTRIES * WORDS * Int32Array.BYTES_PER_ELEMENT);
    const words = new Int32Array(entries);
    for (let entry = 0; entry < ENTRIES; entry++) {
      words[entry * WORDS] = NO_BUCKET;
      words[entry * WORDS + SEED] = seed;
    }
    const slots = new SharedArrayBuffer(ENTRIES * slotsOf(levels) * BigInt64Array.BYTES_PER_ELEMENT);
    return new SharedNonces({ entries, slots, levels });
  }

  /** Returns whether a bucket is open. */
  isOpen(bucket: number): boolean {
    return Atomics.load(this.#entries, entryOf(bucket)) === bucket;
  }

  /**
   * Opens a bucket. Only in the main thread.
   * @param used the nonces that were used in it
   * @returns the bucket that had to be closed for it
   */
  open(bucket: number, used: Iterable<string> = []): number | undefined {
    const entry = entryOf(bucket);
    const before = Atomics.load(this.#entries, entry);
    if (before === bucket) return undefined;
    // From here on no thread counts a place in it.
    Atomics.store(this.#entries, entry, NO_BUCKET);
    Atomics.add(this.#entries, entry + OPENED, 1);
    const level = Atomics.exchange(this.#entries, entry + LARGEST, 0);
    this.#clear(entry, level + 1);
    for (const digest of used) this.#find(entry, digest, fingerprint(digest), true);
    Atomics.store(this.#entries, entry, bucket);
    return before === NO_BUCKET ? undefined : before;
  }

  /** Frees the places of the first tables of an entry. Those that are free are only read, so that the system need not give them memory. */
  #clear(entry: number, levels: number): void {
    const begin = 2 * (entry / WORDS) * this.#bucketSlots;
    const end = begin + 2 * slotsOf(levels);
    for (let half = begin; half < end; half++) if (this.#halves[half] !== 0) this.#halves[half] = 0;
  }

  /** The number of nonces in open buckets. For tests: it reads all of them. */
  get size(): number {
    let size = 0;
    for (let entry = 0; entry < ENTRIES; entry++) {
      if (Atomics.load(this.#entries, entry * WORDS) === NO_BUCKET) continue;
      const begin = entry * this.#bucketSlots;
      for (const value of this.#slots.subarray(begin, begin + this.#bucketSlots)) {
        if (value !== FREE && value !== GIVEN_BACK) size++;
      }
    }
    return size;
  }

  /**
   * Uses up a nonce, in any thread.
   * @param digest 22 characters of base64url, evenly distributed
   */
  claim(timestamp: number, digest: string): Claim {
    const bucket = Math.floor(timestamp / BUCKET_SECONDS);
    const entry = entryOf(bucket);
    const opened = Atomics.load(this.#entries, entry + OPENED);
    if (Atomics.load(this.#entries, entry) !== bucket) return 'closed';
    const print = fingerprint(digest);
    const found = this.#find(entry, digest, print, true);
    // Read after the place was taken: if the bucket is still open, and was not opened again, the place was taken before it was emptied.
    const isOpen = Atomics.load(this.#entries, entry) === bucket;
    return isOpen && Atomics.load(this.#entries, entry + OPENED) === opened ? found.claim : 'closed';
  }

  /** Returns whether a nonce has been used, in any thread; false where its bucket is not open. */
  isUsed(timestamp: number, digest: string): boolean {
    return this.#usedAt(timestamp, digest, fingerprint(digest)) !== undefined;
  }

  /** Gives a nonce back that this thread has claimed. */
  giveBack(timestamp: number, digest: string): void {
    const print = fingerprint(digest);
    const at = this.#usedAt(timestamp, digest, print);
    if (at !== undefined) Atomics.compareExchange(this.#slots, at, print.value, GIVEN_BACK);
  }

  /** Returns the place of a nonce that has been used; `undefined` of any other, and where its bucket is not open. */
  #usedAt(timestamp: number, digest: string, print: Print): number | undefined {
    const bucket = Math.floor(timestamp / BUCKET_SECONDS);
    const entry = entryOf(bucket);
    if (Atomics.load(this.#entries, entry) !== bucket) return undefined;
    const { claim, at } = this.#find(entry, digest, print, false);
    return claim === 'used' ? at : undefined;
  }

  #find(entry: number, digest: string, print: Print, take: boolean): { readonly claim: Claim; readonly at: number } {
    const seed = this.#entries[entry + SEED] ?? 0;
    const first = bits(digest, 12);
    const second = bits(digest, 16);
    let begin = (entry / WORDS) * this.#bucketSlots;
    for (let level = 0; level < this.#levels; level++) {
      const places = placesOf(level);
      const start = begin + (place(first, second, seed + level) & (places - PROBES));
      for (let at = start; at < start + PROBES; at++) {
        if (this.#isOfAnother(at, print)) continue;
        let value = Atomics.load(this.#slots, at);
        if (value === FREE) {
          if (!take) return { claim: 'claimed', at };
          if (level > 0) this.#mark(entry, level);
          value = Atomics.compareExchange(this.#slots, at, FREE, print.value);
          // Once more, for the entry may have been emptied for another bucket since.
          if (level > 0) this.#mark(entry, level);
          if (value === FREE) return { claim: 'claimed', at };
        }
        if (value === print.value) return { claim: 'used', at };
      }
      begin += places;
    }
    return { claim: 'full', at: -1 };
  }

  /**
   * Returns whether a place is sure to have been taken for another nonce. In full tables all places are, and an atomic read
   * takes some seven times as long as this. A place that is just being written may show one half of what it had and one of
   * what it gets: zeros, and halves of the nonce itself, are left to the atomic read.
   */
  #isOfAnother(at: number, { low, high }: Print): boolean {
    const itsLow = this.#halves[2 * at + LOW];
    const itsHigh = this.#halves[2 * at + HIGH];
    return itsLow !== 0 && itsHigh !== 0 && itsLow !== low && itsHigh !== high;
  }

  /** Records that a table of an entry is used, and has to be emptied. */
  #mark(entry: number, level: number): void {
    for (;;) {
      const used = Atomics.load(this.#entries, entry + LARGEST);
      if (used >= level || Atomics.compareExchange(this.#entries, entry + LARGEST, used, level) === used) return;
    }
  }
}

function entryOf(bucket: number): number {
  return (bucket & (ENTRIES - 1)) * WORDS;
}

/** The places of a table. */
function placesOf(level: number): number {
  return 1 << (SMALLEST_LOG2 + GROWTH_LOG2 * level);
}

/** The places of the first tables of a bucket. */
function slotsOf(levels: number): number {
  let places = 0;
  for (let level = 0; level < levels; level++) places += placesOf(level);
  return places;
}

/** What a place has of a nonce, and its halves as signed numbers. */
interface Print {
  readonly value: bigint;
  readonly low: number;
  readonly high: number;
}

function fingerprint(digest: string): Print {
  const high = bits(digest, 0);
  const some = bits(digest, 6);
  // Not the value of a place that has no nonce.
  const low = high === 0 && (some === 0 || some === 1) ? 2 : some;
  return { value: BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low >>> 0)), low, high };
}

/** 32 bits of six characters of base64url. */
function bits(digest: string, from: number): number {
  let value = 0;
  for (let i = from; i < from + 6; i++) value = Math.imul(value, 64) + sextet(digest.charCodeAt(i));
  return value | 0;
}

function sextet(code: number): number {
  if (code >= 97) return code - 71;
  if (code >= 65 && code !== 95) return code - 65;
  if (code === 95) return 63;
  return code === 45 ? 62 : code + 4;
}

/** A number that only those can predict who know the seed (the finalizer of MurmurHash3). @param first bits of a digest, like `second` */
function place(first: number, second: number, seed: number): number {
  let value = seed ^ first;
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b) ^ second;
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
