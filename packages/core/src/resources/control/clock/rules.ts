/** Where the clock of a world can be set and advanced to. */
import { type Issue, invalidParameter } from '../../../wire/issues.ts';
import { show } from '../../../wire/show.ts';
import { addDuration, DURATION_FORM, parseDuration } from './duration.ts';
import { CLOCKS_END, CLOCKS_END_MS } from './entity.ts';
import type { ClockAdvance, ClockSet } from './params.ts';

/** One advance covers at most so much time (our choice), so that none goes on for ever. */
const MOST_DAYS = 3660;
const DAY_MS = 86_400_000;

/** The latest time that one advance can reach. */
export function furthest(now_ms: number): number {
  return Math.min(CLOCKS_END_MS, now_ms + MOST_DAYS * DAY_MS);
}

/** An issue of an advance. */
export type ClockIssue = Issue<'INVALID_PARAMETER' | 'MISSING_PARAMETER'>;

/** Checks that a clock which is at `now_ms` can go to a time. @param parameter the one that asks for it, and its value */
export function checkTarget(
  parameter: string,
  value: string,
  target_ms: number,
  now_ms: number,
): Issue<'INVALID_PARAMETER'>[] {
  const now = new Date(now_ms).toISOString();
  const wrong = (expected: string, details: string): Issue<'INVALID_PARAMETER'>[] => [
    { ...invalidParameter(parameter, value, `Expected ${expected}, got ${show(value)} for ${parameter}`), details },
  ];
  if (target_ms < now_ms)
    return wrong(`a time that is not before the world’s, ${now}: a clock never goes back`, 'in the past');
  if (target_ms > CLOCKS_END_MS)
    return wrong(`a time until ${CLOCKS_END}, where clocks of worlds end`, 'too far ahead');
  // Not a number, too: a duration of more years than a calendar has.
  if (!(target_ms <= furthest(now_ms)))
    return wrong(
      `at most ${MOST_DAYS} days at once, which is until ${new Date(furthest(now_ms)).toISOString()}`,
      'too far ahead',
    );
  return [];
}

/** Checks that a change of a clock changes something: without any it would only stop following the machine. */
export function checkChanges({ now, rate, frozen, limits }: ClockSet): ClockIssue[] {
  if ([now, rate, frozen, limits].some((change) => change !== undefined)) return [];
  const message = '"now" (a time), "rate" (a number), "frozen" (true or false) or "limits" (wall or world) is required';
  return [{ error: 'MISSING_PARAMETER', parameter: 'now', message }];
}

/** The place to which an advance leads: a time, in milliseconds since the epoch, or the next thing that happens. */
export type Destination = { readonly until_ms: number } | 'next';

/** Resolves an advance of a clock which is at `now_ms`. The contract says that only one of the three is given. */
export function resolveAdvance(
  { by, to, next }: ClockAdvance,
  now_ms: number,
): { readonly destination: Destination } | { readonly issues: readonly ClockIssue[] } {
  if (next === true) return { destination: 'next' };
  if (to !== undefined) return resolved('to', to, Date.parse(to), now_ms);
  if (by !== undefined) {
    const duration = parseDuration(by);
    if (!duration) {
      return { issues: [invalidParameter('by', by, `Expected ${DURATION_FORM}, got ${show(by)} for by`)] };
    }
    return resolved('by', by, addDuration(now_ms, duration), now_ms);
  }
  const message = '"by" (such as P1D), "to" (a time) or "next" (true) is required';
  return { issues: [{ error: 'MISSING_PARAMETER', parameter: 'by', message }] };
}

function resolved(parameter: string, value: string, until_ms: number, now_ms: number) {
  const issues = checkTarget(parameter, value, until_ms, now_ms);
  return issues.length > 0 ? { issues } : { destination: { until_ms } };
}
