/** The precision with which audience sizes are reported. */

/** Smaller audiences are reported only as below this number of people (reference, targeting section 7). */
export const SMALLEST_AUDIENCE = 1000;

/** Bounds of the number of matching people. */
export interface AudienceSize {
  readonly min: number;
  readonly max: number;
}

/**
 * Returns the bounds of a count: its first two digits, and these plus one. The bounds are never equal, and all small counts
 * have the same ones, so that an estimate reveals nothing about a single person (our choice).
 */
export function audienceSize(count: number): AudienceSize {
  if (count < SMALLEST_AUDIENCE) return { min: 0, max: SMALLEST_AUDIENCE };
  const unit = 10 ** (String(count).length - 2);
  const min = Math.floor(count / unit) * unit;
  return { min, max: min + unit };
}
