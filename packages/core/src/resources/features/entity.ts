/** The features that a caller may add to and remove from a sandbox account (specification C, Account features). */
export const sandboxFeatureKeys = [
  'AGE_TARGETING',
  'ALLOW_SKIPPABLE_VIDEOS_FOR_PREROLL_VIEWS_OBJECTIVE',
  'AWARENESS_OBJECTIVE',
  'BRAND_TPN',
  'CHARGE_FOR_GOOD_CLICK',
  'CONVERSATION_CARD',
  'CONVERSATION_CARD_FOUR_OPTIONS',
  'CONVERSATION_CARD_UNLOCK',
  'CPI_CHARGING',
  'DIRECT_MESSAGE_CARD',
  'DR_TAP',
  'ENGAGER_RETARGETING',
  'EVENT_TARGETING',
  'INSTALLED_APP_CATEGORY_TARGETING',
  'MOBILE_CONVERSION_TRANSACTION_VALUE',
  'OPTIMIZED_ACTION_BIDDING',
  'REACH_AND_FREQUENCY_ANALYTICS',
  'REACH_FREQUENCY_CAP',
  'VALIDATED_AGE_TARGETING',
  'VIDEO_VIEWS_MIDROLL_OBJECTIVE',
  'PREROLL_VIEWS_OBJECTIVE',
  'VIDEO_APP_DOWNLOAD_CARD',
] as const;

/** Features that the specification names elsewhere, or that only the operator grants. */
const otherFeatureKeys = [
  // Account history is in beta (specification C). Its key is unknown, so this one is our choice.
  'ACCOUNT_HISTORY',
  'WEBSITE_CLICKS_CPM_BILLING',
  'CITY_TARGETING',
  'PROMOTED_MEDIA_POLLS',
  'UNIVERSAL_LOOKALIKE',
  'SHARE_AUDIENCE_OUTSIDE_BUSINESS',
] as const;

/** Every feature that an account can have. */
export const featureKeys = [...sandboxFeatureKeys, ...otherFeatureKeys] as const;
export type FeatureKey = (typeof featureKeys)[number];

/** The features of a new sandbox account (reference, campaign-management section 6). */
export const initialSandboxFeatures: readonly FeatureKey[] = [
  'ALLOW_SKIPPABLE_VIDEOS_FOR_PREROLL_VIEWS_OBJECTIVE',
  'AWARENESS_OBJECTIVE',
  'CPI_CHARGING',
  'EVENT_TARGETING',
  'INSTALLED_APP_CATEGORY_TARGETING',
  'MOBILE_CONVERSION_TRANSACTION_VALUE',
  'OPTIMIZED_ACTION_BIDDING',
  'VIDEO_APP_DOWNLOAD_CARD',
];
