/**
 * Watches whether the machine itself does its work: a disk that is shared can take seconds to sync a file, and a process can get no processor. Deadlines
 * pass then with nothing wrong with any part of a platform.
 */
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const INTERVAL_MS = 200;
/** What takes longer than this is a stall: a fifth of what a store has to answer, for it may have to sync more than once. */
const STALL_MS = 1000;

export class Machine {
  readonly #file: FileHandle;
  /** When the look that is under way began. */
  #began = performance.now();
  #stalls: { readonly until: number; readonly ms: number }[] = [];
  #isOver = false;
  #looking: Promise<void> = Promise.resolve();

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Begins to watch the disk of a directory. */
  static async watch(directory: string): Promise<Machine> {
    const machine = new Machine(await open(path.join(directory, 'sync'), 'w'));
    machine.#looking = machine.#look();
    return machine;
  }

  /** The longest stall of at least a second that ended after a time or goes on, in milliseconds; 0 without one. @param time of `performance` */
  stalledSince(time: number): number {
    const now = performance.now() - this.#began - INTERVAL_MS;
    const before = this.#stalls.filter(({ until }) => until >= time).map(({ ms }) => ms);
    return Math.max(0, ...before, now > STALL_MS ? now : 0);
  }

  /** Ends the watch. */
  end(): Promise<void> {
    this.#isOver = true;
    return this.#looking;
  }

  async #look(): Promise<void> {
    while (!this.#isOver) {
      this.#began = performance.now();
      await sleep(INTERVAL_MS);
      await this.#file.write('.', 0);
      await this.#file.sync();
      const until = performance.now();
      const ms = until - this.#began - INTERVAL_MS;
      if (ms > STALL_MS) this.#stalls.push({ until, ms });
    }
    await this.#file.close();
  }
}
