const FIRST_SLOTS = 1 << 12;
/** Above this share of used slots the table grows, or looking for what is not there would take long. */
const FULLEST = 0.6;

/**
 * Numbers by the keys of identifiers, in open addressing. 64 bits of a key are kept and compared: among a million of them, one
 * random key in 10^13 is found by mistake.
 */
export class HashTable {
  #low = new Uint32Array(FIRST_SLOTS);
  #high = new Uint32Array(FIRST_SLOTS);
  /** The number plus one; 0 where a slot is free. */
  #values = new Uint32Array(FIRST_SLOTS);
  #size = 0;

  /** The number of keys. */
  get size(): number {
    return this.#size;
  }

  /** Returns the number of a key. @param at where the key begins in the bytes */
  get(bytes: Uint8Array, at = 0): number | undefined {
    const slot = this.#find(lowOf(bytes, at), highOf(bytes, at));
    const value = this.#values[slot] ?? 0;
    return value === 0 ? undefined : value - 1;
  }

  /** Sets the number of a key. */
  set(key: Uint8Array, value: number): void {
    if (this.#size + 1 > this.#values.length * FULLEST) this.#grow();
    this.#put(lowOf(key, 0), highOf(key, 0), value + 1);
  }

  #put(low: number, high: number, stored: number): void {
    const slot = this.#find(low, high);
    if (this.#values[slot] === 0) this.#size++;
    this.#low[slot] = low;
    this.#high[slot] = high;
    this.#values[slot] = stored;
  }

  /** Returns the slot of a key, or the free one where it belongs. */
  #find(low: number, high: number): number {
    const mask = this.#values.length - 1;
    let slot = (low ^ Math.imul(high, 0x9e3779b1)) & mask;
    while (this.#values[slot] !== 0 && (this.#low[slot] !== low || this.#high[slot] !== high)) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const [low, high, values] = [this.#low, this.#high, this.#values];
    this.#low = new Uint32Array(2 * values.length);
    this.#high = new Uint32Array(2 * values.length);
    this.#values = new Uint32Array(2 * values.length);
    this.#size = 0;
    for (let slot = 0; slot < values.length; slot++) {
      const stored = values[slot] ?? 0;
      if (stored !== 0) this.#put(low[slot] ?? 0, high[slot] ?? 0, stored);
    }
  }
}

// The first byte of a key is the number of the kind, and the others are of a hash: any four of them are random.

function lowOf(bytes: Uint8Array, at: number): number {
  return word(bytes, at + 1);
}

function highOf(bytes: Uint8Array, at: number): number {
  return (word(bytes, at + 5) ^ Math.imul(bytes[at] ?? 0, 0x85ebca6b)) >>> 0;
}

function word(bytes: Uint8Array, at: number): number {
  const low = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
  const high = (bytes[at + 2] ?? 0) | ((bytes[at + 3] ?? 0) << 8);
  return (low | (high << 16)) >>> 0;
}
