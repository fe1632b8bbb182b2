/** How exactly the size of an audience is told. */

/** Below this many people nothing is told but that there are fewer (reference, targeting section 7). */
export const SMALLEST_AUDIENCE = 1000;

/** The bounds between which the number of matching people lies. */
export interface AudienceSize {
  readonly min: number;
  readonly max: number;
}

/**
 * The bounds of a count: its first two digits, and one more in the second. Bounds are never equal, and there is one pair for
 * all small counts, so that nobody learns from an estimate what a single person is or does (our choice).
 */
export function audienceSize(count: number): AudienceSize {
  if (count < SMALLEST_AUDIENCE) return { min: 0, max: SMALLEST_AUDIENCE };
  const unit = 10 ** (String(count).length - 2);
  const min = Math.floor(count / unit) * unit;
  return { min, max: min + unit };
}
