/** Copies the bytes of media. A blob is never written again, so a copy is a second name of it where the file system has those. */
import { type Dirent, existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from '../error-text.ts';
import { canLink, copyWhole, isMissing, syncFile, syncNames } from './copy-file.ts';
import type { CopyPart } from './copy-part.ts';

/** Milliseconds that the event loop is held at most. */
const TURN_MS = 4;

/** Copies the blobs of a directory. */
export class BlobsCopy implements CopyPart {
  readonly #from: string;
  readonly #to: string;
  readonly #seen: () => void;
  readonly #isShared: boolean;
  readonly #made = new Set<string>();

  /**
   * @param from the directory of the blobs; it need not be there
   * @param isShared other servers put blobs there too, which {@link add} is not told of
   * @param seen called when the copy has all that it is to have, perhaps again later
   */
  constructor(from: string, to: string, seen: () => void, isShared = false) {
    this.#from = from;
    this.#isShared = isShared;
    this.#to = to;
    this.#seen = seen;
  }

  /**
   * Copies what is there. What comes until the instant is to be copied by {@link add}; so the copy has all that was there at the instant,
   * though it may have been removed before it could have been copied after that.
   */
  async before(): Promise<void> {
    await this.#copy(() => true);
  }

  async #copy(isWanted: (file: string) => boolean): Promise<void> {
    let began = performance.now();
    for (const file of filesBelow(this.#from, '')) {
      if (isWanted(file)) await this.add(file);
      if (performance.now() - began < TURN_MS) continue;
      await new Promise<void>((resolve) => setImmediate(resolve));
      began = performance.now();
    }
  }

  /** Copies one blob. @param file its path in the directory */
  async add(file: string): Promise<void> {
    const to = path.join(this.#to, file);
    const directory = path.dirname(to);
    this.#make(directory, path.dirname(this.#to));
    try {
      if (canLink(path.join(this.#from, file), to)) return;
      await copyWhole(path.join(this.#from, file), to);
      await syncFile(to);
    } catch (error) {
      // It was removed, or copied already.
      if (!isMissing(error) && !isThere(error)) throw error;
    }
  }

  /** Makes a directory and those above it, up to one in which the first of them is made. */
  #make(directory: string, above: string): void {
    if (this.#made.has(directory)) return;
    if (directory === above) mkdirSync(directory, { recursive: true, mode: 0o700 });
    else {
      this.#make(path.dirname(directory), above);
      mkdirSync(directory, { mode: 0o700 });
    }
    this.#made.add(directory);
  }

  look(): void {
    this.#seen();
  }

  /** Makes the names durable. */
  async after(): Promise<void> {
    // Nobody removes any meanwhile: what was there at the instant is there.
    if (this.#isShared) await this.#copy((file) => !existsSync(path.join(this.#to, file)));
    await Promise.all(Array.from(this.#made, syncNames));
  }

  end(): void {
    this.#seen();
  }
}

function isThere(error: unknown): boolean {
  return errorCode(error) === 'EEXIST';
}

function* filesBelow(root: string, folder: string): Generator<string> {
  for (const entry of entriesOf(path.join(root, folder))) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(root, name);
    else if (entry.isFile()) yield name;
  }
}

function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
