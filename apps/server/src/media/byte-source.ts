/** Bytes that are read where they lie, so that a large video is never held whole. */
import type { BlobStore } from './blobs/blob-store.ts';
import { MediaFault } from './inspection.ts';

/** Bytes with random access. */
export interface ByteSource {
  readonly size: number;
  /** The bytes from a position. Exactly `length` of them, or those up to the end where that comes first. */
  read(position: number, length: number): Promise<Uint8Array>;
}

/** Bytes in memory as a source. */
export function bytesSource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.byteLength,
    read: async (position, length) => bytes.subarray(position, position + length),
  };
}

/** What a source needs of an open file; `FileHandle` of Node is one. */
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
 * @param size the blob's size, as `put` told it
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

/** A source seen through one window that moves: small reads near each other cost one read of the source. */
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

  /** The bytes if they are in the window. */
  peek(position: number, length: number): Buffer | undefined {
    const from = position - this.#start;
    if (from < 0 || from + length > this.#bytes.length) return undefined;
    return this.#bytes.subarray(from, from + length);
  }

  /**
   * The bytes, moving the window where they are outside.
   * @throws MediaFault when the source ends before
   */
  async at(position: number, length: number): Promise<Buffer> {
    const present = this.peek(position, length);
    if (present) return present;
    const read = await this.#source.read(position, Math.max(length, WINDOW_BYTES));
    this.#bytes = Buffer.from(read.buffer, read.byteOffset, read.byteLength);
    this.#start = position;
    if (this.#bytes.length < length)
      throw new MediaFault('truncated', `The file ends at byte ${this.size}, too early.`);
    return this.#bytes.subarray(0, length);
  }
}
