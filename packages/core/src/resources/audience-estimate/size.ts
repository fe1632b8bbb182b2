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

/**
 * Returns a count of people of whom somebody else knows more than the asker may: moved by up to one step of the rounding,
 * so that a difference of one person is not visible in what is told of it (our choice).
 * @param share where in the range of the steps, from 0 to below 1: the same for equal questions, unpredictable otherwise
 * @param smallest the smallest count that is told
 */
export function blurredCount(count: number, share: number, smallest: number): number {
  return Math.max(0, count + blurOf(count, share, smallest));
}

/** Returns by how much a count is moved: see {@link blurredCount}. */
export function blurOf(count: number, share: number, smallest: number): number {
  const step = unitOf(Math.max(count, smallest));
  return Math.floor(share * (2 * step + 1)) - step;
}
