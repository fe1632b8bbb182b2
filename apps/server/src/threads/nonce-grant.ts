/**
 * The timestamps that the main thread allows other threads to accept by themselves, in shared memory: a range of timestamps, all of them
 * reserved on disk, and the number of the log file to which nonces are written at present. Requests outside of it are passed
 * on to the main thread, which alone decides about clocks that step, full disks and lost logs.
 */

export class NonceGrant {
  readonly memory: SharedArrayBuffer;
  readonly #words: BigInt64Array;

  /** @param memory that of the thread that grants; by default new memory */
  constructor(memory = new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#words = new BigInt64Array(memory);
  }

  /** Grants timestamps, in seconds, both ends included, in place of those before. @param sequence the number of the log file */
  publish(from: number, to: number, sequence: number): void {
    Atomics.store(this.#words, 1, BigInt(sequence));
    Atomics.store(this.#words, 0, (BigInt(from) << 32n) | BigInt(to));
  }

  /** Grants nothing any more. */
  withdraw(): void {
    Atomics.store(this.#words, 0, 0n);
  }

  /** Returns whether a timestamp is granted. */
  covers(timestamp: number): boolean {
    const range = BigInt.asUintN(64, Atomics.load(this.#words, 0));
    return timestamp >= Number(range >> 32n) && timestamp <= Number(range & 0xffff_ffffn) && range !== 0n;
  }

  /** The number of the log file to which nonces are written at present. */
  get sequence(): number {
    return Number(Atomics.load(this.#words, 1));
  }
}
