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

/** Pairs of readings that are tried at most to find two that nothing came between. */
const READINGS = 100;
/** The time between two readings below which no other process had its turn, in milliseconds. */
const CLOSE_MS = 0.02;

/**
 * By how much one clock is ahead of another. The process may be held up between two readings, which would set the clocks of its threads
 * apart for good; the closest readings count.
 * @param read the clock that is behind, in milliseconds
 * @param readAhead the clock that is ahead, in milliseconds
 */
export function offsetOf(read: () => number, readAhead: () => number): number {
  let offset = Number.NaN;
  let least = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < READINGS && least > CLOSE_MS; tried++) {
    const before = read();
    const ahead = readAhead();
    const between = read() - before;
    if (between < least) {
      least = between;
      offset = ahead - before;
    }
  }
  return offset;
}

/** What had passed when the time of this thread began: one clock is behind both, and reading this one allocates nothing. */
const beforeThread_ms = offsetOf(
  () => performance.now(),
  () => {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1000 + nanoseconds / 1e6;
  },
);

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

  /** Whether no time passes but what is let pass. */
  get isFrozen(): boolean {
    return true;
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
