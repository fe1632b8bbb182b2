/** The longest turn of the event loop of this thread, by the processor time that it took: other work on the machine does not lengthen that. */

/** Time between two looks: a turn is found to be longer than it was by at most this, or by turns that were as short. */
const LOOK_MS = 1;

export class Turns {
  #timer: NodeJS.Timeout | undefined;
  #longest_us = 0;

  /** Begins to look. */
  start(): void {
    let before = process.threadCpuUsage();
    this.#timer = setInterval(() => {
      const { user, system } = process.threadCpuUsage(before);
      before = process.threadCpuUsage();
      this.#longest_us = Math.max(this.#longest_us, user + system);
    }, LOOK_MS);
  }

  /** Ends looking. @returns the longest turn in milliseconds */
  stop(): number {
    clearInterval(this.#timer);
    return this.#longest_us / 1000;
  }
}
