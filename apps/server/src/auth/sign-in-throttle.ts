/**
 * Slows down password guessing: a maximum number of failures for one account, and for one network address, in a window
 * that starts with the first, and lasts as long whatever is done to the clock. In memory only, so a restart opens new windows.
 */

import QuickLRU from 'quick-lru';
import type { WallClock } from '../world/clock.ts';
import { networkOf } from './network-address.ts';

/** Window in which failures count. */
export const THROTTLE_WINDOW_MS = 15 * 60_000;
/** Maximum failures for one screen name, whether or not the account exists. */
export const ACCOUNT_FAILURES = 10;
/** Maximum failures from one address: people share addresses, so it is higher. */
export const ADDRESS_FAILURES = 50;

/** Bounds the memory that guessing under many names can use. */
const KEPT = 100_000;

interface Window {
  failures: number;
  readonly ends_ms: number;
}

export class SignInThrottle {
  readonly #clock: WallClock;
  readonly #windows = new QuickLRU<string, Window>({ maxSize: KEPT });

  constructor(clock: WallClock) {
    this.#clock = clock;
  }

  /**
   * Counts an attempt as failed before it is made, so that concurrent attempts cannot slip through.
   * @returns the seconds to wait when the attempt is rejected; it is not counted then
   */
  begin(screen_name: string, address: string): number | undefined {
    const keys = [accountKey(screen_name), addressKey(address)] as const;
    const [account, network] = [this.#known(keys[0]), this.#known(keys[1])];
    const now = this.#clock.elapsed();
    const until = Math.max(
      account && account.failures >= ACCOUNT_FAILURES ? account.ends_ms : now,
      network && network.failures >= ADDRESS_FAILURES ? network.ends_ms : now,
    );
    // Nothing is stored for a rejected attempt: otherwise an address at its limit could evict the failures of accounts.
    if (until > now) return Math.ceil((until - now) / 1000);
    for (const key of keys) this.#fail(key);
    return undefined;
  }

  /** Records that the attempt succeeded: clears the account, and removes one failure from the address. */
  succeeded(screen_name: string, address: string): void {
    this.#windows.delete(accountKey(screen_name));
    const network = this.#known(addressKey(address));
    if (network) network.failures = Math.max(0, network.failures - 1);
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

function accountKey(screen_name: string): string {
  return `u${screen_name.toLowerCase().slice(0, 50)}`;
}

function addressKey(address: string): string {
  return `a${networkOf(address)}`;
}
