import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work that takes long gives way to everything else after so long. */
const SLICE_MS = 4;

/** Cuts long work into slices, between which the process does what waits. */
export class Pace {
  #began = performance.now();

  /** To be awaited between steps. Resolves at once until the slice is over. */
  async step(): Promise<void> {
    if (performance.now() - this.#began < SLICE_MS) return;
    await nextTurn();
    this.#began = performance.now();
  }
}
