/**
 * Counts requests in windows that start with the first request (reference, conventions section 9). Counts are kept in
 * memory: a restart opens new windows. A window lasts as long as it says, whatever is done to the clock; the time at which it
 * ends is told in wall time, because clients compare the reset header with their own clocks.
 */
import {
  type AnyOperation,
  DAY_MS,
  type PageOperation,
  type RateBucketName,
  type RateLimit,
  rateBucket,
  rateBuckets,
} from '@broadside/core';
import type { Awaitable } from '../awaitable.ts';
import type { CountedWindow, SharedCounts } from '../shared/shared-state.ts';
import { type SharedWindows, STEP_MS } from '../threads/shared-windows.ts';
import type { WallClock } from '../world/clock.ts';

/** The state of one limit after a request was counted. */
export interface LimitState {
  readonly limit: number;
  readonly remaining: number;
  /** When the window ends, in seconds since the epoch. */
  readonly reset: number;
  readonly exceeded: boolean;
  /** Seconds after which the window has ended, 0 where nothing is exceeded. */
  readonly retry_after: number;
}

/** The limits that apply to one response: of the caller, and where the reference says so of the advertising account. */
export interface LimitStates {
  readonly user: LimitState;
  readonly account?: LimitState;
}

/** Figures by bucket, or `development` for those of development. `off` counts nothing and sends no headers. */
export type RateLimitProfile =
  | 'off'
  | 'development'
  | Readonly<Partial<Record<RateBucketName, Partial<Omit<Figure, 'app_limit'>>>>>;

type Figure = RateLimit & { readonly app_limit?: number; readonly app_day_limit?: number };

interface Window {
  count: number;
  /** In elapsed time. */
  ends_ms: number;
  /** In wall time. */
  reset_ms: number;
}

/** Interval at which expired windows are discarded. */
const SWEEP_MS = 60_000;

const ratePerMs = ({ limit, window_ms }: RateLimit) => limit / window_ms;

export class RateLimiter {
  readonly #clock: WallClock;
  readonly #figures: ReadonlyMap<RateBucketName, Figure> | undefined;
  readonly #windows = new Map<string, Window>();
  readonly #shared: SharedWindows | undefined;
  readonly #servers: SharedCounts | undefined;
  #sweepAt = 0;

  /**
   * @param profile figures that replace the published ones
   * @param shared windows of callers, where other threads count too
   * @param servers counts in place of this one, where other servers count too
   */
  constructor(profile: RateLimitProfile, clock: WallClock, shared?: SharedWindows, servers?: SharedCounts) {
    this.#clock = clock;
    this.#shared = shared;
    this.#servers = servers;
    if (profile === 'off') return;
    const names = Object.keys(rateBuckets).filter((name): name is RateBucketName => name in rateBuckets);
    this.#figures = new Map(
      names.map((name) => {
        const { app_limit, app_day_limit, development_limit: limit, ...bucket } = rateBucket(name);
        const own = profile !== 'development' ? profile[name] : limit === undefined ? undefined : { limit };
        // A figure that was set holds for everybody, and is the only one that counts unless others are set too.
        const apps =
          own?.limit !== undefined
            ? {}
            : {
                ...(app_limit === undefined ? {} : { app_limit }),
                ...(app_day_limit === undefined ? {} : { app_day_limit }),
              };
        return [name, { ...bucket, ...apps, ...own }];
      }),
    );
  }

  /** Returns whether requests for an operation are counted at all. */
  limits({ rateLimit }: Pick<AnyOperation | PageOperation, 'rateLimit'>): boolean {
    return this.#figures !== undefined && rateLimit !== null;
  }

  /**
   * Counts a request. A rejected request counts too, so that hammering does not pay.
   * @param who the user (`u...`) or app (`p...`) that calls, or the address (`a...`) that a page is opened from
   * @param app_id the app through which a user calls, where that is known
   * @returns the limits after this request; `undefined` when limits are off.
   * @throws SharedStateError where servers count together and cannot
   */
  count(
    operation: Pick<AnyOperation | PageOperation, 'id' | 'rateLimit'>,
    who: string,
    account_id: string | undefined,
    counts_total: boolean,
    app_id?: string,
  ): Awaitable<LimitStates | undefined> {
    const limits = this.#limitsOf(operation, who, account_id, counts_total, app_id);
    if (limits === undefined) return undefined;
    if (this.#servers !== undefined) return countOver(this.#servers, limits);
    const now = this.#clock.elapsed();
    this.#sweep(now);
    // Pages are served by one thread, and anybody can open them from any number of addresses.
    const shared = who.startsWith('a') ? undefined : this.#shared;
    const { day, account } = limits;
    const caller = this.#take(limits.caller, now, shared);
    const daily = day && this.#take(day, now, shared);
    // A caller rejected by the daily limit learns when that ends, whatever is left of the 15 minutes.
    const user = daily?.exceeded ? daily : caller;
    return account === undefined ? { user } : { user, account: this.#take(account, now, shared) };
  }

  /** The limits that {@link count} counts against with the same arguments, where servers count together. */
  sharedLimits(...asked: Parameters<RateLimiter['count']>): Limits | undefined {
    return this.#servers === undefined ? undefined : this.#limitsOf(...asked);
  }

  #limitsOf(
    operation: Pick<AnyOperation | PageOperation, 'id' | 'rateLimit'>,
    who: string,
    account_id: string | undefined,
    counts_total: boolean,
    app_id?: string,
  ): Limits | undefined {
    const figures = this.#figures;
    if (!figures || operation.rateLimit === null) return undefined;
    const own = figures.get(operation.rateLimit);
    const counting = counts_total ? figures.get('ads.total_count') : undefined;
    // Counting lowers a limit: a lookup has fewer requests anyway, and gets no more of them by it.
    const isLower = counting !== undefined && (!own || ratePerMs(counting) < ratePerMs(own));
    const name = isLower ? 'ads.total_count' : operation.rateLimit;
    const figure = isLower ? counting : own;
    if (!figure) return undefined;
    const bucket = rateBucket(name);
    const scope = bucket.scope === 'category' ? name : `${name} ${operation.id}`;
    const counted = bucket.caller === 'account' && account_id !== undefined ? `a${account_id}` : who;
    const { app_limit, app_day_limit, window_ms } = figure;
    const limit = who.startsWith('p') ? (app_limit ?? figure.limit) : figure.limit;
    const isDaily = app_day_limit !== undefined && app_id !== undefined;
    const isOfAccount = bucket.account && account_id !== undefined;
    return {
      caller: { key: `${scope} ${counted}`, limit, window_ms },
      day: isDaily ? { key: `${scope} d${app_id}`, limit: app_day_limit, window_ms: DAY_MS } : undefined,
      account: isOfAccount ? { key: `${scope} a${account_id}`, limit: figure.limit, window_ms } : undefined,
    };
  }

  /** The time of windows, in milliseconds since the epoch. */
  get now(): number {
    return this.#clock.now();
  }

  /**
   * The state of limits that are used up, as an injected fault has them; also where none are counted.
   * @param until_ms when the window of the caller ends, instead of when it ends by itself
   */
  usedUp(
    { rateLimit }: Pick<AnyOperation, 'rateLimit'>,
    counted: LimitStates | undefined,
    until_ms: number | undefined,
  ): LimitStates | undefined {
    if (rateLimit === null) return counted;
    const now = this.now;
    const { limit, window_ms } = this.#figures?.get(rateLimit) ?? rateBucket(rateLimit);
    const ends_s = until_ms === undefined ? counted?.user.reset : Math.ceil(until_ms / 1000);
    const reset = ends_s ?? Math.ceil((now + window_ms) / 1000);
    const retry_after = Math.max(1, reset - Math.floor(now / 1000));
    return {
      ...counted,
      user: { limit: counted?.user.limit ?? limit, remaining: 0, reset, exceeded: true, retry_after },
    };
  }

  #take({ key, limit, window_ms }: KeyedLimit, now: number, shared: SharedWindows | undefined): LimitState {
    const wall = this.#clock.now();
    const { count, reset_ms } = shared
      ? shared.take(key, window_ms, Math.floor(now), wall)
      : this.#count(key, window_ms, now, wall);
    return stateOf(limit, count, reset_ms, wall);
  }

  #count(key: string, window_ms: number, now: number, wall: number): Window {
    let window = this.#windows.get(key);
    if (!window || window.ends_ms <= now) {
      window = { count: 0, ends_ms: now + window_ms, reset_ms: wall + window_ms };
      this.#windows.set(key, window);
    }
    window.count++;
    const reset_ms = wall + window.ends_ms - now;
    if (Math.abs(reset_ms - window.reset_ms) > STEP_MS) window.reset_ms = reset_ms;
    return window;
  }

  #sweep(now: number): void {
    if (now < this.#sweepAt) return;
    this.#sweepAt = now + SWEEP_MS;
    this.#shared?.sweep(Math.floor(now));
    for (const [key, window] of this.#windows) if (window.ends_ms <= now) this.#windows.delete(key);
  }
}

/** A limit, and the key of its window. */
interface KeyedLimit extends RateLimit {
  readonly key: string;
}

/** The limits of a request: of the caller, of the app in a day, and of the account. */
export interface Limits {
  readonly caller: KeyedLimit;
  readonly day: KeyedLimit | undefined;
  readonly account: KeyedLimit | undefined;
}

/** The windows of limits, for servers that count together. */
export function windowsIn({ caller, day, account }: Limits): KeyedLimit[] {
  return [caller, ...(day ? [day] : []), ...(account ? [account] : [])];
}

/** Counts a request over all servers. */
async function countOver(servers: SharedCounts, limits: Limits): Promise<LimitStates> {
  return statesOf(limits, await servers.count(windowsIn(limits)));
}

/** The states of limits after a request was counted. @param counted the windows, as {@link windowsIn} has them */
export function statesOf(limits: Limits, counted: readonly CountedWindow[]): LimitStates {
  const { caller, day, account } = limits;
  const windows = windowsIn(limits);
  const of = (limit: KeyedLimit) => sharedState(limit, counted[windows.indexOf(limit)]);
  const daily = day && of(day);
  return { user: daily?.exceeded ? daily : of(caller), ...(account ? { account: of(account) } : {}) };
}

function sharedState({ limit }: KeyedLimit, window: CountedWindow | undefined): LimitState {
  if (window === undefined) throw new TypeError('each window that is counted has a state');
  return stateOf(limit, window.count, window.reset_ms, window.now_ms);
}

/** @param wall the time, of the clock that `reset_ms` is of */
function stateOf(limit: number, count: number, reset_ms: number, wall: number): LimitState {
  const reset = Math.ceil(reset_ms / 1000);
  const exceeded = count > limit;
  const retry_after = exceeded ? Math.max(1, reset - Math.floor(wall / 1000)) : 0;
  return { limit, remaining: Math.max(0, limit - count), reset, exceeded, retry_after };
}
