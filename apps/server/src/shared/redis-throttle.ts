/** The throttle of sign-in over all servers. */
import { hash } from 'node:crypto';
import {
  ACCOUNT_FAILURES,
  ADDRESS_FAILURES,
  PAIR_FAILURES,
  THROTTLE_WINDOW_MS,
  type Throttle,
  throttleKeys,
} from '../auth/sign-in-throttle.ts';
import type { RedisLink } from './redis-link.ts';
import { attemptScript, succeededScript } from './redis-scripts.ts';

/** The addresses from which somebody has signed in are known for so long (our choice). */
const OWNER_SECONDS = 30 * 86_400;

export class RedisThrottle implements Throttle {
  readonly #link: RedisLink;
  readonly #key: (name: string) => string;

  constructor(link: RedisLink, key: (name: string) => string) {
    this.#link = link;
    this.#key = key;
  }

  async begin(screen_name: string, address: string): Promise<number | undefined> {
    const limits = [PAIR_FAILURES, ADDRESS_FAILURES, ACCOUNT_FAILURES];
    const args = [THROTTLE_WINDOW_MS, ...limits].map(String);
    const wait_ms = Number(await this.#link.evaluate(attemptScript, this.#keys(screen_name, address), args));
    return wait_ms > 0 ? Math.ceil(wait_ms / 1000) : undefined;
  }

  async succeeded(screen_name: string, address: string): Promise<void> {
    await this.#link.evaluate(succeededScript, this.#keys(screen_name, address), [`${OWNER_SECONDS}`]);
  }

  /** Names and addresses are not to be read in Redis. */
  #keys(screen_name: string, address: string): string[] {
    const { pair, address: from, account } = throttleKeys(screen_name, address);
    const hashed = (kind: string, text: string) => this.#key(`sign-in ${kind} ${hash('sha256', text, 'base64url')}`);
    return [hashed('pair', pair), hashed('address', from), hashed('account', account), hashed('owner', pair)];
  }
}
