/** Something of a size that can be dropped. */
export class Entry {
  newer: Entry | undefined;
  older: Entry | undefined;
  /** The stretch of additions in which it was put where it is. */
  stretch = 0;
  /** Bytes, by estimate. */
  readonly size: number;
  /** Takes it out of where it is looked up. */
  readonly drop: () => void;

  constructor(size: number, drop: () => void) {
    this.size = size;
    this.drop = drop;
  }
}

/** What is used again while less than this part of the limit is added stays where it is. */
const STRETCH = 1 / 64;

/**
 * Entries in the order of their last use, about. Together they are never larger than a limit: the least recently used go first. The order matters
 * only as far as something is added, so an entry is moved once in a stretch of additions: moving it looks at its neighbours, which are in no
 * cache of the processor.
 */
export class Recency {
  readonly #limit: number;
  #size = 0;
  #stretch = 0;
  /** Bytes that were added in this stretch. */
  #added = 0;
  #newest: Entry | undefined;
  #oldest: Entry | undefined;

  /** @param limit bytes, by estimate */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The size of all entries. */
  get size(): number {
    return this.#size;
  }

  add(entry: Entry): void {
    this.#size += entry.size;
    this.#added += entry.size;
    if (this.#added >= this.#limit * STRETCH) {
      this.#stretch += 1;
      this.#added = 0;
    }
    this.#link(entry);
    while (this.#size > this.#limit && this.#oldest) this.removeOldest();
  }

  use(entry: Entry): void {
    if (entry.stretch === this.#stretch || entry === this.#newest) return;
    this.#unlink(entry);
    this.#link(entry);
  }

  remove(entry: Entry): void {
    this.#size -= entry.size;
    this.#unlink(entry);
    entry.drop();
  }

  /** Removes the entry that was used longest ago, if there is one. */
  removeOldest(): void {
    if (this.#oldest) this.remove(this.#oldest);
  }

  #link(entry: Entry): void {
    entry.stretch = this.#stretch;
    entry.older = this.#newest;
    if (this.#newest) this.#newest.newer = entry;
    else this.#oldest = entry;
    this.#newest = entry;
  }

  #unlink(entry: Entry): void {
    const { newer, older } = entry;
    if (newer) newer.older = older;
    else this.#newest = older;
    if (older) older.newer = newer;
    else this.#oldest = newer;
    entry.newer = undefined;
    entry.older = undefined;
  }
}
