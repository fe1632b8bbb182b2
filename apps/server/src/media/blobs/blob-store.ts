/** Storage of the bytes of media: named, immutable once written except by another `put`, and listed by checks only. */
import type { Readable } from 'node:stream';
import type { CopyPart } from '../../copies/copy-part.ts';

/** Bytes to store: all at once, or as a stream. */
export type BlobContent = Uint8Array | AsyncIterable<Uint8Array>;

/** Bytes `start` to `end`, both inclusive, as in HTTP. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Result of `put`. */
export interface StoredBlob {
  readonly size: number;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly sha256: string;
}

/** A blob open for reading. */
export interface OpenBlob {
  /** The size of the whole blob, even when a range of it is read. */
  readonly size: number;
  /** The requested bytes. Must be read to the end or destroyed. */
  readonly body: Readable;
}

/** A store of blobs. Keys are checked by {@link checkBlobKey} in every call. */
export interface BlobStore {
  /**
   * Stores bytes under a key, replacing any earlier blob. Resolves when they are durable; readers see either the old bytes or the
   * new ones, never a mix. When the content throws, its error is thrown and nothing is stored.
   */
  put(key: string, content: BlobContent): Promise<StoredBlob>;
  /**
   * Opens a blob.
   * @param range must lie within the blob
   * @throws BlobNotFoundError
   */
  open(key: string, range?: ByteRange): Promise<OpenBlob>;
  /** Returns the size of a blob; `undefined` if there is none. */
  size(key: string): Promise<number | undefined>;
  /** Removes a blob, if it exists. */
  delete(key: string): Promise<void>;
  /** The keys of all objects of the place, which others may have too. Undefined where the bytes are files. */
  list?(): AsyncIterable<string>;
  /**
   * Keeps blobs that are removed from now on until they are released, for a backup that reads them one by one. Undefined where the bytes are files, of
   * which {@link beginCopy} holds its own.
   */
  hold?(): () => Promise<void>;
  /** Begins a copy of all blobs into a directory, from which `openBlobStore` opens them. */
  beginCopy(target: string): CopyPart;
}

/** An invalid key. A bug of the caller: keys are made by the server, never by clients. */
export class BlobKeyError extends Error {
  override readonly name = 'BlobKeyError';
  constructor(key: string) {
    super(`${JSON.stringify(key.slice(0, 200))} cannot be the key of a blob.`);
  }
}

/** There is no blob of this key. */
export class BlobNotFoundError extends Error {
  override readonly name = 'BlobNotFoundError';
  constructor(key: string) {
    super(`There is no blob ${key}.`);
  }
}

/** A range outside the blob. */
export class BlobRangeError extends Error {
  override readonly name = 'BlobRangeError';
  constructor(key: string, range: ByteRange, size: number | undefined) {
    const actual = size === undefined ? '' : ` of ${size} bytes`;
    super(`Bytes ${range.start} to ${range.end} are not within the blob ${key}${actual}.`);
  }
}

/** The store failed. The message is one line for an operator; `cause` is the original error. */
export class BlobStoreError extends Error {
  override readonly name: string = 'BlobStoreError';
}

const KEY = /^[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)*$/;
const LONGEST_KEY = 200;

/**
 * Rejects invalid keys. A key has up to 200 lower-case letters, digits, `.`, `_` and `-`, in segments separated by `/` that
 * start with a letter or digit. No such key escapes a directory, and no two differ in case alone.
 * @throws BlobKeyError
 */
export function checkBlobKey(key: string): void {
  if (key.length > LONGEST_KEY || !KEY.test(key)) throw new BlobKeyError(key);
}

/**
 * Rejects a range that no blob can have.
 * @throws BlobRangeError
 */
export function checkBlobRange(key: string, range: ByteRange, size?: number): void {
  const { start, end } = range;
  const isRange = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end >= start;
  if (!isRange || (size !== undefined && end >= size)) throw new BlobRangeError(key, range, size);
}

/** Content as chunks. */
export async function* pieces(content: BlobContent): AsyncGenerator<Uint8Array> {
  if (content instanceof Uint8Array) yield content;
  else yield* content;
}

/** A store for a thread that does not touch bytes. */
export const unavailableBlobs: BlobStore = {
  put: unavailable,
  open: unavailable,
  size: unavailable,
  delete: unavailable,
  beginCopy: () => {
    throw new TypeError('the bytes of media are in the main thread only');
  },
};

async function unavailable(): Promise<never> {
  throw new TypeError('the bytes of media are in the main thread only');
}

/** The object store does not respond, or says that it cannot at the moment. The same may work later. */
export class BlobStoreAwayError extends BlobStoreError {
  override readonly name = 'BlobStoreAwayError';
}
