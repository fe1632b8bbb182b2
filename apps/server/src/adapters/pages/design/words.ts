const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Formats a wire-format time as a day, as in "14 March 2026"; returns anything else unchanged. */
export function dayOf(time: string): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)T/.exec(time) ?? [];
  const name = MONTHS[Number(month) - 1];
  return name ? `${Number(day)} ${name} ${year}` : time;
}

/** Formats a time as in "14 March 2026, 09:26 UTC". */
export function minuteOf(time_ms: number): string {
  const time = new Date(time_ms).toISOString();
  return `${dayOf(time)}, ${time.slice(11, 16)} UTC`;
}

/** Formats a whole number, as in "12,345". */
export function numberOf(number: number): string {
  return String(Math.trunc(number)).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Formats a duration in the largest unit that fits, rounded up. */
export function durationOf(seconds: number): string {
  if (seconds <= 60) return count(Math.max(1, Math.ceil(seconds)), 'second');
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 60 ? count(minutes, 'minute') : count(Math.ceil(minutes / 60), 'hour');
}

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`;
}

/** Right-to-left letters, and the characters that change text direction. */
const TURNS = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Isolates the direction of a name in plain text, such as the title. In markup, `bdi` does this. */
export function isolated(name: string): string {
  return TURNS.test(name) ? `\u2068${name}\u2069` : name;
}

/** Returns the first grapheme of a name, for a tile. */
export function initialOf(name: string): string {
  for (const { segment } of new Intl.Segmenter('en').segment(name.trim())) return segment.toUpperCase();
  return '';
}
