/**
 * The nonces that were used lately, in memory that all threads of the server share. Any thread can use one up; of any number
 * of threads that try the same one, exactly one succeeds, without a lock that a thread could take with it when it ends.
 *
 * Nonces are in buckets by timestamp. Only the main thread opens and closes buckets. A bucket is a sequence of tables, each
 * twice as large as the one before, and a nonce has a fixed sequence of places in them. A place that was taken stays taken
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
  /** The largest table has two to this power places. */
  readonly largestLog2: number;
}

/** Buckets that can be open at a time: those of the window on both sides of the clock (11), and some to spare. */
const ENTRIES = 16;
const SMALLEST_LOG2 = 12;
/** Places in each table that a nonce can have. */
const PROBES = 16;

/** The fields of an entry: the bucket, or {@link NO_BUCKET}; the largest table that was used; a seed. */
const WORDS = 4;
const NO_BUCKET = -1;

const FREE = 0n;
/** A place whose nonce was given back. It stays taken, or a place further on could be found by one thread and not by another. */
const GIVEN_BACK = 1n;

export class SharedNonces {
  readonly memory: SharedNonceMemory;
  readonly #entries: Int32Array;
  readonly #slots: BigInt64Array;
  readonly #levels: number;
  readonly #bucketSlots: number;

  /** Takes part in the memory that another thread made. */
  constructor(memory: SharedNonceMemory) {
    this.memory = memory;
    this.#entries = new Int32Array(memory.entries);
    this.#slots = new BigInt64Array(memory.slots);
    this.#levels = memory.largestLog2 - SMALLEST_LOG2 + 1;
    this.#bucketSlots = slotsOf(memory.largestLog2);
  }

  /**
   * Makes the memory. The system gives it pages as they are used.
   * @param seed makes the places of nonces unpredictable
   */
  static create(seed: number, largestLog2 = 18): SharedNonces {
    const entries = new SharedArrayBuffer(ENTRIES * WORDS * Int32Array.BYTES_PER_ELEMENT);
    const words = new Int32Array(entries);
    for (let entry = 0; entry < ENTRIES; entry++) {
      words[entry * WORDS] = NO_BUCKET;
      words[entry * WORDS + 2] = seed;
    }
    const slots = new SharedArrayBuffer(ENTRIES * slotsOf(largestLog2) * BigInt64Array.BYTES_PER_ELEMENT);
    return new SharedNonces({ entries, slots, largestLog2 });
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
    const level = Atomics.exchange(this.#entries, entry + 1, 0);
    const begin = (entry / WORDS) * this.#bucketSlots;
    this.#slots.fill(FREE, begin, begin + slotsOf(SMALLEST_LOG2 + level));
    for (const digest of used) this.#find(entry, digest, fingerprint(digest), true);
    Atomics.store(this.#entries, entry, bucket);
    return before === NO_BUCKET ? undefined : before;
  }

  /** Closes all buckets below one. Only in the main thread. */
  closeBelow(bucket: number): void {
    for (let entry = 0; entry < ENTRIES * WORDS; entry += WORDS) {
      if (Atomics.load(this.#entries, entry) < bucket) Atomics.store(this.#entries, entry, NO_BUCKET);
    }
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
    if (Atomics.load(this.#entries, entry) !== bucket) return 'closed';
    const print = fingerprint(digest);
    const found = this.#find(entry, digest, print, true);
    // Read after the place was taken: if the bucket is still open, the place was taken before it was emptied for another.
    return Atomics.load(this.#entries, entry) === bucket ? found.claim : 'closed';
  }

  /** Gives a nonce back that this thread has claimed. */
  giveBack(timestamp: number, digest: string): void {
    const bucket = Math.floor(timestamp / BUCKET_SECONDS);
    const entry = entryOf(bucket);
    if (Atomics.load(this.#entries, entry) !== bucket) return;
    const print = fingerprint(digest);
    const { claim, at } = this.#find(entry, digest, print, false);
    if (claim === 'used') Atomics.compareExchange(this.#slots, at, print, GIVEN_BACK);
  }

  #find(entry: number, digest: string, print: bigint, take: boolean): { readonly claim: Claim; readonly at: number } {
    const seed = this.#entries[entry + 2] ?? 0;
    let begin = (entry / WORDS) * this.#bucketSlots;
    for (let level = 0; level < this.#levels; level++) {
      const places = 2 ** (SMALLEST_LOG2 + level);
      const start = place(digest, seed + level);
      if (level > 0 && take) this.#mark(entry, level);
      for (let probe = 0; probe < PROBES; probe++) {
        const at = begin + ((start + probe) & (places - 1));
        let value = Atomics.load(this.#slots, at);
        if (value === FREE) {
          if (!take) return { claim: 'claimed', at };
          value = Atomics.compareExchange(this.#slots, at, FREE, print);
          if (value === FREE) return { claim: 'claimed', at };
        }
        if (value === print) return { claim: 'used', at };
      }
      begin += places;
    }
    return { claim: 'full', at: -1 };
  }

  /** Records that a table of an entry is used, and has to be emptied. */
  #mark(entry: number, level: number): void {
    for (;;) {
      const used = Atomics.load(this.#entries, entry + 1);
      if (used >= level || Atomics.compareExchange(this.#entries, entry + 1, used, level) === used) return;
    }
  }
}

function entryOf(bucket: number): number {
  return (bucket & (ENTRIES - 1)) * WORDS;
}

/** The places of all tables of a bucket. */
function slotsOf(largestLog2: number): number {
  return 2 ** (largestLog2 + 1) - 2 ** SMALLEST_LOG2;
}

function fingerprint(digest: string): bigint {
  const print = BigInt.asIntN(64, (BigInt(bits(digest, 0)) << 32n) | BigInt(bits(digest, 6) >>> 0));
  return print === FREE || print === GIVEN_BACK ? 2n : print;
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

/** A number that only those can predict who know the seed (the finalizer of MurmurHash3). */
function place(digest: string, seed: number): number {
  let value = seed ^ bits(digest, 12);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b) ^ bits(digest, 16);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
