/** Combinations of placements, and the rules on them. */
import { type Issue, missingParameter } from '../../wire/issues.ts';
import type { Objective, Placement, ProductType } from './entity.ts';
import type { NewLineItem } from './surroundings.ts';

export type PlacementCombination = readonly [Placement, ...Placement[]];

/**
 * The valid combinations of placements by product type (reference, section 10). Our choice: PLATFORM_REPLIES, which the
 * specification lists and the combinations of the reference lack, is allowed together with PLATFORM_TIMELINE, never alone.
 */
export const placementCombinations: Readonly<Record<ProductType, readonly PlacementCombination[]>> = {
  MEDIA: [
    ['ALL_ON_PLATFORM'],
    ['PUBLISHER_NETWORK'],
    ['TAP_BANNER'],
    ['TAP_FULL'],
    ['TAP_FULL_LANDSCAPE'],
    ['TAP_NATIVE'],
    ['TAP_MRECT'],
  ],
  PROMOTED_ACCOUNT: [['ALL_ON_PLATFORM'], ['PLATFORM_TIMELINE']],
  PROMOTED_POSTS: [
    ['ALL_ON_PLATFORM'],
    ['ALL_ON_PLATFORM', 'PUBLISHER_NETWORK'],
    ['PUBLISHER_NETWORK'],
    ['PUBLISHER_NETWORK', 'PLATFORM_TIMELINE'],
    ['PLATFORM_SEARCH'],
    ['PLATFORM_TIMELINE'],
    ['PLATFORM_PROFILE', 'PLATFORM_TIMELINE'],
    ['PLATFORM_SEARCH', 'PLATFORM_TIMELINE'],
    ['PLATFORM_PROFILE', 'PLATFORM_SEARCH'],
    ['PLATFORM_PROFILE', 'PLATFORM_SEARCH', 'PLATFORM_TIMELINE'],
    ['PLATFORM_REPLIES', 'PLATFORM_TIMELINE'],
    ['PLATFORM_PROFILE', 'PLATFORM_REPLIES', 'PLATFORM_TIMELINE'],
    ['PLATFORM_REPLIES', 'PLATFORM_SEARCH', 'PLATFORM_TIMELINE'],
    ['PLATFORM_PROFILE', 'PLATFORM_REPLIES', 'PLATFORM_SEARCH', 'PLATFORM_TIMELINE'],
  ],
};
/** Checks that the placements are a valid combination for their product type. */
export function checkPlacements({
  objective,
  product_type,
  placements,
}: NewLineItem): Issue<'INVALID_PLACEMENT_TYPE'>[] {
  const valid = placementCombinations[product_type].filter((combination) => suitsObjective(objective, combination));
  if (valid.some((combination) => isSameSet(combination, placements))) return [];
  const known = valid.map((combination) => combination.join(',')).join('; ');
  return [
    {
      error: 'INVALID_PLACEMENT_TYPE',
      parameter: 'placements',
      value: placements,
      message: `Expected one of these combinations for ${product_type} with objective ${objective}: ${known}`,
    },
  ];
}

/** REACH always includes the timeline (reference, section 10). */
function suitsObjective(objective: Objective, combination: PlacementCombination): boolean {
  if (objective !== 'REACH') return true;
  return combination.includes('PLATFORM_TIMELINE') || isSameSet(combination, ['ALL_ON_PLATFORM']);
}

function isSameSet(one: readonly Placement[], other: readonly Placement[]): boolean {
  return one.length === other.length && one.every((placement) => other.includes(placement));
}

/** Checks the requirements for advertisements outside the platform. */
export function checkPublisherNetwork({
  placements,
  advertiser_domain,
  categories,
}: NewLineItem): Issue<'MISSING_PARAMETER'>[] {
  if (!placements.includes('PUBLISHER_NETWORK')) return [];
  const circumstance = 'with placement PUBLISHER_NETWORK';
  return [
    ...(advertiser_domain === null ? [missingParameter('advertiser_domain', circumstance)] : []),
    ...(categories.length === 0 ? [missingParameter('categories', circumstance)] : []),
  ];
}
