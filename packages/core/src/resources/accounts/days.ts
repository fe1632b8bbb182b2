/** Days of an account, which begin at midnight in its time zone (specification C, Account: `timezone`). */
import { formatTimestamp, timestampMs } from '../../wire/timestamp.ts';

const DAY_S = 86_400;
/** Longer than any day: of those with a change of clocks, the longest known has 26 hours. */
const LONGEST_DAY_S = 27 * 3600;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the date in a time zone, in a form in which dates are ordered by time. */
function localDate(format: Intl.DateTimeFormat, time_s: number): string {
  return format.format(new Date(time_s * 1000));
}

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone);
  if (known) return known;
  // Swedish dates are written with year, month and day in this order, each with all of its digits.
  const made = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone });
  formats.set(timezone, made);
  return made;
}

/**
 * Returns the end of the day in which a time lies: the first second of the next day. Where clocks are changed at midnight, the
 * day ends with the change.
 * @param at a timestamp
 * @param timezone an IANA name
 * @returns a timestamp
 * @throws RangeError for a time zone that does not exist
 */
export function endOfDay(at: string, timezone: string): string {
  const format = formatOf(timezone);
  const time_s = Math.floor(timestampMs(at) / 1000);
  const today = localDate(format, time_s);
  let inside = time_s;
  let after = time_s + LONGEST_DAY_S;
  // Most days end within a day, so that the second half need not be searched.
  if (localDate(format, time_s + DAY_S) > today) after = time_s + DAY_S;
  while (after - inside > 1) {
    const middle = Math.floor((inside + after) / 2);
    if (localDate(format, middle) > today) after = middle;
    else inside = middle;
  }
  return formatTimestamp(after * 1000);
}
