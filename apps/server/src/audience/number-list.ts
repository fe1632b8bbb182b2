const CHUNK_BITS = 16;
const CHUNK = 1 << CHUNK_BITS;

/** A long list of 32-bit integers, in chunks: it grows without being copied. */
export class NumberList {
  readonly #chunks: Uint32Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The number at an index; 0 past the end. */
  at(index: number): number {
    return this.#chunks[index >>> CHUNK_BITS]?.[index & (CHUNK - 1)] ?? 0;
  }

  push(value: number): void {
    const chunk = this.#chunks[this.#length >>> CHUNK_BITS] ?? new Uint32Array(CHUNK);
    this.#chunks[this.#length >>> CHUNK_BITS] = chunk;
    chunk[this.#length & (CHUNK - 1)] = value;
    this.#length++;
  }

  /** Returns all numbers, in one array. */
  toArray(): Uint32Array {
    const all = new Uint32Array(this.#length);
    for (const [index, chunk] of this.#chunks.entries()) {
      const begin = index << CHUNK_BITS;
      all.set(chunk.subarray(0, Math.min(CHUNK, this.#length - begin)), begin);
    }
    return all;
  }
}
