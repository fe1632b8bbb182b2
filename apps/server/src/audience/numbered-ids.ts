/** The 64-bit ids of things that are numbered from 0, by their numbers. */

const FIRST_CAPACITY = 1024;

export class NumberedIds {
  #halves = new Uint32Array(FIRST_CAPACITY * 2);
  #length = 0;

  /** Notes the id that has the next number. */
  push(low: number, high: number): void {
    const at = this.#length++ * 2;
    if (at === this.#halves.length) {
      const wider = new Uint32Array(at * 2);
      wider.set(this.#halves);
      this.#halves = wider;
    }
    this.#halves[at] = low;
    this.#halves[at + 1] = high;
  }

  /** Returns the id of a number, as decimal digits. */
  idOf(number: number): string {
    return `${(BigInt(this.high(number)) << 32n) | BigInt(this.low(number))}`;
  }

  /** Returns 32 bits that depend on the id alone. */
  hashOf(number: number, seed: number): number {
    return mixed(this.low(number), this.high(number), seed);
  }

  /** The lower 32 bits of an id. */
  low(number: number): number {
    return this.#halves[number * 2] ?? 0;
  }

  /** And the upper ones. */
  high(number: number): number {
    return this.#halves[number * 2 + 1] ?? 0;
  }
}

/** Returns a hash of an id, given as its lower and its upper 32 bits. */
export function mixed(low: number, high: number, seed: number): number {
  let hash = Math.imul(low ^ Math.imul(high ^ seed, 0x9e3779b1), 0x85ebca6b) ^ seed;
  hash = Math.imul(hash ^ (hash >>> 16), 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 13), 0x27d4eb2f);
  return (hash ^ (hash >>> 16)) >>> 0;
}
