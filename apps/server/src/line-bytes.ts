/**
 * Lines of text that wait to be written, as bytes in memory that is used again. A line is encoded soon, while the pieces that it is put
 * together from are in the caches of the processor: see ADR 0017.
 */

/** Characters that are encoded together: a native call for each line would cost more. */
const STEP_CHARACTERS = 4096;
/** The most bytes that UTF-8 has for a unit of a string. */
const BYTES_EACH = 3;

/** See the top of this file. */
export class LineBytes {
  readonly #usual: number;
  /** Text that is not encoded yet. */
  #text = '';
  #room: Buffer | undefined;
  #filled = 0;
  /** Memory that was given back. */
  #spare: Buffer | undefined;

  /** @param usual bytes that are usually taken at once; memory for much more is not kept */
  constructor(usual: number) {
    this.#usual = usual + 2 * BYTES_EACH * STEP_CHARACTERS;
  }

  /** The number of bytes; text that is not encoded yet counts as one for each unit of a string. */
  get length(): number {
    return this.#filled + this.#text.length;
  }

  add(line: string): void {
    this.#text += line;
    if (this.#text.length >= STEP_CHARACTERS) this.#encode();
  }

  /** Adds lines that are encoded already. */
  addBytes(lines: Uint8Array): void {
    this.#encode();
    this.#roomFor(lines.length).set(lines, this.#filled);
    this.#filled += lines.length;
  }

  /** Takes all bytes. The caller owns them until it gives them back. */
  take(): Buffer {
    this.#encode();
    const taken = this.#room?.subarray(0, this.#filled) ?? Buffer.alloc(0);
    this.#room = undefined;
    this.#filled = 0;
    return taken;
  }

  /** Gives back what was taken, or a part of it, when nobody uses it any more. */
  giveBack({ buffer }: Buffer): void {
    // What a slow reader has made large is not kept.
    if (buffer.byteLength === this.#usual) this.#spare = Buffer.from(buffer);
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
    const room = this.#larger(needed);
    this.#room?.copy(room, 0, 0, this.#filled);
    this.#room = room;
    return room;
  }

  #larger(needed: number): Buffer {
    const spare = this.#spare;
    if (spare === undefined || spare.length < needed) {
      return Buffer.allocUnsafeSlow(Math.max(this.#usual, needed, 2 * this.#filled));
    }
    this.#spare = undefined;
    return spare;
  }
}
