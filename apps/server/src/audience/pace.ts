import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work that takes long gives way to everything else after so long. */
const SLICE_MS = 4;

/** Cuts long work into slices, between which the process does what waits. */
export class Pace {
  #began = performance.now();

  /** Whether the slice is over: for steps so small that awaiting each would be most of the work. */
  get isOver(): boolean {
    return performance.now() - this.#began >= SLICE_MS;
  }

  /** To be awaited between steps. Resolves at once until the slice is over. */
  async step(): Promise<void> {
    if (!this.isOver) return;
    await nextTurn();
    this.#began = performance.now();
  }
}
