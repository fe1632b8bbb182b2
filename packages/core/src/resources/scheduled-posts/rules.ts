/** When posts can be scheduled and changed (reference, creatives section 8). */
import { type Issue, invalidParameter } from '../../wire/issues.ts';
import { formatTimestamp, timestampMs } from '../../wire/timestamp.ts';
import type { ScheduledPost } from './entity.ts';

/** The longest time ahead that a post can be scheduled. */
const MAX_DAYS_AHEAD = 365;
/** Maximum number of posts of an account in the window around the time of one. */
export const MAX_IN_WINDOW = 30;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Our reading of "the 15-minute window around": the minute itself, and the 7 before and after it. */
const WINDOW_MINUTES = 7;

/**
 * Checks a time to publish at.
 * @param scheduled_at a timestamp, a whole minute
 * @param now the world's time, as a timestamp
 */
export function checkScheduledTime(scheduled_at: string, now: string): Issue<'INVALID_PARAMETER'>[] {
  if (scheduled_at <= now) {
    const message = `A post is scheduled for a time later than now, ${now}; seconds of scheduled_at do not count`;
    return [{ ...invalidParameter('scheduled_at', scheduled_at, message), details: 'in the past' }];
  }
  if (timestampMs(scheduled_at) - timestampMs(now) <= MAX_DAYS_AHEAD * DAY_MS) return [];
  const message = `A post is scheduled up to ${MAX_DAYS_AHEAD} days ahead; it is ${now} now`;
  return [{ ...invalidParameter('scheduled_at', scheduled_at, message), details: 'too far ahead' }];
}

/** The first and the last minute of the window around a time, both part of it. */
export function windowAround(scheduled_at: string): { readonly from: string; readonly to: string } {
  const ms = timestampMs(scheduled_at);
  return {
    from: formatTimestamp(ms - WINDOW_MINUTES * MINUTE_MS),
    to: formatTimestamp(ms + WINDOW_MINUTES * MINUTE_MS),
  };
}

/**
 * Checks that a post fits into the window around its time.
 * @param others the number of other posts of the account in the window, published ones too
 */
export function checkDensity(scheduled_at: string, others: number): Issue<'SCHEDULED_POST_LIMIT_EXCEEDED'>[] {
  if (others < MAX_IN_WINDOW) return [];
  const { from, to } = windowAround(scheduled_at);
  const message = `The account has ${others} posts from ${from} to ${to}; up to ${MAX_IN_WINDOW} are scheduled in the 15 minutes around a time`;
  return [{ error: 'SCHEDULED_POST_LIMIT_EXCEEDED', parameter: 'scheduled_at', value: scheduled_at, message }];
}

/** The state of a scheduled post that decides what can be done with it. */
export interface ScheduledState extends Pick<ScheduledPost, 'id' | 'scheduled_at' | 'scheduled_status'> {
  /** Its publication has begun. */
  readonly publishing: boolean;
}

/** Checks that a scheduled post can be changed: until its time. */
export function checkEditable(post: ScheduledState, now: string): Issue<'INVALID_PARAMETER'>[] {
  if (post.scheduled_status === 'SCHEDULED' && !post.publishing && post.scheduled_at > now) return [];
  const message = `A scheduled post can be changed until its time; this one was due at ${post.scheduled_at}`;
  return [invalidParameter('scheduled_post_id', post.id, message)];
}

/**
 * Checks that a scheduled post can be deleted: always, but for the moment in which it is published. Our choice: the record of one
 * that was published or has failed can be deleted too, and a published post stays.
 */
export function checkDeletable({ id, publishing }: ScheduledState): Issue<'INVALID_PARAMETER'>[] {
  if (!publishing) return [];
  const message = 'The post is being published; delete the published post when that is done';
  return [invalidParameter('scheduled_post_id', id, message)];
}
