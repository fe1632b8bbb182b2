/**
 * Slows down who guesses passwords: so many failures for one account, and so many from one network address, in a window
 * that begins with the first. On wall time; kept in memory, a restart opens new windows.
 */

import QuickLRU from 'quick-lru';
import type { Clock } from '../world/clock.ts';

/** How long failures count. */
export const THROTTLE_WINDOW_MS = 15 * 60_000;
/** Failures for one screen name, whether or not somebody has it. */
export const ACCOUNT_FAILURES = 10;
/** Failures from one address: people share addresses, so it takes more. */
export const ADDRESS_FAILURES = 50;

/** A bound on what guessing under many names can make us remember. */
const KEPT = 100_000;

interface Window {
  failures: number;
  readonly ends_ms: number;
}

export class SignInThrottle {
  readonly #clock: Clock;
  readonly #windows = new QuickLRU<string, Window>({ maxSize: KEPT });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Counts an attempt as failed before it is made, so that attempts side by side cannot slip through.
   * @returns how many seconds to wait when it may not be made at all; it counts for nothing then
   */
  begin(screen_name: string, address: string): number | undefined {
    const keys = [accountKey(screen_name), addressKey(address)] as const;
    const [account, network] = [this.#known(keys[0]), this.#known(keys[1])];
    const now = this.#clock.now();
    const until = Math.max(
      account && account.failures >= ACCOUNT_FAILURES ? account.ends_ms : now,
      network && network.failures >= ADDRESS_FAILURES ? network.ends_ms : now,
    );
    // Nothing is remembered of who is refused: an address at its limit could else make the failures of accounts forgotten.
    if (until > now) return Math.ceil((until - now) / 1000);
    for (const key of keys) this.#fail(key);
    return undefined;
  }

  /** The attempt succeeded after all: the account is its owner's, and the address has one failure less. */
  succeeded(screen_name: string, address: string): void {
    this.#windows.delete(accountKey(screen_name));
    const network = this.#known(addressKey(address));
    if (network) network.failures = Math.max(0, network.failures - 1);
  }

  #known(key: string): Window | undefined {
    const window = this.#windows.get(key);
    return window && window.ends_ms > this.#clock.now() ? window : undefined;
  }

  #fail(key: string): void {
    const known = this.#known(key);
    if (known) known.failures += 1;
    else this.#windows.set(key, { failures: 1, ends_ms: this.#clock.now() + THROTTLE_WINDOW_MS });
  }
}

function accountKey(screen_name: string): string {
  return `u${screen_name.toLowerCase().slice(0, 50)}`;
}

/** A household or a machine has a whole /64 of IPv6 addresses. */
function addressKey(address: string): string {
  const mapped = /^::ffff:(?=\d+\.)/i.exec(address)?.[0] ?? '';
  if (mapped !== '' || !address.includes(':')) return `a${address.slice(mapped.length)}`;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const full =
    tail === undefined
      ? groups
      : [...groups, ...Array(Math.max(0, 8 - groups.length - rest.length)).fill('0'), ...rest];
  return `a${full.slice(0, 4).join(':')}`;
}
