/**
 * The criteria of a line item that the rules look at when one is created or deleted. A line item can have thousands, so a call reads
 * these alone, and has the others counted at most. A property test compares what the rules say of them with what they say of all.
 */
import type { TargetingType } from './entity.ts';
import { engagers, type LimitGroup, targetingTypeFacts } from './types.ts';
import type { CriterionTerms } from './values.ts';

/** What a change of one criterion is checked against. */
export interface LookedAt {
  /** Types of which every criterion matters. */
  readonly types: readonly TargetingType[];
  /** Types of which those with the value of the criterion matter, whatever their operator. */
  readonly same_value: readonly TargetingType[];
  /** The group of types that are counted; absent if the type has no limit. */
  readonly group?: LimitGroup | undefined;
  /** Whether it matters that the line item has a curated category. */
  readonly curated_category: boolean;
}

const engagement: readonly TargetingType[] = ['ENGAGEMENT_TYPE', ...engagers];

const created: Readonly<Partial<Record<TargetingType, readonly TargetingType[]>>> = {
  // The only one there may be is named.
  AGE: ['AGE'],
  EVENT: ['EVENT'],
  DEVICE: ['PLATFORM'],
  PLATFORM: ['DEVICE'],
  ENGAGEMENT_TYPE: engagement,
  IAB_CATEGORY: ['IAB_CATEGORY'],
  TV_SHOW: ['LOCATION'],
};

const deleted: Readonly<Partial<Record<TargetingType, readonly TargetingType[]>>> = {
  ...Object.fromEntries(engagers.map((type) => [type, engagement])),
  IAB_CATEGORY: ['IAB_CATEGORY'],
  LOCATION: ['LOCATION', 'TV_SHOW'],
};

/** Returns what the rules look at when a criterion is created. */
export function lookedAtByCreation({ targeting_type }: Pick<CriterionTerms, 'targeting_type'>): LookedAt {
  const { group } = targetingTypeFacts[targeting_type];
  return {
    types: created[targeting_type] ?? [],
    same_value: audiences.includes(targeting_type) ? audiences : [targeting_type],
    group,
    curated_category: group === 'publishers' || targeting_type === 'IAB_CATEGORY',
  };
}

/** Returns what the rules look at when a criterion is deleted. */
export function lookedAtByDeletion({ targeting_type }: Pick<CriterionTerms, 'targeting_type'>): LookedAt {
  return { types: deleted[targeting_type] ?? [], same_value: [targeting_type], curated_category: false };
}

const audiences: readonly TargetingType[] = ['CUSTOM_AUDIENCE', 'CUSTOM_AUDIENCE_EXPANDED'];
