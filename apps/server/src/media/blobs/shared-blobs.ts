/**
 * Blobs of an object store that copies of a world share. A copy has the same objects by reference, so nothing may take them from the
 * others: once there is a copy, neither the world nor the copy removes objects any more. Our choice: counting who has which object would
 * need a store that all worlds write, and space in an object store is cheap.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CopyPart } from '../../copies/copy-part.ts';
import { syncDirectory } from '../../members/durable-file.ts';
import type { BlobContent, BlobStore, ByteRange, OpenBlob, StoredBlob } from './blob-store.ts';

/** Returns whether the objects of a world are shared with another. @param directory where it has its own media */
export function isShared(directory: string): boolean {
  return existsSync(markOf(directory));
}

/** Notes that objects are shared. Durable when it returns, but for the name of the directory. */
export function markShared(directory: string): void {
  if (isShared(directory)) return;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(markOf(directory), '', { mode: 0o600, flush: true });
  syncDirectory(directory);
}

function markOf(directory: string): string {
  return path.join(directory, 'shared');
}

export class SharedBlobs implements BlobStore {
  readonly #objects: Omit<BlobStore, 'beginCopy'>;
  readonly #directory: string;
  #holders = 0;
  /** Keys of objects that are to be removed when nobody holds them. After a crash they stay. */
  readonly #removed = new Set<string>();

  /** @param directory of the world, for the note */
  constructor(objects: Omit<BlobStore, 'beginCopy'>, directory: string) {
    this.#objects = objects;
    this.#directory = directory;
  }

  put(key: string, content: BlobContent): Promise<StoredBlob> {
    return this.#objects.put(key, content);
  }

  open(key: string, range?: ByteRange): Promise<OpenBlob> {
    return this.#objects.open(key, range);
  }

  size(key: string): Promise<number | undefined> {
    return this.#objects.size(key);
  }

  list(): AsyncIterable<string> {
    return this.#objects.list?.() ?? nothing();
  }

  async delete(key: string): Promise<void> {
    if (isShared(this.#directory)) return;
    if (this.#holders > 0) this.#removed.add(key);
    else await this.#objects.delete(key);
  }

  hold(): () => Promise<void> {
    this.#holders += 1;
    return async () => {
      this.#holders -= 1;
      if (this.#holders > 0) return;
      const keys = [...this.#removed];
      this.#removed.clear();
      for (const key of keys) await this.delete(key);
    };
  }

  beginCopy(target: string): CopyPart {
    return {
      before: async () => {
        // The name of the directory too, before there is a copy.
        markShared(this.#directory);
        syncDirectory(path.dirname(this.#directory));
      },
      look: () => {},
      after: async () => markShared(target),
      end: () => {},
    };
  }
}

async function* nothing(): AsyncGenerator<string> {}
