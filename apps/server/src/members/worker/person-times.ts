/** Intervals and events of a person. Intervals are flat: from, to, from, to. */
import { KEPT_EVENTS, KEPT_EVENTS_S, KEPT_INTERVALS } from '../rules.ts';
import type { Times } from './run-format.ts';

/** Adds an interval. @returns whether that changes anything */
export function addInterval({ intervals }: Times, from: number, to: number): boolean {
  let begin = 0;
  while (begin < intervals.length && (intervals[begin + 1] ?? 0) < from) begin += 2;
  let end = begin;
  while (end < intervals.length && (intervals[end] ?? 0) <= to) end += 2;
  if (end - begin === 2 && (intervals[begin] ?? 0) <= from && (intervals[begin + 1] ?? 0) >= to) return false;
  const first = end > begin ? Math.min(from, intervals[begin] ?? 0) : from;
  const last = end > begin ? Math.max(to, intervals[end - 1] ?? 0) : to;
  intervals.splice(begin, end - begin, first, last);
  while (intervals.length > KEPT_INTERVALS * 2) joinNearest(intervals);
  return true;
}

/** Joins the two neighbours with the smallest gap, the earliest of them if there are several. */
function joinNearest(intervals: number[]): void {
  let nearest = 1;
  let smallest = Number.POSITIVE_INFINITY;
  for (let i = 1; i + 1 < intervals.length; i += 2) {
    const gap = (intervals[i + 1] ?? 0) - (intervals[i] ?? 0);
    if (gap < smallest) [smallest, nearest] = [gap, i];
  }
  intervals.splice(nearest, 2);
}

/** Adds an event. @returns whether that changes anything */
export function addEvent({ events }: Times, event: number): boolean {
  let at = events.length;
  while (at > 0 && (events[at - 1] ?? 0) > event) at--;
  if (events[at - 1] === event) return false;
  if (at === 0 && events.length === KEPT_EVENTS) return false;
  events.splice(at, 0, event);
  if (events.length > KEPT_EVENTS) events.shift();
  return true;
}

/** Returns whether there is an event later than `after_s` and not later than `until_s`. */
export function hasEvent({ events }: Times, after_s: number, until_s: number): boolean {
  for (let at = events.length - 1; at >= 0; at--) {
    const event = events[at] ?? 0;
    if (event <= after_s) return false;
    if (event <= until_s) return true;
  }
  return false;
}

/** Returns whether an interval covers a time. */
export function isInEffect({ intervals }: Times, now_s: number): boolean {
  for (let at = 0; at < intervals.length; at += 2) {
    if ((intervals[at] ?? 0) <= now_s && now_s < (intervals[at + 1] ?? 0)) return true;
  }
  return false;
}

/** Forgets the events that no lookback reaches, and the intervals that are over, the last one excepted. */
export function forget(times: Times, now_s: number): void {
  const { intervals, events } = times;
  let old = 0;
  while (old < events.length && (events[old] ?? 0) <= now_s - KEPT_EVENTS_S) old++;
  if (old > 0) events.splice(0, old);
  let over = 0;
  while (over + 2 < intervals.length && (intervals[over + 1] ?? 0) <= now_s) over += 2;
  if (over > 0) intervals.splice(0, over);
}
