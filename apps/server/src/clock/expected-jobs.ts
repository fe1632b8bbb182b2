import type { Jobs } from '../jobs/jobs.ts';
import type { WallClock } from '../world/clock.ts';

/** A write that was to add a job and has not after this long was rolled back. */
export const EXPECTED_MS = 2_000;

/** Jobs that writes under way add: a running clock does not pass their times before it is known what became of them. */
export class ExpectedJobs {
  readonly #wall: Pick<WallClock, 'elapsed'>;
  readonly #jobs = new Map<number, { readonly due_ms: number; readonly until_ms: number }>();

  constructor(wall: Pick<WallClock, 'elapsed'>) {
    this.#wall = wall;
  }

  /** The number of jobs that are expected. */
  get size(): number {
    return this.#jobs.size;
  }

  add(id: number, due_ms: number): void {
    this.#jobs.set(id, { due_ms, until_ms: this.#wall.elapsed() + EXPECTED_MS });
  }

  forget(id: number): void {
    this.#jobs.delete(id);
  }

  /** Forgets those that are there now, or were rolled back. @returns when the first of the others is due; infinity where there is none */
  async next(jobs: Pick<Jobs, 'exists'>): Promise<number> {
    for (const [id, { until_ms }] of this.#jobs) {
      if (this.#wall.elapsed() > until_ms || (await jobs.exists(id))) this.#jobs.delete(id);
    }
    return Math.min(...Array.from(this.#jobs.values(), ({ due_ms }) => due_ms));
  }
}
