import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work that takes long gives way to everything else after so long, */
const SLICE_MS = 4;
/** or after this part of the time that everything else took before, or it would come to nothing on a busy server; */
const SHARE = 0.1;
/** but it never holds up the rest for longer than this. */
const LONGEST_SLICE_MS = 20;

/** Cuts long work into slices, between which the process does what waits. */
export class Pace {
  readonly #now: () => number;
  #began: number;
  #slice = SLICE_MS;

  /** @param now the time in milliseconds, from any beginning */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#began = now();
  }

  /** Whether the slice is over: for steps so small that awaiting each would be most of the work. */
  get isOver(): boolean {
    return this.#now() - this.#began >= this.#slice;
  }

  /** To be awaited between steps. Resolves at once until the slice is over. */
  async step(): Promise<void> {
    if (!this.isOver) return;
    const left = this.#now();
    await nextTurn();
    this.#began = this.#now();
    this.#slice = Math.min(LONGEST_SLICE_MS, Math.max(SLICE_MS, (this.#began - left) * SHARE));
  }
}
