/** Bits of a unit of an H.264 stream (ITU-T H.264, clauses 7.2 and 9.1). */

/** Thrown where a stream is damaged, or uses what is not supported. Does not leave `decodePicture`'s callers unhandled: the neutral picture stays. */
export class UndecodableError extends Error {
  override readonly name = 'UndecodableError';
}

/** Reads numbers from the payload of a unit. */
export class BitReader {
  readonly #bytes: Uint8Array;
  /** Position in bits. */
  position = 0;
  readonly #end: number;

  /** @param bytes a payload without emulation prevention, see {@link payload} */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#end = bytes.length * 8;
  }

  /** Reads up to 24 bits without moving; zeros after the end. */
  peek(count: number): number {
    const at = this.position >> 3;
    const bytes = this.#bytes;
    const word =
      (((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)) >>>
      0;
    return ((word << (this.position & 7)) >>> 0) >>> (32 - count);
  }

  /** Moves on. @throws UndecodableError beyond the end */
  skip(count: number): void {
    this.position += count;
    if (this.position > this.#end) throw new UndecodableError('the data end too early');
  }

  /** Reads a number of up to 32 bits. */
  bits(count: number): number {
    if (count > 24) return this.bits(count - 16) * 0x10000 + this.bits(16);
    if (count === 0) return 0;
    const value = this.peek(count);
    this.skip(count);
    return value;
  }

  bit(): boolean {
    return this.bits(1) === 1;
  }

  /** Reads an Exp-Golomb code, `ue(v)`. */
  unsigned(): number {
    let zeros = 0;
    while (this.bits(1) === 0) {
      if (++zeros > 31) throw new UndecodableError('a number has more than 32 bits');
    }
    return 2 ** zeros - 1 + this.bits(zeros);
  }

  /** Reads a signed Exp-Golomb code, `se(v)`. */
  signed(): number {
    const code = this.unsigned();
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
  }

  /** Moves to the next whole byte, and returns its position. */
  align(): number {
    this.position = (this.position + 7) & ~7;
    return this.position >> 3;
  }

  /** The bytes that are read. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** True while there is more before the trailing bits (`more_rbsp_data`). */
  get hasMore(): boolean {
    let last = this.#bytes.length - 1;
    while (last >= 0 && this.#bytes[last] === 0) last--;
    if (last < 0) return false;
    const trailing = Math.clz32((this.#bytes[last] ?? 0) & -(this.#bytes[last] ?? 0)) - 24;
    return this.position < last * 8 + trailing;
  }
}

/** Returns the payload of a unit: without its first byte, and without emulation prevention (clause 7.4.1). */
export function payload(unit: Uint8Array): Uint8Array {
  const out = new Uint8Array(Math.max(0, unit.length - 1));
  let length = 0;
  let zeros = 0;
  for (let at = 1; at < unit.length; at++) {
    const byte = unit[at] ?? 0;
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    out[length++] = byte;
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return out.subarray(0, length);
}
