/** Holds requests back while the rate limit is used up, so that none is sent only to be rejected with 429. */
import type { RateLimits } from '../rate-limits.ts';

/** A clock and a timer. */
export interface Waiting {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly pause: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** Follows the limits that answers report. */
export class Pacer {
  readonly #waiting: Waiting;
  #limits: RateLimits = {};
  /** Requests that went out after the last answer, which its figures cannot include. */
  #sinceAnswer = 0;

  constructor(waiting: Waiting) {
    this.#waiting = waiting;
  }

  /** Waits until a request can be sent, and counts it. @throws the reason of the signal */
  async next(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      const ms = this.#resetAt() - this.#waiting.now();
      if (ms <= 0) break;
      await this.#waiting.pause(ms, signal);
    }
    this.#sinceAnswer += 1;
  }

  /** Takes the limits of an answer. */
  answered(limits: RateLimits): void {
    this.#limits = limits;
    this.#sinceAnswer = Math.max(0, this.#sinceAnswer - 1);
  }

  /** The end of the latest window in which nothing is left; 0 when something is left in all. */
  #resetAt(): number {
    const { user, account } = this.#limits;
    const used = [user, account].filter((state) => state !== undefined && state.remaining <= this.#sinceAnswer);
    return Math.max(0, ...used.map((state) => state?.reset_at.getTime() ?? 0));
  }
}
