import { MediaRejectedError } from '../inspection.ts';

/** Numeric fields of a box's content, which may be truncated. */
export class Fields {
  readonly #bytes: Buffer;
  readonly #name: string;

  constructor(bytes: Buffer, name: string) {
    this.#bytes = bytes;
    this.#name = name;
  }

  get length(): number {
    return this.#bytes.length;
  }

  u8(at: number): number {
    return this.#within(at, 1).readUInt8(at);
  }

  u16(at: number): number {
    return this.#within(at, 2).readUInt16BE(at);
  }

  u32(at: number): number {
    return this.#within(at, 4).readUInt32BE(at);
  }

  i32(at: number): number {
    return this.#within(at, 4).readInt32BE(at);
  }

  /** Reads a 64-bit number; beyond 2^53 it is not exact, and larger than any file or duration. */
  u64(at: number): number {
    return this.u32(at) * 2 ** 32 + this.u32(at + 4);
  }

  /** Reads version and flags of a full box. */
  get version(): number {
    return this.u8(0);
  }

  get flags(): number {
    return this.u32(0) & 0xffffff;
  }

  /** Returns the number of entries of a table, all of which are present. */
  entries(countAt: number, entryBytes: number): number {
    const count = this.u32(countAt);
    this.within(countAt + 4, count * entryBytes);
    return count;
  }

  /** Returns the bytes from a position to another. */
  slice(from: number, to: number): Buffer {
    return this.#within(from, to - from).subarray(from, to);
  }

  /** Throws unless a range is present completely. */
  within(at: number, length: number): void {
    this.#within(at, length);
  }

  #within(at: number, length: number): Buffer {
    if (at + length <= this.#bytes.length) return this.#bytes;
    throw new MediaRejectedError('broken', `The box "${this.#name}" of the video is shorter than what it should hold.`);
  }
}
