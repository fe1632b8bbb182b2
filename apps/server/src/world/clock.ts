import { formatTimestamp } from '@broadside/core';

/** The time of a world, in milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

/** The time of the machine. OAuth timestamps, rate-limit windows and logs stay on it even when a world's clock differs. */
export const wallClock: Clock = { now: () => Date.now() };

/** A clock that a test or a sandbox sets. */
export class ManualClock implements Clock {
  #now: number;

  /** @param now milliseconds since the epoch */
  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  /** Moves the clock on, or back when negative. */
  advance(ms: number): void {
    this.#now += ms;
  }
}

/** The clock's time as an advertising timestamp. */
export function timestamp(clock: Clock): string {
  return formatTimestamp(clock.now());
}
