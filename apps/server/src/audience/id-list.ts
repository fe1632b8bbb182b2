const FIRST_CAPACITY = 1024;

/** A list of 64-bit ids, of which there may be millions. */
export class IdList {
  #ids = new BigInt64Array(FIRST_CAPACITY);
  /** The same, each as its lower and its upper 32 bits. */
  #halves = new Uint32Array(this.#ids.buffer);
  #length = 0;

  /** Adds an id, given as its lower and its upper 32 bits. */
  push(low: number, high: number): void {
    this.#reserve();
    const at = this.#length++ * 2;
    this.#halves[at] = low;
    this.#halves[at + 1] = high;
  }

  /** Adds an id. */
  pushId(id: bigint): void {
    this.#reserve();
    this.#ids[this.#length++] = id;
  }

  /** Sorts the list. @returns its ids */
  sort(): BigInt64Array {
    return this.#ids.subarray(0, this.#length).sort();
  }

  /** Returns the id at an index, as decimal digits. */
  idOf(index: number): string {
    return `${this.#ids[index] ?? 0n}`;
  }

  /** Returns 32 bits that depend on the id at an index alone. */
  hashOf(index: number, seed: number): number {
    return mixed(this.low(index), this.high(index), seed);
  }

  /** The lower 32 bits of the id at an index. */
  low(index: number): number {
    return this.#halves[index * 2] ?? 0;
  }

  /** And the upper ones. */
  high(index: number): number {
    return this.#halves[index * 2 + 1] ?? 0;
  }

  #reserve(): void {
    if (this.#length < this.#ids.length) return;
    const wider = new BigInt64Array(this.#length * 2);
    wider.set(this.#ids);
    this.#ids = wider;
    this.#halves = new Uint32Array(wider.buffer);
  }
}

/** Returns a hash of an id, given as its lower and its upper 32 bits. */
export function mixed(low: number, high: number, seed: number): number {
  let hash = Math.imul(low ^ Math.imul(high ^ seed, 0x9e3779b1), 0x85ebca6b) ^ seed;
  hash = Math.imul(hash ^ (hash >>> 16), 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 13), 0x27d4eb2f);
  return (hash ^ (hash >>> 16)) >>> 0;
}
