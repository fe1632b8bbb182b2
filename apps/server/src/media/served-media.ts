/** Media as they are served to anybody who knows their address. */
import type { Database } from '../db/database.ts';
import { randomText, systemRandom } from '../world/random.ts';
import type { BlobStore, ByteRange, OpenBlob } from './blobs/blob-store.ts';
import { STILL_TYPE } from './stills/still.ts';
import { readLinked, readServed, readStill, type ServedRow } from './store.ts';

interface Services {
  readonly database: Database;
  readonly blobs: BlobStore;
  /** True where the names of blobs follow from the seed of a world, which hands them out again after a reset. */
  readonly hasRepeatedNames: boolean;
}

export class ServedMedia {
  readonly #services: Services;
  /** Tells the blobs of this world from those that had their names before a reset. */
  readonly #suffix: string;

  constructor(services: Services) {
    this.#services = services;
    this.#suffix = services.hasRepeatedNames ? `-${randomText(systemRandom, 12)}` : '';
  }

  /** Whether an address always returns the same bytes, so that browsers may keep them for good. */
  get isImmutable(): boolean {
    return !this.#services.hasRepeatedNames;
  }

  /** Returns the tag that identifies the bytes served under a name, without quotes. */
  tagOf(blob_key: string): string {
    return `${blob_key}${this.#suffix}`;
  }

  /** Returns the file served under a name; `undefined` if there is none. */
  async find(blob_key: string): Promise<ServedRow | undefined> {
    const { database, blobs } = this.#services;
    const still = await readStill(database, blob_key);
    if (!still) return readServed(database, blob_key);
    const total_bytes = await blobs.size(blob_key);
    return total_bytes === undefined ? undefined : { ...still, content_type: STILL_TYPE, total_bytes };
  }

  /** Returns the blob that a short link leads to; `undefined` if there is none. */
  linked(code: string): Promise<string | undefined> {
    return readLinked(this.#services.database, code);
  }

  /** Opens the bytes of a served file. @throws BlobNotFoundError */
  open(blob_key: string, range?: ByteRange): Promise<OpenBlob> {
    return this.#services.blobs.open(blob_key, range);
  }
}
