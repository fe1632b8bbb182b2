/** Repeats what has failed at Redis, once a second, until it has succeeded. */
const RETRY_MS = 1000;

export class Repeated {
  #closed = false;

  /** Does some work. @throws what it throws the first time; it is then repeated, unless this is closed */
  async run(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#later(work);
      throw error;
    }
  }

  close(): void {
    this.#closed = true;
  }

  #later(work: () => Promise<void>): void {
    const timer = setTimeout(() => {
      if (!this.#closed) work().catch(() => this.#later(work));
    }, RETRY_MS);
    timer.unref();
  }
}
