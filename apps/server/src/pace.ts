import { setImmediate as nextTurn } from 'node:timers/promises';

/** Long work yields to other work after this long, */
const SLICE_MS = 4;
/** or after this fraction of the time that other work took before, or it would starve on a busy server; */
const SHARE = 0.1;
/** but it never blocks other work for longer than this. */
const LONGEST_SLICE_MS = 20;

/** Divides long work into slices, between which the process handles pending work. */
export class Pace {
  readonly #now: () => number;
  #began: number;
  #slice = SLICE_MS;

  /** @param now the time in milliseconds, from any origin */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#began = now();
  }

  /** Returns whether the slice is over: for steps so small that awaiting each would dominate the cost. */
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

/** A pace as long work uses it. */
export type Slices = Pick<Pace, 'isOver' | 'step'>;

/** Runs a generator, and lets other work pass between its steps. */
export async function inTurns<Step, Result>(
  steps: Generator<Step, Result>,
  use?: (step: Step) => void,
): Promise<Result> {
  const pace = new Pace();
  for (;;) {
    const { done, value } = steps.next();
    if (!done) use?.(value);
    if (pace.isOver) await pace.step();
    // Whatever comes next begins with a slice of its own.
    if (done) return value;
  }
}
