/** The age buckets. A line item has at most one, so they overlap. */

export const ageBuckets = [
  'AGE_13_TO_24',
  'AGE_13_TO_34',
  'AGE_13_TO_49',
  'AGE_13_TO_54',
  'AGE_OVER_13',
  'AGE_18_TO_34',
  'AGE_18_TO_49',
  'AGE_18_TO_54',
  'AGE_OVER_18',
  'AGE_21_TO_34',
  'AGE_21_TO_49',
  'AGE_21_TO_54',
  'AGE_OVER_21',
  'AGE_25_TO_49',
  'AGE_25_TO_54',
  'AGE_OVER_25',
  'AGE_35_TO_49',
  'AGE_35_TO_54',
  'AGE_OVER_35',
  'AGE_OVER_50',
] as const;

export type AgeBucket = (typeof ageBuckets)[number];

/** A range of ages, both ends inclusive; an open end is null. */
export interface AgeRange {
  readonly from: number;
  readonly to: number | null;
}

/**
 * Returns the ages of a bucket; `undefined` for an unknown one. A person of exactly the age of AGE_OVER is in it (our
 * reading).
 */
export function ageRangeOf(bucket: string): AgeRange | undefined {
  if (!ageBuckets.some((known) => known === bucket)) return undefined;
  const [from = 0, to = null] = [...bucket.matchAll(/\d+/g)].map(Number);
  return { from, to };
}
