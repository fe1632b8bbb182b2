/** Facts of the targeting types (reference, targeting section 3). */
import { type OperatorType, type TargetingType, targetingTypes } from './entity.ts';

/** Kinds of value of a criterion. */
export type ValueKind =
  | 'age'
  | 'app_list'
  | 'app_store_category'
  | 'audience'
  | 'campaign'
  | 'conversation'
  | 'device'
  | 'engagement_type'
  | 'event'
  | 'full_promotable_user'
  | 'gender'
  | 'iab_category'
  | 'interest'
  | 'keyword'
  | 'language'
  | 'live_tv_event'
  | 'location'
  | 'months'
  | 'network_operator'
  | 'platform'
  | 'platform_version'
  | 'promotable_user'
  | 'publisher'
  | 'tv_show'
  | 'user'
  | 'yes';

/** Groups of types that count together against one limit. */
export type LimitGroup = 'keywords' | 'locations' | 'interests' | 'similar' | 'age' | 'event' | 'publishers';

/** The facts of a targeting type. */
export interface TargetingTypeFacts {
  readonly kind: ValueKind;
  /** The operators that it allows. EQ is the default. */
  readonly operators: readonly OperatorType[];
  /** Primary types select people and are joined by union; all others narrow the selection down. */
  readonly primary: boolean;
  /** The limit of a line item that it counts against; absent if there is none. */
  readonly group?: LimitGroup;
  /** Can be created in a batch only. */
  readonly batchOnly?: true;
}

const EQ = ['EQ'] as const;
const NE = ['NE'] as const;
const EITHER = ['EQ', 'NE'] as const;

const keyword = { kind: 'keyword', operators: EITHER, primary: true, group: 'keywords' } as const;

export const targetingTypeFacts: Readonly<Record<TargetingType, TargetingTypeFacts>> = {
  AGE: { kind: 'age', operators: EQ, primary: false, group: 'age' },
  APP_LIST: { kind: 'app_list', operators: NE, primary: false },
  APP_STORE_CATEGORY: { kind: 'app_store_category', operators: EITHER, primary: false },
  APP_STORE_CATEGORY_LOOKALIKE: { kind: 'app_store_category', operators: EITHER, primary: false },
  BROAD_KEYWORD: keyword,
  CAMPAIGN_ENGAGEMENT: { kind: 'campaign', operators: EITHER, primary: true },
  CAMPAIGN_ENGAGEMENT_LOOKALIKE: { kind: 'campaign', operators: EITHER, primary: true },
  CONTENT_PUBLISHER_USER: { kind: 'publisher', operators: NE, primary: false, group: 'publishers', batchOnly: true },
  CONVERSATION: { kind: 'conversation', operators: EQ, primary: true },
  CUSTOM_AUDIENCE: { kind: 'audience', operators: EITHER, primary: true },
  CUSTOM_AUDIENCE_EXPANDED: { kind: 'audience', operators: EQ, primary: true },
  DEVICE: { kind: 'device', operators: EITHER, primary: false },
  ENGAGEMENT_TYPE: { kind: 'engagement_type', operators: EQ, primary: false },
  EVENT: { kind: 'event', operators: EQ, primary: false, group: 'event' },
  EXACT_KEYWORD: keyword,
  FOLLOWERS_OF_USER: { kind: 'full_promotable_user', operators: EQ, primary: true },
  GENDER: { kind: 'gender', operators: EQ, primary: false },
  IAB_CATEGORY: { kind: 'iab_category', operators: EQ, primary: false, batchOnly: true },
  INTEREST: { kind: 'interest', operators: EQ, primary: true, group: 'interests' },
  LANGUAGE: { kind: 'language', operators: EQ, primary: false },
  LIVE_TV_EVENT: { kind: 'live_tv_event', operators: EQ, primary: true },
  LOCATION: { kind: 'location', operators: EITHER, primary: false, group: 'locations' },
  NETWORK_ACTIVATION_DURATION: { kind: 'months', operators: ['LT', 'GTE'], primary: false },
  NETWORK_OPERATOR: { kind: 'network_operator', operators: EQ, primary: false },
  PHRASE_KEYWORD: keyword,
  PLATFORM: { kind: 'platform', operators: EITHER, primary: false },
  PLATFORM_VERSION: { kind: 'platform_version', operators: ['EQ', 'GTE'], primary: false },
  SIMILAR_TO_FOLLOWERS_OF_USER: { kind: 'user', operators: EITHER, primary: true, group: 'similar' },
  TV_SHOW: { kind: 'tv_show', operators: EQ, primary: true },
  // Deprecated but still accepted: it is among the types of this version.
  UNORDERED_KEYWORD: keyword,
  USER_ENGAGEMENT: { kind: 'promotable_user', operators: EITHER, primary: true },
  USER_ENGAGEMENT_LOOKALIKE: { kind: 'promotable_user', operators: EITHER, primary: true },
  WIFI_ONLY: { kind: 'yes', operators: EQ, primary: false },
};

/** Types of entities that people engaged with. */
export const engagers: readonly TargetingType[] = [
  'CAMPAIGN_ENGAGEMENT',
  'CAMPAIGN_ENGAGEMENT_LOOKALIKE',
  'USER_ENGAGEMENT',
  'USER_ENGAGEMENT_LOOKALIKE',
];

/** Reports whether a targeting type selects people, rather than narrowing the selection down. */
export function isPrimary(type: TargetingType): boolean {
  return targetingTypeFacts[type].primary;
}

/** Maximum number of criteria of a group on a line item; that of CONTENT_PUBLISHER_USER depends on its categories. */
export const criteriaLimits: Readonly<Record<Exclude<LimitGroup, 'publishers'>, number>> = {
  keywords: 1000,
  locations: 2000,
  interests: 100,
  similar: 100,
  age: 1,
  event: 1,
};

/** Returns the types that count against the limit of a group. */
export function typesOfGroup(group: LimitGroup): readonly TargetingType[] {
  return targetingTypes.filter((type) => targetingTypeFacts[type].group === group);
}
