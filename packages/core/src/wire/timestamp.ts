/**
 * Advertising timestamps: `YYYY-MM-DDTHH:MM:SSZ`, second precision, always UTC (reference, conventions section 3). They
 * are text from the wire to the column: the canonical form sorts chronologically.
 */

const PATTERN = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:Z|([+-])(\d{2})(?::?(\d{2}))?))?$/;

/** Formats milliseconds since the epoch as a canonical timestamp; fractions of a second are truncated. */
export function formatTimestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Converts a canonical timestamp to milliseconds since the epoch. */
export function timestampMs(timestamp: string): number {
  return Date.parse(timestamp);
}

/**
 * Parses any of the accepted forms (a date, or date, time and offset `Z`, `+HHMM`, `+HH:MM`, `+HH`) and returns the
 * canonical form, or `undefined` when the text is not a time, names a day that does not exist, or is outside years 0001
 * to 9999.
 */
export function parseTimestamp(text: string): string | undefined {
  const match = PATTERN.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', sign, offsetHour = '00', offsetMinute = '00'] =
    match;
  const utc = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  // Date.parse rejects most impossible days but rolls 30 February over, and accepts hour 24.
  if (Number.isNaN(utc) || new Date(utc).getUTCDate() !== Number(day) || Number(hour) > 23) return undefined;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * 60_000 * (sign === '-' ? -1 : 1);
  const result = formatTimestamp(utc - offset);
  return /^(?!0000)\d{4}-/.test(result) ? result : undefined;
}

/** The same, to the millisecond: `2026-01-15T08:00:00.250Z`. Further digits of a second are left off. */
export function parseInstant(text: string): string | undefined {
  const second = parseTimestamp(text)?.slice(0, 19);
  if (second === undefined) return undefined;
  const fraction = /\.(\d{1,3})/.exec(text)?.[1] ?? '';
  return `${second}.${fraction.padEnd(3, '0')}Z`;
}
