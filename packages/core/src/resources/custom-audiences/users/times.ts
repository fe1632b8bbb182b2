/** When an association of people with an audience takes effect and ends (specification B, Custom audience users). */
import { type Issue, invalidParameter } from '../../../wire/issues.ts';
import { formatTimestamp } from '../../../wire/timestamp.ts';
import { MONTHS_IN_EFFECT } from './limits.ts';
import type { PackedOperation } from './packed-users.ts';

/** The times of an operation, in whole seconds since 1970. */
export interface OperationTimes {
  readonly effective_s: number;
  readonly expires_s: number;
}

/** The times that a caller gave for an operation. */
type GivenTimes = Pick<PackedOperation, 'effective_at' | 'expires_at'>;

type TimeIssue = Issue<'INVALID_PARAMETER' | 'INVALID_TIME_WINDOW'>;

/** Times, and what is wrong with those that were given. */
export interface ResolvedTimes {
  readonly times: OperationTimes;
  readonly issues: readonly TimeIssue[];
}

/** Times are stored in 32 bits: our choice. */
export const MAX_TIME_S = 2 ** 32 - 1;

/**
 * Returns the same time of day some calendar months later, in UTC; on the last day of a month that has not enough days.
 * @param ms since 1970
 */
export function addMonths(ms: number, months: number): number {
  const date = new Date(ms);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const days = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, days));
  return date.getTime();
}

/** The end of an association that is made now and names none. */
function defaultEnd(now: number): number {
  return addMonths(now, MONTHS_IN_EFFECT);
}

const seconds = (ms: number) => Math.floor(ms / 1000);

function outOfRange(name: 'effective_at' | 'expires_at', ms: number | undefined): TimeIssue[] {
  if (ms === undefined || (ms >= 0 && seconds(ms) <= MAX_TIME_S)) return [];
  return [invalidParameter(name, formatTimestamp(ms), `Expected a time from 1970 to 2105 for ${name}`)];
}

/**
 * Resolves the times of an operation on an audience: from now, for 13 months from the request, unless given.
 * @param now in milliseconds
 */
export function resolveAudienceTimes({ effective_at, expires_at }: GivenTimes, now: number): ResolvedTimes {
  const issues = [...outOfRange('effective_at', effective_at), ...outOfRange('expires_at', expires_at)];
  const times = { effective_s: seconds(effective_at ?? now), expires_s: seconds(expires_at ?? defaultEnd(now)) };
  if (issues.length > 0 || times.expires_s > times.effective_s) return { times, issues };
  const message =
    expires_at === undefined
      ? `"effective_at" is later than ${MONTHS_IN_EFFECT} months from now, when the association would end; give "expires_at" too`
      : `"expires_at" must be later than "effective_at"${effective_at === undefined ? ', which is now' : ''}`;
  return { times, issues: [windowIssue(expires_at, message)] };
}

/**
 * Resolves the times of an operation on a do-not-reach list: always from now, and for less than 13 months; for 13 unless given.
 * @param now in milliseconds
 */
export function resolveListTimes({ expires_at }: GivenTimes, now: number): ResolvedTimes {
  const times = { effective_s: seconds(now), expires_s: seconds(expires_at ?? defaultEnd(now)) };
  if (expires_at === undefined) return { times, issues: [] };
  if (times.expires_s <= times.effective_s) {
    return { times, issues: [windowIssue(expires_at, '"expires_at" must be later than now')] };
  }
  if (expires_at < defaultEnd(now)) return { times, issues: [] };
  const end = formatTimestamp(defaultEnd(now));
  const message = `"expires_at" must be less than ${MONTHS_IN_EFFECT} months ahead, before ${end}`;
  return { times, issues: [windowIssue(expires_at, message)] };
}

function windowIssue(expires_at: number | undefined, message: string): TimeIssue {
  const value = expires_at === undefined ? {} : { value: formatTimestamp(expires_at) };
  return { error: 'INVALID_TIME_WINDOW', parameter: 'expires_at', message, ...value };
}
