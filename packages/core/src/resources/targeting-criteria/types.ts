/** What each targeting type takes (reference, targeting section 3). */
import type { OperatorType, TargetingType } from './entity.ts';

/** What the value of a criterion is. */
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

/** The types that count together against one limit. */
export type LimitGroup = 'keywords' | 'locations' | 'interests' | 'similar' | 'age' | 'event' | 'publishers';

/** The facts of a targeting type. */
export interface TargetingTypeFacts {
  readonly kind: ValueKind;
  /** The operators that it takes. EQ is meant where a call names none. */
  readonly operators: readonly OperatorType[];
  /** Primary types say who is meant and are joined by union; all others narrow that down. */
  readonly primary: boolean;
  /** What it counts against on a line item; absent where nothing limits it. */
  readonly group?: LimitGroup;
  /** Created in a batch only. */
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
  // Deprecated, and still taken: it stands among the types of this version.
  UNORDERED_KEYWORD: keyword,
  USER_ENGAGEMENT: { kind: 'promotable_user', operators: EITHER, primary: true },
  USER_ENGAGEMENT_LOOKALIKE: { kind: 'promotable_user', operators: EITHER, primary: true },
  WIFI_ONLY: { kind: 'yes', operators: EQ, primary: false },
};

/** Whether a targeting type says who is meant, rather than narrowing that down. */
export function isPrimary(type: TargetingType): boolean {
  return targetingTypeFacts[type].primary;
}

/** How many criteria of a group a line item may have; those of CONTENT_PUBLISHER_USER follow from its categories. */
export const criteriaLimits: Readonly<Record<Exclude<LimitGroup, 'publishers'>, number>> = {
  keywords: 1000,
  locations: 2000,
  interests: 100,
  similar: 100,
  age: 1,
  event: 1,
};
