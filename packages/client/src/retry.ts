/**
 * Conditions of automatic retries. Pure: the clock's reading and the chance come from outside.
 *
 * A GET changes nothing, so it is repeated after anything that may pass: no connection, no answer in time, 423, 429, and
 * 500, 502, 503, 504.
 *
 * POST, PUT and DELETE are repeated only when it is certain that the first one did nothing:
 * - 423: the account is locked for a moment, and nothing was changed;
 * - 429: the server counts before it acts;
 * - 503 with `retry-after`: the server says that it did not take the request and when it will;
 * - the connection could not be made at all (refused, or no such host), so nothing was sent.
 *
 * That PUT and DELETE are idempotent in HTTP does not help. After a lost answer a second DELETE finds the record deleted
 * and answers 404, which reads as a failure of what succeeded; a second PUT can undo what somebody changed in between.
 * Such calls fail with `NetworkError.mayHaveHappened`, and the caller, who can look, decides. Of writes the contract calls some
 * repeatable, such as a segment of an upload, which replaces itself: those are repeated like a GET.
 */
import { thinTransport } from '@broadside/core/thin/transport';
import { CallError } from './errors.ts';

/** Limits of automatic retries. */
export interface RetryPolicy {
  /** The most times that a request is sent. 3 when left out. */
  readonly attempts?: number | undefined;
  /**
   * The longest that one call may wait in total. A call whose limit resets later fails at once. 65 seconds when left
   * out, which outlasts a window of writes.
   */
  readonly maxWaitMs?: number | undefined;
}

/** A policy with nothing left out. */
export interface CompleteRetryPolicy {
  readonly attempts: number;
  readonly maxWaitMs: number;
}

const DEFAULT: CompleteRetryPolicy = { attempts: 3, maxWaitMs: thinTransport.write_window_ms + 5_000 };

/**
 * Fills in a policy; `false` never repeats.
 * @throws CallError when a figure makes no sense
 */
export function completePolicy(policy: RetryPolicy | false | undefined): CompleteRetryPolicy {
  if (policy === false) return { attempts: 1, maxWaitMs: 0 };
  const { attempts = DEFAULT.attempts, maxWaitMs = DEFAULT.maxWaitMs } = policy ?? {};
  if (!Number.isInteger(attempts) || attempts < 1)
    throw new CallError('retry.attempts must be a whole number from 1 on');
  if (!(maxWaitMs >= 0)) throw new CallError('retry.maxWaitMs must be a number of milliseconds, 0 or more');
  return { attempts, maxWaitMs };
}

/** The end of an attempt. */
export type AttemptEnd =
  /** With an answer; `retry_at` when that said when to come again. */
  | { readonly kind: 'answer'; readonly status: number; readonly retry_at: Date | undefined }
  /** Without. `unsent`: it is certain that nothing went out either. */
  | { readonly kind: 'failure'; readonly unsent: boolean };

const PASSING_STATUSES: ReadonlySet<number> = new Set([423, 429, 500, 502, 503, 504]);

/** True for a method that only reads. */
export function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Facts of a request that a retry depends on. */
interface Repeated {
  readonly method: string;
  /** Sent again, it leaves things as they are after the first time. */
  readonly repeatable?: boolean | undefined;
}

/** True if a retry after this end can help and cannot apply anything twice. */
export function isRepeatable({ method, repeatable = false }: Repeated, end: AttemptEnd): boolean {
  const isHarmless = isReading(method) || repeatable;
  if (end.kind === 'failure') return isHarmless || end.unsent;
  if (isHarmless) return PASSING_STATUSES.has(end.status);
  return end.status === 423 || end.status === 429 || (end.status === 503 && end.retry_at !== undefined);
}

const FIRST_BACKOFF_MS = 250;
const LONGEST_BACKOFF_MS = 8_000;
/** After a reset all clients that waited for it come back; this spreads them. */
const RESET_SPREAD_MS = 500;

/**
 * The wait before the next attempt, in milliseconds: until the time that the answer named, or a pause that doubles
 * from attempt to attempt, half of it by chance.
 *
 * @param attempt the attempt that has ended, from 1 on
 * @param chance from 0 up to 1
 */
export function waitMs(end: AttemptEnd, attempt: number, now: number, chance: number): number {
  const step = Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), LONGEST_BACKOFF_MS);
  const backoff = Math.round(step / 2 + (step / 2) * chance);
  if (end.kind === 'failure' || end.retry_at === undefined) return backoff;
  // A time that has passed, by the server's clock or a late answer, must not make the repetition immediate.
  return Math.max(end.retry_at.getTime() - now + Math.round(RESET_SPREAD_MS * chance), backoff);
}
