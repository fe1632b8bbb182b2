/**
 * Lines of text that wait to be written, as bytes. Each line is a tree of the pieces that it was put together from. While some
 * hundred lines were kept as such trees and turned into bytes at once, that took 4 % of the processor time of a small read: the pieces had
 * left the caches of the processor, and collections of garbage had copied them meanwhile. So a few lines at a time become
 * bytes, in memory that is used again.
 */

/** Characters that become bytes together: a native call for each line would cost more. */
const STEP_CHARACTERS = 4096;
/** The most bytes that UTF-8 has for a unit of a string. */
const BYTES_EACH = 3;

/** See the top of this file. */
export class LineBytes {
  readonly #usual: number;
  /** Those that are no bytes yet. */
  #text = '';
  #room: Buffer | undefined;
  #filled = 0;
  /** Memory of which nothing is used. */
  #spare: Buffer | undefined;

  /** @param usual bytes that are usually taken at once; memory for much more is not kept */
  constructor(usual: number) {
    this.#usual = usual + 2 * BYTES_EACH * STEP_CHARACTERS;
  }

  /** The number of bytes, in which the latest characters count as one each. */
  get length(): number {
    return this.#filled + this.#text.length;
  }

  add(line: string): void {
    this.#text += line;
    if (this.#text.length >= STEP_CHARACTERS) this.#encode();
  }

  /** Adds lines that are bytes already. */
  addBytes(lines: Uint8Array): void {
    this.#encode();
    this.#roomFor(lines.length).set(lines, this.#filled);
    this.#filled += lines.length;
  }

  /** Takes all bytes. They are nobody else's until they are given back. */
  take(): Buffer {
    this.#encode();
    const taken = this.#room?.subarray(0, this.#filled) ?? Buffer.alloc(0);
    this.#room = this.#spare;
    this.#spare = undefined;
    this.#filled = 0;
    return taken;
  }

  /** Gives bytes back that were taken, or a part of them, when nobody uses them any more. */
  giveBack({ buffer, length }: Buffer): void {
    // Others share the memory of an empty one, and what a slow reader has made large is not kept.
    if (length > 0 && buffer.byteLength === this.#usual) this.#spare = Buffer.from(buffer);
  }

  #encode(): void {
    if (this.#text === '') return;
    this.#filled += this.#roomFor(BYTES_EACH * this.#text.length).write(this.#text, this.#filled);
    this.#text = '';
  }

  /** The memory, with room for so many bytes more. */
  #roomFor(more: number): Buffer {
    const needed = this.#filled + more;
    if (this.#room !== undefined && this.#room.length >= needed) return this.#room;
    const room = Buffer.allocUnsafeSlow(Math.max(this.#usual, needed, 2 * this.#filled));
    this.#room?.copy(room, 0, 0, this.#filled);
    this.#room = room;
    return room;
  }
}
