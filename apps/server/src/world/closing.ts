/** What waits for the end of a world, and what its end waits for. */
export class Closing {
  /** Work that needs the world open. */
  readonly #working = new Set<Promise<unknown>>();
  readonly #listeners: (() => void)[] = [];
  readonly #before: (() => Promise<void>)[] = [];

  /** Does some work, for which {@link begin} waits. */
  async keepOpen<Result>(work: () => Promise<Result>): Promise<Result> {
    const working = work();
    this.#working.add(working);
    try {
      return await working;
    } finally {
      this.#working.delete(working);
    }
  }

  /** Calls back when the world begins to close. */
  onClose(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Does a work before anything of the world is closed. */
  beforeClose(work: () => Promise<void>): void {
    this.#before.push(work);
  }

  /**
   * Tells who listens, and waits for work that needs the world open.
   * @param last whether to do what comes before the end: not where another state takes the place of the world
   */
  async begin({ last }: { readonly last: boolean }): Promise<void> {
    for (const listener of this.#listeners) listener();
    await Promise.allSettled(this.#working);
    // What cannot be written is lost, as after a crash.
    if (last) await Promise.allSettled(this.#before.map((work) => work()));
  }
}
