/**
 * Windows of rate limits in memory that all threads of the server share: each request is counted exactly once, whichever
 * thread serves it.
 *
 * A window is two words: 64 bits of the hash of its key, and its count together with its end, which are changed by one
 * compare-and-exchange, so that a request is counted in exactly one window, also at the instant at which one ends. A place
 * that a key has taken stays its own until the main thread sweeps, which takes place while no thread counts.
 *
 * Memory is bounded. A key for which there is no place shares a window with others (`our choice`: such callers can be
 * rejected early, and never get more than their limit).
 */
import { hash } from 'node:crypto';
import QuickLRU from 'quick-lru';

/** The memory, as one thread hands it to another. */
export interface SharedWindowMemory {
  readonly head: SharedArrayBuffer;
  readonly offset: SharedArrayBuffer;
  readonly slots: SharedArrayBuffer;
}

/** A window after a request was counted in it. */
export interface CountedWindow {
  readonly count: number;
  /** In elapsed time. */
  readonly ends_ms: number;
  /** The same in wall time. */
  readonly reset_ms: number;
}

/** Difference from which on the clock was set, rather than adjusted, and the time that a window ends is another one. */
export const STEP_MS = 1000;

const PLACES = 2 ** 17;
/** Windows that keys share for which there is no place. */
const COMMON_PLACES = 2 ** 12;
const PROBES = 64;

/** Words of the head: whether a sweep is under way, keys in the table, and from there a word for each thread: whether it counts. */
const SWEEPING = 0;
const KEYS = 1;
const FIRST_THREAD = 2;
const MOST_THREADS = 256;

const FREE = 0n;

// Count and end share a word: 30 bits count requests, more than a limit can be; 34 bits are the end in milliseconds, modulo
// 198 days. Windows last 12 days at most, and expired ones are swept, so that is unambiguous.
const COUNT_BITS = 30n;
const MOST_COUNTED = 2 ** 30 - 1;
const TIME_MODULUS = 2 ** 34;

export class SharedWindows {
  readonly memory: SharedWindowMemory;
  readonly #head: Int32Array;
  readonly #slots: BigInt64Array;
  readonly #offset: BigInt64Array;
  readonly #thread: number;
  readonly #prints = new QuickLRU<string, bigint>({ maxSize: 10_000 });

  /**
   * Takes part in memory that another thread made.
   * @param thread the number of this thread among those of the server, from 0, below 256
   */
  constructor(memory: SharedWindowMemory, thread: number) {
    if (thread < 0 || thread >= MOST_THREADS) throw new RangeError(`there is no room for thread ${thread}`);
    this.memory = memory;
    this.#head = new Int32Array(memory.head);
    this.#slots = new BigInt64Array(memory.slots);
    this.#offset = new BigInt64Array(memory.offset);
    this.#thread = FIRST_THREAD + thread;
  }

  static create(): SharedWindows {
    const head = new SharedArrayBuffer((FIRST_THREAD + MOST_THREADS) * Int32Array.BYTES_PER_ELEMENT);
    const slots = new SharedArrayBuffer((PLACES + COMMON_PLACES) * 2 * BigInt64Array.BYTES_PER_ELEMENT);
    const offset = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
    return new SharedWindows({ head, slots, offset }, 0);
  }

  /** The number of keys that have a window of their own, ended or not. */
  get keys(): number {
    return Atomics.load(this.#head, KEYS);
  }

  /**
   * Counts a request in the window of a key; begins one where there is none or the last has ended.
   * @param now_ms elapsed time in whole milliseconds, the same in all threads
   */
  take(key: string, window_ms: number, now_ms: number, wall_ms: number): CountedWindow {
    this.#enter();
    try {
      const print = this.#fingerprint(key);
      const at = this.#place(print) ?? PLACES + Number(BigInt.asUintN(32, print) & BigInt(COMMON_PLACES - 1));
      const { count, ends_ms } = this.#count(at * 2 + 1, window_ms, now_ms);
      return { count, ends_ms, reset_ms: ends_ms + this.#wallOffset(Math.floor(wall_ms) - now_ms) };
    } finally {
      this.#leave();
    }
  }

  /**
   * Removes windows that have ended. Only in the main thread.
   * @param always also while there is room for twice as many
   * @returns false when another thread counted for so long that nothing could be done; the next sweep will do it
   */
  sweep(now_ms: number, always = false): boolean {
    if (!always && Atomics.load(this.#head, KEYS) < PLACES / 2) return true;
    Atomics.store(this.#head, SWEEPING, 1);
    try {
      if (!this.#allOut()) return false;
      const kept: (readonly [print: bigint, state: bigint])[] = [];
      for (let at = 0; at < PLACES; at++) {
        const [print = FREE, state = FREE] = this.#slots.subarray(at * 2, at * 2 + 2);
        if (print !== FREE && remaining(state, now_ms) > 0) kept.push([print, state]);
      }
      this.#slots.fill(FREE, 0, PLACES * 2);
      Atomics.store(this.#head, KEYS, 0);
      for (const [print, state] of kept) {
        const at = this.#place(print);
        if (at !== undefined) this.#slots[at * 2 + 1] = state;
      }
      return true;
    } finally {
      Atomics.store(this.#head, SWEEPING, 0);
      Atomics.notify(this.#head, SWEEPING);
    }
  }

  /** Forgets that a thread was counting, which it cannot be any more. */
  ended(thread: number): void {
    Atomics.store(this.#head, FIRST_THREAD + thread, 0);
  }

  /** Wall time less elapsed time. All threads take the same, so that all responses of a window say the same. */
  #wallOffset(own: number): number {
    const shared = Atomics.load(this.#offset, 0);
    if (shared !== FREE && Math.abs(Number(shared) - own) <= STEP_MS) return Number(shared);
    const before = Atomics.compareExchange(this.#offset, 0, shared, BigInt(own));
    return before === shared ? own : Number(Atomics.load(this.#offset, 0));
  }

  #enter(): void {
    for (;;) {
      Atomics.store(this.#head, this.#thread, 1);
      if (Atomics.load(this.#head, SWEEPING) === 0) return;
      Atomics.store(this.#head, this.#thread, 0);
      Atomics.wait(this.#head, SWEEPING, 1, 100);
    }
  }

  #leave(): void {
    Atomics.store(this.#head, this.#thread, 0);
  }

  /** Waits until no other thread counts, for a moment at most. */
  #allOut(): boolean {
    for (let thread = FIRST_THREAD; thread < FIRST_THREAD + MOST_THREADS; thread++) {
      for (let spins = 0; Atomics.load(this.#head, thread) !== 0; spins++) if (spins > 1_000_000) return false;
    }
    return true;
  }

  #fingerprint(key: string): bigint {
    const known = this.#prints.get(key);
    if (known !== undefined) return known;
    const found = hash('sha256', key, 'buffer').readBigInt64LE(0);
    const print = found === FREE ? 1n : found;
    this.#prints.set(key, print);
    return print;
  }

  /** The place of a key, which it takes where it has none; `undefined` where there is none left. */
  #place(print: bigint): number | undefined {
    const start = Number(BigInt.asUintN(32, print >> 32n));
    for (let probe = 0; probe < PROBES; probe++) {
      const at = (start + probe) & (PLACES - 1);
      let value = Atomics.load(this.#slots, at * 2);
      if (value === FREE) {
        value = Atomics.compareExchange(this.#slots, at * 2, FREE, print);
        if (value === FREE) {
          Atomics.add(this.#head, KEYS, 1);
          return at;
        }
      }
      if (value === print) return at;
    }
    return undefined;
  }

  #count(at: number, window_ms: number, now_ms: number): Pick<CountedWindow, 'count' | 'ends_ms'> {
    for (;;) {
      const state = Atomics.load(this.#slots, at);
      const left = remaining(state, now_ms);
      const ends_ms = left > 0 ? now_ms + left : now_ms + window_ms;
      const count = left > 0 ? Math.min(Number(state & (2n ** COUNT_BITS - 1n)) + 1, MOST_COUNTED) : 1;
      const next = BigInt.asIntN(64, (BigInt(ends_ms % TIME_MODULUS) << COUNT_BITS) | BigInt(count));
      if (Atomics.compareExchange(this.#slots, at, state, next) === state) return { count, ends_ms };
    }
  }
}

/** Milliseconds that a window still lasts; 0 where it has ended, and where there is none yet. */
function remaining(state: bigint, now_ms: number): number {
  if (state === FREE) return 0;
  const ends = Number(BigInt.asUintN(64, state) >> COUNT_BITS);
  const left = (ends - (now_ms % TIME_MODULUS) + TIME_MODULUS) % TIME_MODULUS;
  return left < TIME_MODULUS / 2 ? left : 0;
}
