/**
 * Durations of ISO 8601, as clocks of worlds are advanced by: `P90D`, `PT36H`, `P1Y2M`, `P2W`, `PT0.25S`. Years and months are those of the
 * calendar in UTC, which a duration by itself does not have: it is always added to a time.
 */

/** A duration. Years and months are of the calendar; all else is of one length. */
export interface Duration {
  readonly months: number;
  readonly ms: number;
}

/** The form of a duration, of which at least one part is given. */
export const DURATION =
  /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,](\d{1,9}))?S)?)?$/;
/** What a duration is, in words. */
export const DURATION_FORM =
  'an ISO 8601 duration, such as P90D (days), PT36H (hours), PT90S (seconds), P2W or P1M; fractions of seconds only, and no sign';
/** Characters of the longest duration that is read. */
export const MAX_DURATION_LENGTH = 64;

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Parses a duration; `undefined` for text that is none. Fractions of a millisecond are left off. */
export function parseDuration(text: string): Duration | undefined {
  if (text.length > MAX_DURATION_LENGTH || /[PT]$/.test(text)) return undefined;
  const match = DURATION.exec(text);
  if (!match) return undefined;
  const [years, months, weeks, days, hours, minutes, seconds] = match
    .slice(1, 8)
    .map((digits: string | undefined) => Number(digits ?? 0));
  const fraction = Number((match[8] ?? '').slice(0, 3).padEnd(3, '0'));
  return {
    months: (years ?? 0) * 12 + (months ?? 0),
    ms:
      ((weeks ?? 0) * 7 + (days ?? 0)) * DAY_MS +
      (hours ?? 0) * HOUR_MS +
      (minutes ?? 0) * MINUTE_MS +
      (seconds ?? 0) * SECOND_MS +
      fraction,
  };
}

/**
 * Adds a duration to a time: the months first, then the rest. A day that the month does not have is its last one: a month after 31 January
 * is 28 or 29 February (our choice; ISO 8601 leaves it open).
 * @returns milliseconds since the epoch; NaN for a time that no calendar here has
 */
export function addDuration(from_ms: number, { months, ms }: Duration): number {
  if (months === 0) return from_ms + ms;
  const from = new Date(from_ms);
  const [year, month, day] = [from.getUTCFullYear(), from.getUTCMonth() + months, from.getUTCDate()];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const midnight = Date.UTC(year, month, Math.min(day, lastDay));
  const timeOfDay = from_ms - Date.UTC(year, from.getUTCMonth(), day);
  return midnight + timeOfDay + ms;
}
