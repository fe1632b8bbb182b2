/**
 * Blobs as files. A blob is written to a temporary file, synced, and renamed into place, so that a crash leaves the old
 * blob or the new one. Incomplete files of an earlier process are removed at the start: each server that shares the directory has its own.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { BlobsCopy } from '../../copies/copy-blobs.ts';
import type { CopyPart } from '../../copies/copy-part.ts';
import { errorCode, errorText } from '../../error-text.ts';
import {
  type BlobContent,
  BlobNotFoundError,
  type BlobStore,
  BlobStoreError,
  type ByteRange,
  checkBlobKey,
  checkBlobRange,
  type OpenBlob,
  pieces,
  type StoredBlob,
} from './blob-store.ts';

/** A store in a directory. Created by {@link DiskBlobStore.open}. */
export class DiskBlobStore implements BlobStore {
  readonly #blobs: string;
  readonly #incoming: string;
  readonly #isShared: boolean;
  readonly #copies = new Set<BlobsCopy>();
  #written = 0;

  /**
   * Opens the store in a directory, which is created when missing.
   * @param server tells the servers apart that have the directory open
   * @throws BlobStoreError when the directory cannot be used
   */
  static async open(directory: string, server?: string): Promise<DiskBlobStore> {
    const store = new DiskBlobStore(directory, server);
    return storing(`The folder of media ${directory} cannot be used`, async () => {
      await rm(store.#incoming, { recursive: true, force: true });
      await mkdir(store.#incoming, { recursive: true });
      await mkdir(store.#blobs, { recursive: true });
      await syncDirectory(directory);
      return store;
    });
  }

  private constructor(directory: string, server: string | undefined) {
    this.#blobs = join(directory, 'blobs');
    this.#isShared = server !== undefined;
    this.#incoming = server === undefined ? join(directory, 'incoming') : join(directory, 'incoming', server);
  }

  async put(key: string, content: BlobContent): Promise<StoredBlob> {
    checkBlobKey(key);
    const path = this.#path(key);
    const incoming = join(this.#incoming, String(++this.#written));
    const what = `The blob ${key} cannot be written`;
    const handle = await storing(what, () => open(incoming, 'wx'));
    try {
      const stored = await this.#fill(handle, content, what);
      await storing(what, async () => {
        await makeDurable(dirname(path), this.#blobs);
        await rename(incoming, path);
        await syncDirectory(dirname(path));
        // Before anybody is told of the blob, so that a copy has what its rows name.
        for (const copy of this.#copies) await copy.add(relative(this.#blobs, path));
      });
      return stored;
    } catch (error) {
      await rm(incoming, { force: true }).catch(() => {});
      throw error;
    }
  }

  async open(key: string, range?: ByteRange): Promise<OpenBlob> {
    checkBlobKey(key);
    if (range) checkBlobRange(key, range);
    const what = `The blob ${key} cannot be read`;
    const handle = await storing(what, () => found(open(this.#path(key), 'r')));
    if (!handle) throw new BlobNotFoundError(key);
    try {
      const { size } = await storing(what, () => handle.stat());
      if (range) checkBlobRange(key, range, size);
      return { size, body: handle.createReadStream({ autoClose: true, ...range }) };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async size(key: string): Promise<number | undefined> {
    checkBlobKey(key);
    const stats = await storing(`The blob ${key} cannot be read`, () => found(stat(this.#path(key))));
    return stats?.size;
  }

  async delete(key: string): Promise<void> {
    checkBlobKey(key);
    const path = this.#path(key);
    await storing(`The blob ${key} cannot be removed`, async () => {
      const wasThere = await found(unlink(path).then(() => true));
      if (wasThere) await syncDirectory(dirname(path));
    });
  }

  beginCopy(target: string): CopyPart {
    const copy = new BlobsCopy(this.#blobs, join(target, 'blobs'), () => this.#copies.delete(copy), this.#isShared);
    this.#copies.add(copy);
    return copy;
  }

  /** Begins a copy of the blobs of a store that is not open. */
  static copyOf(directory: string, target: string): CopyPart {
    return new BlobsCopy(join(directory, 'blobs'), join(target, 'blobs'), () => {});
  }

  async #fill(handle: FileHandle, content: BlobContent, what: string): Promise<StoredBlob> {
    const hash = createHash('sha256');
    let size = 0;
    try {
      for await (const piece of pieces(content)) {
        hash.update(piece);
        await storing(what, () => writeAll(handle, piece));
        size += piece.byteLength;
      }
      await storing(what, () => handle.sync());
    } finally {
      await handle.close();
    }
    return { size, sha256: hash.digest('hex') };
  }

  #path(key: string): string {
    return join(this.#blobs, pathOfBlob(key));
  }
}

/** The path of a blob: two levels of 256 directories; a slash cannot be in a file's name, and `+` cannot be in a key. */
export function pathOfBlob(key: string): string {
  const digest = createHash('sha256').update(key).digest('hex');
  return join(digest.slice(0, 2), digest.slice(2, 4), key.replaceAll('/', '+'));
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  let written = 0;
  while (written < bytes.byteLength) {
    written += (await handle.write(bytes, written, bytes.byteLength - written)).bytesWritten;
  }
}

/** Creates a directory, and its missing parents, whose entries survive a power loss. */
async function makeDurable(directory: string, root: string): Promise<void> {
  const first = await mkdir(directory, { recursive: true });
  if (first === undefined) return;
  for (let made = directory; made !== root; made = dirname(made)) await syncDirectory(dirname(made));
}

async function syncDirectory(directory: string): Promise<void> {
  // Windows cannot open a directory; its file system orders renames by itself.
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Returns the result, or `undefined` if the file does not exist. */
async function found<Result>(result: Promise<Result>): Promise<Result | undefined> {
  try {
    return await result;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function storing<Result>(what: string, action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    throw new BlobStoreError(`${what}: ${errorText(error)}`, { cause: error });
  }
}
