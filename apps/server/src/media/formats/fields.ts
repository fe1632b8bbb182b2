import { MediaFault } from '../inspection.ts';

/** Numbers of a box's content, which may be shorter than it should be. */
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

  /** A number of 64 bits; past 2^53 it is not exact, and larger than any file or duration. */
  u64(at: number): number {
    return this.u32(at) * 2 ** 32 + this.u32(at + 4);
  }

  /** Version and flags of a full box. */
  get version(): number {
    return this.u8(0);
  }

  get flags(): number {
    return this.u32(0) & 0xffffff;
  }

  /** How many entries a table has, all of which are there. */
  entries(countAt: number, entryBytes: number): number {
    const count = this.u32(countAt);
    this.within(countAt + 4, count * entryBytes);
    return count;
  }

  /** Throws unless all of a stretch is there. */
  within(at: number, length: number): void {
    this.#within(at, length);
  }

  #within(at: number, length: number): Buffer {
    if (at + length <= this.#bytes.length) return this.#bytes;
    throw new MediaFault('broken', `The box "${this.#name}" of the video is shorter than what it should hold.`);
  }
}
