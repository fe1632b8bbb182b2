/** The precision with which audience sizes are reported. */

/** Smaller audiences are reported only as below this number of people (reference, targeting section 7). */
export const SMALLEST_AUDIENCE = 1000;

/** Bounds of the number of matching people. */
export interface AudienceSize {
  readonly min: number;
  readonly max: number;
}

/** The unit of the second digit of a count of at least two digits. */
function unitOf(count: number): number {
  return 10 ** (String(count).length - 2);
}

/** Returns a count of at least two digits, cut to its first two. */
export function cutToTwoDigits(count: number): number {
  const unit = unitOf(count);
  return Math.floor(count / unit) * unit;
}

/**
 * Returns the bounds of a count: its first two digits, and these plus one. The bounds are never equal, and all small counts
 * have the same ones, so that an estimate reveals nothing about a single person (our choice).
 */
export function audienceSize(count: number): AudienceSize {
  if (count < SMALLEST_AUDIENCE) return { min: 0, max: SMALLEST_AUDIENCE };
  const min = cutToTwoDigits(count);
  return { min, max: min + unitOf(count) };
}
