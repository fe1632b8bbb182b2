/**
 * The time in which a process could read what its clients sent. While its thread is busy, or the machine gives it no processor,
 * bytes that have arrived wait unread, and timers that fall due fire before these are read. Such delays are not the clients'.
 */

/** The interval in which the process looks whether it is delayed, in milliseconds. */
const TICK_MS = 100;

interface Delay {
  /** When it was found, in milliseconds. */
  readonly at: number;
  readonly ms: number;
}

/** Measures the time of a process without its delays. */
export class ResponsiveTime {
  readonly #now: () => number;
  readonly #horizon_ms: number;
  #last: number;
  #elapsed = 0;
  #delays: Delay[] = [];

  /**
   * @param horizon_ms how long delays are remembered
   * @param now the time in milliseconds, from any origin
   */
  constructor(horizon_ms: number, now: () => number = () => performance.now()) {
    this.#horizon_ms = horizon_ms;
    this.#now = now;
    this.#last = now();
  }

  /** Time since the start in which the process was not delayed, in milliseconds. */
  get elapsed(): number {
    return this.#elapsed;
  }

  /** Calls a function after each tick, once what had arrived before it has been read. @returns ends it */
  start(look: () => void): () => void {
    this.#last = this.#now();
    const timer = setInterval(() => {
      this.tick();
      // The loop reads sockets between its timers and this.
      setImmediate(look);
    }, TICK_MS).unref();
    return () => clearInterval(timer);
  }

  /** Counts the time since the tick before: what exceeds twice its usual length is a delay. */
  tick(): void {
    const now = this.#now();
    const passed = now - this.#last;
    const counted = Math.min(passed, 2 * TICK_MS);
    this.#last = now;
    this.#elapsed += counted;
    if (passed > counted) this.#delays.push({ at: now, ms: passed - counted });
    const from = now - this.#horizon_ms;
    while (this.#delays[0] && this.#delays[0].at < from) this.#delays.shift();
  }

  /** The delays of the last `ms` milliseconds together; those that began before count whole. */
  delays(ms: number): number {
    this.tick();
    const from = this.#now() - ms;
    return this.#delays.reduce((sum, delay) => (delay.at < from ? sum : sum + delay.ms), 0);
  }
}
