import type { Happening } from '@broadside/core/resources/control/clock';
import type { Happened } from '../jobs/job-queue.ts';

/** What is told of an advance at most (our choice); the rest is counted. */
const MOST_TOLD = 1_000;

/** Collects what happens, in order: the first of it, and its number. */
export class Happenings {
  readonly told: Happening[] = [];
  total = 0;

  /** @param at_ms not before the one of the last call */
  note(at_ms: number, { account_id, environment, ...happened }: Happened): void {
    this.total++;
    if (this.told.length >= MOST_TOLD) return;
    this.told.push({
      at: new Date(at_ms).toISOString(),
      ...happened,
      ...(account_id === undefined ? {} : { account_id }),
      ...(environment === undefined ? {} : { environment }),
    });
  }

  /** Adds what happened after it. */
  append({ told, total }: Happenings): void {
    this.told.push(...told.slice(0, MOST_TOLD - this.told.length));
    this.total += total;
  }
}
