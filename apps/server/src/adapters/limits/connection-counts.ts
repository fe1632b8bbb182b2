/** Counts of open connections, in all and by address. */
export interface ConnectionCounts {
  /** Counts one more. @returns the counts with it */
  add(address: string): { readonly open: number; readonly own: number };
  remove(address: string): void;
}

/** The counts of a process of one thread. */
export class LocalConnectionCounts implements ConnectionCounts {
  readonly #byAddress = new Map<string, number>();
  #open = 0;

  add(address: string): { readonly open: number; readonly own: number } {
    const own = (this.#byAddress.get(address) ?? 0) + 1;
    this.#open += 1;
    this.#byAddress.set(address, own);
    return { open: this.#open, own };
  }

  remove(address: string): void {
    this.#open -= 1;
    const own = (this.#byAddress.get(address) ?? 1) - 1;
    if (own > 0) this.#byAddress.set(address, own);
    else this.#byAddress.delete(address);
  }
}
