/**
 * Conditions on the number of times that a member was associated with an audience lately. An event of a member is one
 * association by an Update, at its `effective_at`. An event counts from then on until the end of the window, so that the
 * number of events in `(now - window, now]` changes at known times, and the times at which the condition holds are intervals.
 */
import {
  KNOWN_EVENT_DAYS,
  meetsFrequency,
  type SegmentLeaf,
  takesEveryMember,
} from '@broadside/core/resources/custom-audiences';
import type { Intervals } from './timed-set.ts';

const DAY_S = 86_400;

/** A condition on the events of a member. */
export interface EventCondition extends Pick<SegmentLeaf, 'frequency' | 'frequency_comparator'> {
  readonly window_s: number;
}

/** Returns the condition of a leaf; `undefined` for one that takes every member in effect. */
export function conditionOf(leaf: SegmentLeaf): EventCondition | undefined {
  if (takesEveryMember(leaf)) return undefined;
  const { frequency, frequency_comparator, lookback_window = KNOWN_EVENT_DAYS } = leaf;
  return { frequency, frequency_comparator, window_s: lookback_window * DAY_S };
}

/** After all times of members. */
const FOREVER_S = 0xffffffff;

/**
 * Returns when a member is in effect and meets a condition.
 * @param intervals when the member is in effect
 * @param events the times of the member's events in seconds, ascending
 */
export function whenMet(intervals: Intervals, events: ArrayLike<number>, condition: EventCondition): number[] {
  const met: number[] = [];
  let [entered, left, interval, since] = [0, 0, 0, 0];
  while (since < FOREVER_S) {
    const enters = events[entered] ?? FOREVER_S;
    const leaves = left < entered ? (events[left] ?? 0) + condition.window_s : FOREVER_S;
    const until = Math.min(enters, leaves);
    if (since < until && meetsFrequency(entered - left, condition)) {
      interval = addCommon(met, intervals, interval, since, until);
    }
    if (leaves <= enters) left++;
    else entered++;
    since = until;
  }
  return met;
}

/** Adds what intervals have in common with one that begins after the earlier ones. @returns where the next one begins to look */
function addCommon(met: number[], intervals: Intervals, first: number, since: number, until: number): number {
  let i = first;
  for (; i < intervals.length; i += 2) {
    const from = Math.max(since, intervals[i] ?? 0);
    const to = Math.min(until, intervals[i + 1] ?? 0);
    if (from < to) {
      if (met.at(-1) === from) met[met.length - 1] = to;
      else met.push(from, to);
    }
    // This one reaches into what comes next.
    if ((intervals[i + 1] ?? 0) > until) break;
  }
  return i;
}
