/** Rules on requests for the changes of an entity. */
import type { Issue } from '../../wire/issues.ts';

/** Checks the requested time span. */
export function checkHistorySpan({
  start_time,
  end_time,
}: {
  readonly start_time: string;
  readonly end_time: string;
}): Issue<'INVALID_TIME_WINDOW'>[] {
  if (end_time > start_time) return [];
  const message = `Expected a whole hour after start_time (${start_time}), got "${end_time}" for end_time`;
  return [{ error: 'INVALID_TIME_WINDOW', parameter: 'end_time', value: end_time, message }];
}
