/** Where the bytes of media lie: named, immutable once written except by another `put`, and never listed. */
import type { Readable } from 'node:stream';

/** Bytes to store: all at once, or as they come. */
export type BlobContent = Uint8Array | AsyncIterable<Uint8Array>;

/** Bytes `start` to `end`, both included, as HTTP counts them. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** What `put` has stored. */
export interface StoredBlob {
  readonly size: number;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly sha256: string;
}

/** A blob that is being read. */
export interface OpenBlob {
  /** The size of the whole blob, also when a range of it is read. */
  readonly size: number;
  /** The bytes asked for. Must be read to its end or destroyed. */
  readonly body: Readable;
}

/** A store of blobs. Keys are checked by {@link checkBlobKey} in every call. */
export interface BlobStore {
  /**
   * Stores bytes under a key, in place of what was there. Resolves when they are durable; readers see the old bytes or the
   * new ones, whole. When the content throws, its error is thrown and nothing is stored.
   */
  put(key: string, content: BlobContent): Promise<StoredBlob>;
  /**
   * Opens a blob.
   * @param range must lie within the blob
   * @throws BlobNotFoundError
   */
  open(key: string, range?: ByteRange): Promise<OpenBlob>;
  /** The size of a blob; `undefined` if there is none. */
  size(key: string): Promise<number | undefined>;
  /** Removes a blob. Does nothing when there is none. */
  delete(key: string): Promise<void>;
}

/** A key that cannot be one. A bug of the caller: keys are made by the server, never by its callers. */
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

/** A range that does not lie within the blob. */
export class BlobRangeError extends Error {
  override readonly name = 'BlobRangeError';
  constructor(key: string, range: ByteRange, size: number | undefined) {
    const actual = size === undefined ? '' : ` of ${size} bytes`;
    super(`Bytes ${range.start} to ${range.end} are not within the blob ${key}${actual}.`);
  }
}

/** The store failed. The message is one line for an operator; `cause` is what failed. */
export class BlobStoreError extends Error {
  override readonly name = 'BlobStoreError';
}

const KEY = /^[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)*$/;
const LONGEST_KEY = 200;

/**
 * Refuses what is no key: up to 200 lower-case letters, digits, `.`, `_` and `-`, in parts separated by `/` that begin with
 * a letter or digit. No such key climbs out of a folder, and none differs from another in case alone.
 * @throws BlobKeyError
 */
export function checkBlobKey(key: string): void {
  if (key.length > LONGEST_KEY || !KEY.test(key)) throw new BlobKeyError(key);
}

/**
 * Refuses a range that no blob has.
 * @throws BlobRangeError
 */
export function checkBlobRange(key: string, range: ByteRange, size?: number): void {
  const { start, end } = range;
  const isRange = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end >= start;
  if (!isRange || (size !== undefined && end >= size)) throw new BlobRangeError(key, range, size);
}

/** Content as pieces. */
export async function* pieces(content: BlobContent): AsyncGenerator<Uint8Array> {
  if (content instanceof Uint8Array) yield content;
  else yield* content;
}
