/** The pieces of a body as they arrive. */

/** Pieces below this size are copied into blocks: each would otherwise keep an object, and what was received with it, in memory. */
const SMALL_BYTES = 1_024;
const BLOCK_BYTES = 65_536;

/** Collects pieces in about as much memory as they have bytes. */
export class BodyPieces {
  readonly #parts: Uint8Array[] = [];
  /** The last part, where small pieces are copied into it, and how much of it is in use. */
  #block: Uint8Array | undefined;
  #used = 0;
  #size = 0;

  /** The bytes so far. */
  get size(): number {
    return this.#size;
  }

  /** The objects that hold them. */
  get parts(): number {
    return this.#parts.length;
  }

  /** Adds a piece. */
  add(piece: Uint8Array): void {
    this.#size += piece.byteLength;
    if (piece.byteLength >= SMALL_BYTES) {
      this.#endBlock();
      this.#parts.push(piece);
      return;
    }
    if (this.#block === undefined || this.#used + piece.byteLength > BLOCK_BYTES) {
      this.#endBlock();
      // Most bodies are of one piece, and need no block.
      if (this.#parts.length === 0) {
        this.#parts.push(piece);
        return;
      }
      this.#block = new Uint8Array(BLOCK_BYTES);
      this.#parts.push(this.#block);
    }
    this.#block.set(piece, this.#used);
    this.#used += piece.byteLength;
  }

  /** All bytes. */
  whole(): Buffer {
    this.#endBlock();
    const [first] = this.#parts;
    return first instanceof Buffer && this.#parts.length === 1 ? first : Buffer.concat(this.#parts);
  }

  #endBlock(): void {
    if (this.#block === undefined) return;
    this.#parts[this.#parts.length - 1] = this.#block.subarray(0, this.#used);
    this.#block = undefined;
    this.#used = 0;
  }
}
