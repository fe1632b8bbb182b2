/** A map that holds a bounded number of entries and forgets the one unused for longest. */
export class LruMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #bound: number;

  constructor(bound: number) {
    this.#bound = bound;
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    // A map iterates in order of insertion, so using an entry means inserting it anew. While there is room, nothing is
    // going to be forgotten and the order does not matter.
    if (value !== undefined && this.#entries.size >= this.#bound) {
      this.#entries.delete(key);
      this.#entries.set(key, value);
    }
    return value;
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    if (this.#entries.size >= this.#bound) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    this.#entries.set(key, value);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}
