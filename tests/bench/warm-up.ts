/** Tells when a server under load has its code compiled. */
import type { ChildProcess } from 'node:child_process';
import { threadsOf } from './processes.ts';

/**
 * The name of the threads in which the engine compiles, and collects garbage beside the main thread. Versions of Node before 24 give
 * them no name of their own: what a request takes decides alone then.
 */
const ENGINE = 'V8Worker';

/** Processor time of the threads of the engine in a process so far, in microseconds. */
export function engineUs(child: ChildProcess): number {
  return threadsOf(child).reduce((sum, { name, us }) => (name === ENGINE ? sum + us : sum), 0);
}

/** The share of the time of a subject for which a server is under load at least before it is measured. */
export const LEAST_SHARE = 0.5;
/** It goes on until so many runs in a row have not lowered the processor time of a request */
export const SETTLED = 4;
/** by more than this share, */
const LOWER = 0.02;
/** and until the threads of the engine have had no more than this share of the processor time in them; */
const QUIET = 0.06;
/** but for so many times as long at most. */
const LONGEST = 20;

/** Processor time of a run, for each request. */
interface WarmingRun {
  readonly cpu_us: number;
  /** The part of it that threads of the engine took. */
  readonly engine_us: number;
}

/**
 * The runs of a server until its code is compiled, so that neither a short measurement nor the first of several compares a compiled
 * server with one that is not. What a request takes is no sign of that alone: a server seems settled between the first compiler of the engine and the
 * optimizing one, which begins after some 10,000 requests of a kind and takes as long as they do.
 */
export class WarmUp {
  readonly #began = performance.now();
  readonly #least_ms: number;
  readonly #last: WarmingRun[] = [];
  #lowest: number;
  #settled = 0;

  /** @param seconds those of the effort @param first the run of a server that was just started */
  constructor(seconds: number, { cpu_us }: WarmingRun) {
    this.#least_ms = seconds * LEAST_SHARE * 1000;
    this.#lowest = cpu_us;
  }

  add(run: WarmingRun): void {
    const { cpu_us } = run;
    this.#last.push(run);
    if (this.#last.length > SETTLED) this.#last.shift();
    this.#settled = cpu_us < this.#lowest * (1 - LOWER) ? 0 : this.#settled + 1;
    this.#lowest = Math.min(this.#lowest, cpu_us);
  }

  /** Whether the code is compiled, or has been waited for long enough. */
  get isDone(): boolean {
    const passed_ms = performance.now() - this.#began;
    if (passed_ms < this.#least_ms) return false;
    return (this.#settled >= SETTLED && this.#isQuiet) || passed_ms >= this.#least_ms * LONGEST;
  }

  get #isQuiet(): boolean {
    return this.#last.reduce((over, { cpu_us, engine_us }) => over + engine_us - QUIET * cpu_us, 0) <= 0;
  }
}
