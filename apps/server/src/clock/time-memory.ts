/**
 * The time of a world in memory that all threads of the server share: the main thread sets it, every thread reads the same.
 *
 * While the clock was never set, one word says so, and the time is the machine's. Otherwise the time is a line from an instant on, in
 * elapsed time, which is the same for all threads and does not step. The line ends at a horizon: the time of what is due next, which the
 * world's time does not pass before it has happened.
 *
 * A reader takes the numbers only if the version was even and the same before and afterwards.
 */
import type { Clock, WallClock } from '../world/clock.ts';

/** A time that goes on from an instant. */
export interface TimeLine {
  /** The world's time, */
  readonly world_ms: number;
  /** at this elapsed time. */
  readonly elapsed_ms: number;
  /** World time that passes in a unit of elapsed time; 0 where it stands. */
  readonly rate: number;
  /** The time beyond which it does not go for now. */
  readonly horizon_ms: number;
}

/** The elapsed time of windows of rate limits: `at` of a clock is `base`, and from there it passes with that clock. */
export interface LimitsLine {
  readonly follows: 'wall' | 'world';
  readonly base_ms: number;
  readonly at_ms: number;
}

const NEVER_SET = 0;
const VERSION_BYTES = 8;
const [WORLD, ELAPSED, RATE, HORIZON, FOLLOWS, BASE, AT] = [0, 1, 2, 3, 4, 5, 6] as const;
const NUMBERS = 7;

/** What is read of one version. */
interface Numbers extends TimeLine {
  readonly limits: LimitsLine;
}

export class TimeMemory {
  readonly buffer: SharedArrayBuffer;
  readonly #version: Int32Array;
  readonly #numbers: Float64Array;
  /** The last version that was read here, with its numbers. */
  #known: { readonly version: number; readonly numbers: Numbers } | undefined;
  /** This thread sets the time, */
  readonly #isOwn: boolean;
  /** and set these numbers last. It need not look at the shared memory, which for many worlds is in no cache of the processor. */
  #own: Numbers | undefined;

  /** @param buffer that of the thread that sets the time; by default new memory, for which this is the thread */
  constructor(buffer?: SharedArrayBuffer) {
    this.#isOwn = buffer === undefined;
    this.buffer = buffer ?? new SharedArrayBuffer(VERSION_BYTES + NUMBERS * Float64Array.BYTES_PER_ELEMENT);
    this.#version = new Int32Array(this.buffer, 0, 1);
    this.#numbers = new Float64Array(this.buffer, VERSION_BYTES);
  }

  /** The numbers; `undefined` while the clock was never set. */
  read(): Numbers | undefined {
    return this.#isOwn ? this.#own : this.#readShared();
  }

  #readShared(): Numbers | undefined {
    for (;;) {
      const version = Atomics.load(this.#version, 0);
      if (version === NEVER_SET) return undefined;
      if (this.#known?.version === version) return this.#known.numbers;
      const values = this.#numbers.slice();
      const at = (place: number) => values[place] ?? 0;
      const numbers: Numbers = {
        world_ms: at(WORLD),
        elapsed_ms: at(ELAPSED),
        rate: at(RATE),
        horizon_ms: at(HORIZON),
        limits: { follows: at(FOLLOWS) === 1 ? 'world' : 'wall', base_ms: at(BASE), at_ms: at(AT) },
      };
      if ((version & 1) === 1 || Atomics.load(this.#version, 0) !== version) continue;
      this.#known = { version, numbers };
      return numbers;
    }
  }

  /** Sets the time, for all threads. Only in the thread that writes. */
  publish(line: TimeLine, limits: LimitsLine): void {
    const { world_ms, elapsed_ms, rate, horizon_ms } = line;
    const { follows, base_ms, at_ms } = limits;
    this.#own = { world_ms, elapsed_ms, rate, horizon_ms, limits };
    const version = Atomics.load(this.#version, 0);
    Atomics.store(this.#version, 0, version | 1);
    this.#numbers.set([world_ms, elapsed_ms, rate, horizon_ms, follows === 'world' ? 1 : 0, base_ms, at_ms]);
    // Over 2^31 it goes on with negative numbers, and never comes by the one of a clock that was never set.
    const next = ((version | 1) + 1) | 0;
    Atomics.store(this.#version, 0, next === NEVER_SET ? 2 : next);
  }
}

/** The clock of a world, as any thread reads it. */
export class SharedTime implements Clock {
  readonly #memory: TimeMemory;
  readonly #wall: WallClock;

  constructor(memory: TimeMemory, wall: WallClock) {
    this.#memory = memory;
    this.#wall = wall;
  }

  now(): number {
    const line = this.#memory.read();
    return line === undefined ? this.#wall.now() : timeOn(line, this.#wall);
  }
}

/** The time of a line. It does not go back while its rate, its horizon and its beginning only change at the present. */
function timeOn({ world_ms, elapsed_ms, rate, horizon_ms }: TimeLine, wall: WallClock): number {
  if (rate === 0) return world_ms;
  return Math.min(horizon_ms, Math.floor(world_ms + (wall.elapsed() - elapsed_ms) * rate));
}

/** The clock by which windows of rate limits pass: the machine's, or the world's where the world was told so. */
export class LimitsTime implements WallClock {
  readonly #memory: TimeMemory;
  readonly #wall: WallClock;

  constructor(memory: TimeMemory, wall: WallClock) {
    this.#memory = memory;
    this.#wall = wall;
  }

  now(): number {
    const known = this.#memory.read();
    return known?.limits.follows === 'world' ? timeOn(known, this.#wall) : this.#wall.now();
  }

  elapsed(): number {
    const known = this.#memory.read();
    if (known === undefined) return this.#wall.elapsed();
    const { follows, base_ms, at_ms } = known.limits;
    return base_ms + (follows === 'world' ? timeOn(known, this.#wall) : this.#wall.elapsed()) - at_ms;
  }
}
