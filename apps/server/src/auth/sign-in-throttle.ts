/**
 * Slows down password guessing: a maximum number of failures for one account from one network address, for an address, and for an
 * account from all addresses, in a window
 * that starts with the first, and lasts as long whatever is done to the clock. In memory only, so a restart opens new windows.
 */

import QuickLRU from 'quick-lru';
import type { Awaitable } from '../awaitable.ts';
import type { WallClock } from '../world/clock.ts';
import { networkOf } from './network-address.ts';

/** Window in which failures count. */
export const THROTTLE_WINDOW_MS = 15 * 60_000;
/** Maximum failures for one screen name from one address, whether or not the account exists. */
export const PAIR_FAILURES = 10;
/**
 * Maximum failures for one screen name from all addresses. Above it, only addresses from which its owner has signed in before may
 * try, so that an attacker with many addresses neither goes on nor keeps the owner out.
 */
export const ACCOUNT_FAILURES = 100;
/** Maximum failures from one address: people share addresses, so it is higher. */
export const ADDRESS_FAILURES = 50;

/** Bounds the memory that guessing under many names can use. */
const KEPT = 100_000;

/** Counts attempts to sign in. */
export interface Throttle {
  /**
   * Counts an attempt as failed before it is made, so that concurrent attempts cannot slip through.
   * @returns the seconds to wait when the attempt is rejected; it is not counted then
   */
  begin(screen_name: string, address: string): Awaitable<number | undefined>;
  /** Records that the attempt succeeded: clears the account at this address, and takes one failure off the address and the account. */
  succeeded(screen_name: string, address: string): Awaitable<void>;
}

interface Window {
  failures: number;
  readonly ends_ms: number;
}

/** The throttle of one server. */
export class SignInThrottle implements Throttle {
  readonly #clock: WallClock;
  readonly #windows = new QuickLRU<string, Window>({ maxSize: KEPT });
  /** The addresses from which people have signed in, with their names. */
  readonly #owners = new QuickLRU<string, true>({ maxSize: KEPT });

  constructor(clock: WallClock) {
    this.#clock = clock;
  }

  begin(screen_name: string, address: string): number | undefined {
    const { pair, address: from, account } = throttleKeys(screen_name, address);
    const limits = [
      [pair, PAIR_FAILURES],
      [from, ADDRESS_FAILURES],
      [account, this.#owners.has(pair) ? Number.POSITIVE_INFINITY : ACCOUNT_FAILURES],
    ] as const;
    const now = this.#clock.elapsed();
    let until = now;
    for (const [key, most] of limits) {
      const window = this.#known(key);
      if (window && window.failures >= most) until = Math.max(until, window.ends_ms);
    }
    // Nothing is stored for a rejected attempt: otherwise an address at its limit could evict the failures of accounts.
    if (until > now) return Math.ceil((until - now) / 1000);
    for (const [key] of limits) this.#fail(key);
    return undefined;
  }

  succeeded(screen_name: string, address: string): void {
    const { pair, address: from, account } = throttleKeys(screen_name, address);
    this.#windows.delete(pair);
    this.#owners.set(pair, true);
    for (const key of [from, account]) {
      const window = this.#known(key);
      if (window) window.failures = Math.max(0, window.failures - 1);
    }
  }

  #known(key: string): Window | undefined {
    const window = this.#windows.get(key);
    return window && window.ends_ms > this.#clock.elapsed() ? window : undefined;
  }

  #fail(key: string): void {
    const known = this.#known(key);
    if (known) known.failures += 1;
    else this.#windows.set(key, { failures: 1, ends_ms: this.#clock.elapsed() + THROTTLE_WINDOW_MS });
  }
}

/** The keys by which an attempt counts. */
export function throttleKeys(
  screen_name: string,
  address: string,
): { readonly pair: string; readonly address: string; readonly account: string } {
  const account = `u${screen_name.toLowerCase().slice(0, 50)}`;
  const from = `a${networkOf(address)}`;
  return { pair: `${account}\n${from}`, address: from, account };
}
