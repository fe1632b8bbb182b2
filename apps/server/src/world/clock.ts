import { formatTimestamp } from '@broadside/core';

/** The time of a world, in milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

/**
 * A clock that people and time servers set, so that it may step forward and back, and beside it the time that has passed.
 * Instants that others compare with their own clocks are read from the first, durations from the second.
 */
export interface WallClock extends Clock {
  /** Milliseconds that have passed since some instant, the same for all threads of this process. Never goes back. */
  elapsed(): number;
}

/** What had passed when the time of this thread began: one clock is behind both, and reading this one allocates nothing. */
const beforeThread_ms = sinceBoot() - performance.now();

function sinceBoot(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

/** The time of the machine. OAuth timestamps, rate-limit windows and logs stay on it even when a world's clock differs. */
export const wallClock: WallClock = {
  now: () => Date.now(),
  // performance.now() alone begins anew in each thread.
  elapsed: () => beforeThread_ms + performance.now(),
};

/** A clock that a test or a sandbox sets. */
export class ManualClock implements WallClock {
  #now: number;
  #elapsed = 0;

  /** @param now milliseconds since the epoch */
  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  elapsed(): number {
    return this.#elapsed;
  }

  /** Lets time pass; a negative number sets the clock back, as {@link step} does. */
  advance(ms: number): void {
    this.#now += ms;
    if (ms > 0) this.#elapsed += ms;
  }

  /** Sets the clock forward, or back when negative, while no time passes. */
  step(ms: number): void {
    this.#now += ms;
  }
}

/** The clock's time as an advertising timestamp. */
export function timestamp(clock: Clock): string {
  const second = Math.floor(clock.now() / 1000);
  if (latest.second !== second) latest = { second, text: formatTimestamp(second * 1000) };
  return latest.text;
}

/** The timestamp that was asked for last: most ask within the same second. */
let latest = { second: Number.NaN, text: '' };
