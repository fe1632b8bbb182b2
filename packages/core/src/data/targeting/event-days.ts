/** The days of recurring events, computed from the rules of calendars. */

const DAY_MS = 86_400_000;

/** The first and the last day of an event, as `2026-12-25`. */
export type Days = readonly [first: string, last: string];

/**
 * Returns the days of a rule in a year; `undefined` if the rule does not apply to the year.
 *
 * - `12-25`, `12-24/12-26`: the same days each year, across the end of the year where the last precedes the first
 * - `easter-2`: days before or after Easter Sunday
 * - `11 4th thu`, `5 last mon`: a weekday of a month; `+1` after it for the following day
 * - `2026-06-11/2026-07-19`: days of one year
 */
export function daysOf(rule: string, year: number): Days | undefined {
  const [first = rule, last = first] = rule.split('/');
  if (/^\d{4}-/.test(first)) return Number(first.slice(0, 4)) === year ? [first, last] : undefined;
  const fixed = /^\d\d-\d\d$/.test(first);
  if (fixed) return [`${year}-${first}`, `${last < first ? year + 1 : year}-${last}`];
  const day = first.startsWith('easter')
    ? easterOf(year) + Number(first.slice(6) || 0) * DAY_MS
    : weekdayOf(first, year);
  return [dayOf(day), dayOf(day)];
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

function weekdayOf(rule: string, year: number): number {
  const [, month = '', nth = '', day = '', shift = '0'] = /^(\d+) (\d|last)\w* (\w{3})(\+\d)?$/.exec(rule) ?? [];
  const weekday = weekdays.indexOf(day);
  if (weekday < 0) throw new TypeError(`"${rule}" is not a rule for days`);
  const begin = nth === 'last' ? Date.UTC(year, Number(month), 1) - 7 * DAY_MS : Date.UTC(year, Number(month) - 1, 1);
  const ahead = (weekday - new Date(begin).getUTCDay() + 7) % 7;
  const weeks = nth === 'last' ? 0 : Number(nth) - 1;
  return begin + (ahead + weeks * 7 + Number(shift)) * DAY_MS;
}

/** Easter Sunday of the Gregorian calendar (Gauss, in the form of Meeus, Jones and Butcher). */
function easterOf(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  return Date.UTC(year, Math.floor(n / 31) - 1, (n % 31) + 1);
}
