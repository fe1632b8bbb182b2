import type * as z from 'zod';
import { systemMembers } from '../../operation/entity.ts';
import { object } from '../../wire/object.ts';
import { id, oneOf, text } from '../../wire/types.ts';
import { locationTypes } from '../targeting-options/enums.ts';

/** Targeting types (reference, targeting section 3). `types.ts` has the facts of each. */
export const targetingTypes = [
  'AGE',
  'APP_LIST',
  'APP_STORE_CATEGORY',
  'APP_STORE_CATEGORY_LOOKALIKE',
  'BROAD_KEYWORD',
  'CAMPAIGN_ENGAGEMENT',
  'CAMPAIGN_ENGAGEMENT_LOOKALIKE',
  'CONTENT_PUBLISHER_USER',
  'CONVERSATION',
  'CUSTOM_AUDIENCE',
  'CUSTOM_AUDIENCE_EXPANDED',
  'DEVICE',
  'ENGAGEMENT_TYPE',
  'EVENT',
  'EXACT_KEYWORD',
  'FOLLOWERS_OF_USER',
  'GENDER',
  'IAB_CATEGORY',
  'INTEREST',
  'LANGUAGE',
  'LIVE_TV_EVENT',
  'LOCATION',
  'NETWORK_ACTIVATION_DURATION',
  'NETWORK_OPERATOR',
  'PHRASE_KEYWORD',
  'PLATFORM',
  'PLATFORM_VERSION',
  'SIMILAR_TO_FOLLOWERS_OF_USER',
  'TV_SHOW',
  'UNORDERED_KEYWORD',
  'USER_ENGAGEMENT',
  'USER_ENGAGEMENT_LOOKALIKE',
  'WIFI_ONLY',
] as const;
export type TargetingType = (typeof targetingTypes)[number];

/** Types of earlier versions, with their replacements. */
export const formerTargetingTypes: Readonly<Record<string, string>> = {
  TAILORED_AUDIENCE: 'use CUSTOM_AUDIENCE',
  BEHAVIOR: 'there is no such targeting any more; INTEREST or CONVERSATION come close',
  NEGATIVE_BEHAVIOR: 'there is no such targeting any more',
  NEGATIVE_PHRASE_KEYWORD: 'use PHRASE_KEYWORD with operator_type NE',
  NEGATIVE_EXACT_KEYWORD: 'use EXACT_KEYWORD with operator_type NE',
  NEGATIVE_UNORDERED_KEYWORD: 'use BROAD_KEYWORD with operator_type NE',
};

/** Operators: equal, not equal, greater than or equal, less than. */
export const operatorTypes = ['EQ', 'NE', 'GTE', 'LT'] as const;
export type OperatorType = (typeof operatorTypes)[number];

const shape = () => ({
  id: id().describe('The targeting criterion.'),
  line_item_id: id().describe('The line item whose advertisements it is about.'),
  name: text().describe('What the value means, for people.'),
  localized_name: text().optional().describe('The same in the language that `lang` names, where there is a word.'),
  operator_type: oneOf(operatorTypes).describe('How the value is meant.'),
  targeting_type: oneOf(targetingTypes).describe('What is targeted.'),
  targeting_value: text().describe('Which of them.'),
  location_type: oneOf(locationTypes).optional().describe('The kind of place; with LOCATION only.'),
  ...systemMembers({
    created_at: 'When the criterion was created.',
    updated_at: 'When the criterion last changed.',
    deleted: 'Whether the criterion has been deleted.',
  }),
});

/** Named, so that declarations of operations do not repeat its members. */
export interface TargetingCriterionSchema extends z.ZodObject<ReturnType<typeof shape>> {}

/** A targeting criterion: a condition on the audience of a line item's advertisements (reference, targeting section 1). */
export const TargetingCriterion: TargetingCriterionSchema = object(shape);
export type TargetingCriterion = z.output<typeof TargetingCriterion>;

/** The attributes that lists of targeting criteria can be sorted by (reference, conventions section 4). */
export const targetingCriterionSortable = ['created_at', 'updated_at', 'name'] as const;
