/** Rate limits as reported by the headers of a response (reference, conventions section 9). */

/** State of a limit. */
export interface RateLimitState {
  /** Requests in a window. */
  readonly limit: number;
  /** Requests that are left in this window. */
  readonly remaining: number;
  /** The end of the window. */
  readonly reset_at: Date;
}

/** The limits in the headers of a response. Empty when the server has none for the operation. */
export interface RateLimits {
  /** The limit of the user. */
  readonly user?: RateLimitState;
  /** The limit of the advertising account; reads only. */
  readonly account?: RateLimitState;
}

/** Reads the limits of an answer; headers that are no whole numbers count as absent. */
export function readRateLimits(headers: Headers): RateLimits {
  const user = readState(headers, 'x-rate-limit');
  const account = readState(headers, 'x-account-rate-limit');
  return { ...(user ? { user } : {}), ...(account ? { account } : {}) };
}

function readState(headers: Headers, prefix: string): RateLimitState | undefined {
  const limit = readWhole(headers.get(`${prefix}-limit`));
  const remaining = readWhole(headers.get(`${prefix}-remaining`));
  const reset = readWhole(headers.get(`${prefix}-reset`));
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined;
  return { limit, remaining, reset_at: new Date(reset * 1000) };
}

/**
 * Time from which a request may be retried, if the response reports one. For a 429: when the exhausted window ends, or the time
 * of `retry-after` says if that is later. Of two limits with nothing left the later counts; the account's speaks for both when
 * neither is at zero. For any other status `retry-after` alone: all responses report their windows.
 *
 * @param now milliseconds since the epoch, for a `retry-after` in seconds
 */
export function retryAt(status: number, headers: Headers, limits: RateLimits, now: number): Date | undefined {
  const after = retryAfter(headers, now);
  const times = status === 429 ? resetsOf(limits) : [];
  if (after !== undefined) times.push(after);
  return times.length === 0 ? undefined : new Date(Math.max(...times));
}

function resetsOf({ user, account }: RateLimits): number[] {
  const known = [account, user].filter((state) => state !== undefined);
  const used = known.filter((state) => state.remaining === 0);
  return (used.length > 0 ? used : known.slice(0, 1)).map((state) => state.reset_at.getTime());
}

/** `retry-after` as milliseconds since the epoch: seconds or an HTTP date (RFC 9110 section 10.2.3). */
function retryAfter(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const seconds = readWhole(text);
  if (seconds !== undefined) return now + seconds * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : date;
}

// Ten digits of seconds are 300 years: enough, and always a valid date.
function readWhole(text: string | null): number | undefined {
  return text !== null && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}
