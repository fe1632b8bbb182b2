const SHARDS = 256;
const FIRST_CAPACITY = 16;
const NOBODY = 0xffffffff;

/**
 * Numbers 64-bit ids from 0 on, in the order of their first appearance. A `Map` of a million `bigint` keys takes 100 MB and
 * a hash for each lookup; here an id is two words in open addressing. The table is in parts that grow one at
 * a time, so that growing never blocks for long.
 */
export class IdTable {
  readonly #onNew: ((low: number, high: number) => void) | undefined;
  readonly #shards: Shard[] = Array.from({ length: SHARDS }, () => new Shard());
  readonly #split = new BigInt64Array(1);
  readonly #halves = new Uint32Array(this.#split.buffer);
  #size = 0;

  /** @param onNew called with the halves of each id that gets a number, in the order of numbers */
  constructor(onNew?: (low: number, high: number) => void) {
    this.#onNew = onNew;
  }

  /** The number of ids. */
  get size(): number {
    return this.#size;
  }

  /** Returns the number of an id; `undefined` if it has none. */
  get(id: bigint): number | undefined {
    this.#split[0] = id;
    const [low = 0, high = 0] = this.#halves;
    const hash = hashOf(low, high);
    return this.#shards[hash & (SHARDS - 1)]?.get(low, high, hash >>> 8);
  }

  /** Returns the number of an id, assigning one if needed. */
  add(id: bigint): number {
    this.#split[0] = id;
    const [low = 0, high = 0] = this.#halves;
    return this.addHalves(low, high);
  }

  /** Returns the number of an id, given as its lower and its upper 32 bits: many ids need not become `bigint` for this. */
  addHalves(low: number, high: number): number {
    const hash = hashOf(low, high);
    const number = this.#shards[hash & (SHARDS - 1)]?.add(low, high, hash >>> 8, this.#size) ?? 0;
    if (number === this.#size) {
      this.#size++;
      this.#onNew?.(low, high);
    }
    return number;
  }
}

function hashOf(low: number, high: number): number {
  let hash = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

class Shard {
  #capacity = FIRST_CAPACITY;
  #count = 0;
  #lows = new Uint32Array(FIRST_CAPACITY);
  #highs = new Uint32Array(FIRST_CAPACITY);
  #numbers = new Uint32Array(FIRST_CAPACITY).fill(NOBODY);

  get(low: number, high: number, hash: number): number | undefined {
    const number = this.#numbers[this.#slot(low, high, hash)] ?? NOBODY;
    return number === NOBODY ? undefined : number;
  }

  add(low: number, high: number, hash: number, fresh: number): number {
    const slot = this.#slot(low, high, hash);
    const number = this.#numbers[slot] ?? NOBODY;
    if (number !== NOBODY) return number;
    this.#lows[slot] = low;
    this.#highs[slot] = high;
    this.#numbers[slot] = fresh;
    this.#hashes[slot] = hash;
    this.#count++;
    if (this.#count * 3 > this.#capacity * 2) this.#grow();
    return fresh;
  }

  #hashes = new Uint32Array(FIRST_CAPACITY);

  /** Returns the slot of an id, or the free slot for it. */
  #slot(low: number, high: number, hash: number): number {
    let slot = hash & (this.#capacity - 1);
    while (this.#numbers[slot] !== NOBODY && (this.#lows[slot] !== low || this.#highs[slot] !== high)) {
      slot = (slot + 1) & (this.#capacity - 1);
    }
    return slot;
  }

  #grow(): void {
    const [lows, highs, numbers, hashes] = [this.#lows, this.#highs, this.#numbers, this.#hashes];
    this.#capacity *= 2;
    this.#lows = new Uint32Array(this.#capacity);
    this.#highs = new Uint32Array(this.#capacity);
    this.#hashes = new Uint32Array(this.#capacity);
    this.#numbers = new Uint32Array(this.#capacity).fill(NOBODY);
    for (const [old, number] of numbers.entries()) {
      if (number === NOBODY) continue;
      const [low = 0, high = 0, hash = 0] = [lows[old], highs[old], hashes[old]];
      const slot = this.#slot(low, high, hash);
      this.#lows[slot] = low;
      this.#highs[slot] = high;
      this.#hashes[slot] = hash;
      this.#numbers[slot] = number;
    }
  }
}
