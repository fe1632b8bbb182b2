/** The first block has so many bytes; each further one twice as many, */
const FIRST_BYTES = 4_096;
/** up to so many. */
const BLOCK_BYTES = 65_536;
/** Numbers of a block. */
const BLOCK_NUMBERS = 1_024;

/**
 * Texts as bytes, in blocks. The collector of garbage copies young objects that live on, again and again until they are old, and what a journal
 * keeps lives for a thousand requests: as objects it cost nearly a tenth of a read.
 */
export class PackedTexts {
  #block = Buffer.alloc(0);
  #used = 0;
  #next = FIRST_BYTES;
  /** Where the text that was added last is in its block, */
  at = 0;
  /** and the number of its bytes. */
  length = 0;

  /** Adds a text. @returns the block that has it, at {@link at}: no object is made for it alone */
  add(text: string): Buffer {
    // A character has three bytes at most.
    if (this.#block.length - this.#used < text.length * 3) this.#makeRoom(Buffer.byteLength(text));
    this.at = this.#used;
    this.length = this.#block.write(text, this.#used);
    this.#used += this.length;
    return this.#block;
  }

  #makeRoom(bytes: number): void {
    if (this.#block.length - this.#used >= bytes) return;
    this.#block = Buffer.allocUnsafeSlow(Math.max(this.#next, bytes));
    this.#used = 0;
    this.#next = Math.min(BLOCK_BYTES, this.#next * 2);
  }
}

/** Numbers in blocks, as {@link PackedTexts} are: with a fraction, or beyond 31 bits, each would be an object. */
export class PackedNumbers {
  #block = new Float64Array(0);
  #used = 0;
  #next = BLOCK_NUMBERS / 16;
  /** The first place that was taken last. */
  at = 0;

  /** Takes places for numbers. @returns the block that has them, at {@link at} */
  take(count: number): Float64Array {
    if (this.#block.length - this.#used < count) {
      this.#block = new Float64Array(Math.max(this.#next, count));
      this.#used = 0;
      this.#next = Math.min(BLOCK_NUMBERS, this.#next * 2);
    }
    this.at = this.#used;
    this.#used += count;
    return this.#block;
  }
}
