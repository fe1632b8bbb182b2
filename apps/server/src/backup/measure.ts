import { createHash } from 'node:crypto';
import type { Bytes } from './place.ts';

/** Bytes on the way: their number and SHA-256. */
export class Measure {
  readonly #source: Bytes;
  readonly #seen: (bytes: number) => void;
  readonly #hash = createHash('sha256');
  #digest: string | undefined;
  length = 0;

  /** @param seen called with the length of each piece */
  constructor(source: Bytes, seen: (bytes: number) => void = () => {}) {
    this.#source = source;
    this.#seen = seen;
  }

  /** In hexadecimal, once all bytes have been read. */
  get sha256(): string {
    this.#digest ??= this.#hash.digest('hex');
    return this.#digest;
  }

  async *bytes(): AsyncGenerator<Uint8Array> {
    for await (const piece of this.#source) {
      this.#hash.update(piece);
      this.length += piece.byteLength;
      this.#seen(piece.byteLength);
      yield piece;
    }
  }
}
