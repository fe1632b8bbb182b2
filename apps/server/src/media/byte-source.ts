/** Random access to stored bytes, so that a large video is never in memory as a whole. */
import type { BlobStore } from './blobs/blob-store.ts';
import { MediaRejectedError } from './inspection.ts';

/** Bytes with random access. */
export interface ByteSource {
  readonly size: number;
  /** Returns exactly `length` bytes from a position, or those up to the end if that comes first. */
  read(position: number, length: number): Promise<Uint8Array>;
}

/** Bytes in memory as a source. */
export function bytesSource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.byteLength,
    read: async (position, length) => bytes.subarray(position, position + length),
  };
}

/** The part of an open file that a source needs; Node's `FileHandle` satisfies it. */
export interface PositionedReader {
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
}

/**
 * An open file as a source.
 * @param size the file's size; it must not change while the source is in use
 */
export function fileSource(handle: PositionedReader, size: number): ByteSource {
  return {
    size,
    async read(position, length) {
      const wanted = Math.max(0, Math.min(length, size - position));
      const bytes = Buffer.allocUnsafe(wanted);
      let filled = 0;
      while (filled < wanted) {
        const { bytesRead } = await handle.read(bytes, filled, wanted - filled, position + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.subarray(0, filled);
    },
  };
}

/**
 * A stored blob as a source.
 * @param size the blob's size, as reported by `put`
 */
export function blobSource(store: BlobStore, key: string, size: number): ByteSource {
  return {
    size,
    async read(position, length) {
      const end = Math.min(position + length, size) - 1;
      if (end < position) return new Uint8Array();
      const { body } = await store.open(key, { start: position, end });
      const pieces: Uint8Array[] = [];
      for await (const piece of body) pieces.push(piece);
      return Buffer.concat(pieces);
    },
  };
}

const WINDOW_BYTES = 128 * 1024;

/** A source behind a moving window: small reads near each other cost one read of the source. */
export class SourceWindow {
  readonly #source: ByteSource;
  #bytes: Buffer = Buffer.alloc(0);
  #start = 0;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** The size of the source. */
  get size(): number {
    return this.#source.size;
  }

  /** Returns the bytes if they are in the window. */
  peek(position: number, length: number): Buffer | undefined {
    const from = position - this.#start;
    if (from < 0 || from + length > this.#bytes.length) return undefined;
    return this.#bytes.subarray(from, from + length);
  }

  /**
   * Returns the bytes, moving the window if they are outside.
   * @throws MediaRejectedError when the source is shorter
   */
  async at(position: number, length: number): Promise<Buffer> {
    const present = this.peek(position, length);
    if (present) return present;
    const read = await this.#source.read(position, Math.max(length, WINDOW_BYTES));
    this.#bytes = Buffer.from(read.buffer, read.byteOffset, read.byteLength);
    this.#start = position;
    if (this.#bytes.length < length)
      throw new MediaRejectedError('truncated', `The file ends at byte ${this.size}, too early.`);
    return this.#bytes.subarray(0, length);
  }
}
