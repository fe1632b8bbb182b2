/** Texts that are kept for long, as bytes. */

/** The first block has so many bytes; each further one twice as many, */
const FIRST_BYTES = 4_096;
/** up to so many. */
const BLOCK_BYTES = 65_536;

/** Where a text is. */
export interface PackedText {
  readonly block: Buffer;
  readonly at: number;
  readonly length: number;
}

/**
 * Packs texts into blocks. The collector of garbage copies young objects that live on, again and again until they are old, and what a journal
 * keeps lives for a thousand requests: as texts of their own, bodies of answers were a third of that work.
 */
export class PackedTexts {
  #block = Buffer.alloc(0);
  #used = 0;
  #next = FIRST_BYTES;

  /** Adds a text. */
  add(text: string): PackedText {
    // A character has three bytes at most.
    if (this.#block.length - this.#used < text.length * 3) this.#makeRoom(Buffer.byteLength(text));
    const at = this.#used;
    const length = this.#block.write(text, at);
    this.#used += length;
    return { block: this.#block, at, length };
  }

  #makeRoom(bytes: number): void {
    if (this.#block.length - this.#used >= bytes) return;
    this.#block = Buffer.allocUnsafeSlow(Math.max(this.#next, bytes));
    this.#used = 0;
    this.#next = Math.min(BLOCK_BYTES, this.#next * 2);
  }
}

/** The text again; halves of characters have become U+FFFD. */
export function textOf({ block, at, length }: PackedText): string {
  return block.toString('utf8', at, at + length);
}
