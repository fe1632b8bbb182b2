/** A clock that runs, and that a test can put forward. */
import { type WallClock, wallClock } from '@broadside/server';

export class RunningClock implements WallClock {
  #ahead_ms = 0;

  now(): number {
    return wallClock.now() + this.#ahead_ms;
  }

  elapsed(): number {
    return wallClock.elapsed() + this.#ahead_ms;
  }

  /** Does something at a later time, and comes back to the present. */
  async later<Result>(ms: number, act: () => Promise<Result>): Promise<Result> {
    this.#ahead_ms += ms;
    try {
      return await act();
    } finally {
      this.#ahead_ms -= ms;
    }
  }
}
