import type * as z from 'zod';
import { systemMembers } from '../../operation/entity.ts';
import { object } from '../../wire/object.ts';
import { boolean, currency, id, int, list, long, oneOf, text, time } from '../../wire/types.ts';
import { entityStatuses } from '../campaigns/entity.ts';

export const objectives = [
  'APP_ENGAGEMENTS',
  'APP_INSTALLS',
  'REACH',
  'FOLLOWERS',
  'ENGAGEMENTS',
  'VIDEO_VIEWS',
  'PREROLL_VIEWS',
  'WEBSITE_CLICKS',
] as const;
export type Objective = (typeof objectives)[number];

export const productTypes = ['MEDIA', 'PROMOTED_ACCOUNT', 'PROMOTED_POSTS'] as const;
export type ProductType = (typeof productTypes)[number];

export const placements = [
  'ALL_ON_PLATFORM',
  'PUBLISHER_NETWORK',
  'TAP_BANNER',
  'TAP_FULL',
  'TAP_FULL_LANDSCAPE',
  'TAP_NATIVE',
  'TAP_MRECT',
  'PLATFORM_PROFILE',
  'PLATFORM_REPLIES',
  'PLATFORM_SEARCH',
  'PLATFORM_TIMELINE',
] as const;
export type Placement = (typeof placements)[number];

export const bidStrategies = ['AUTO', 'MAX', 'TARGET'] as const;
export type BidStrategy = (typeof bidStrategies)[number];

/** The goals that an update may set; SITE_VISITS can be chosen on creation only (reference 9.2). */
export const changeableGoals = [
  'APP_CLICKS',
  'APP_INSTALLS',
  'APP_PURCHASES',
  'ENGAGEMENT',
  'FOLLOWERS',
  'LINK_CLICKS',
  'MAX_REACH',
  'PREROLL',
  'PREROLL_STARTS',
  'REACH_WITH_ENGAGEMENT',
  'VIDEO_VIEW',
  'VIEW_3S_100PCT',
  'VIEW_6S',
  'VIEW_15S',
  'WEBSITE_CONVERSIONS',
] as const;
export const goals = [...changeableGoals, 'SITE_VISITS'] as const;
export type Goal = (typeof goals)[number];

export const payBys = [
  'APP_CLICK',
  'APP_INSTALL',
  'ENGAGEMENT',
  'FOLLOW',
  'IMPRESSION',
  'LEAD',
  'LINK_CLICK',
  'VIEW',
  'VIEW_3S_100PCT',
] as const;
export type PayBy = (typeof payBys)[number];

export const audienceExpansions = ['BROAD', 'DEFINED', 'EXPANDED'] as const;

const shape = () => ({
  id: id().describe('The line item.'),
  name: text().nullable().describe('The name of the line item.'),
  campaign_id: id().describe('The campaign that it belongs to.'),
  funding_instrument_id: id().describe('What pays for the campaign.'),
  advertiser_user_id: text().nullable().describe('The user in whose name the advertisement appears.'),
  objective: oneOf(objectives).describe('What the advertiser wants to reach.'),
  product_type: oneOf(productTypes).describe('What is promoted.'),
  placements: list(oneOf(placements), { min: 0, max: placements.length }).describe('Where the advertisement appears.'),
  start_time: time().nullable().describe('When the flight begins.'),
  end_time: time().nullable().describe('When the flight ends.'),
  goal: oneOf(goals).describe('What delivery is optimized for.'),
  pay_by: oneOf(payBys).describe('What is charged for.'),
  bid_strategy: oneOf(bidStrategies).describe('How the bid is used.'),
  bid_amount_local_micro: long().nullable().describe('The bid, in micros; null with AUTO.'),
  target_cpa_local_micro: long().nullable().describe('Cost for each action aimed at, in micros.'),
  primary_web_event_tag: text().nullable().describe('The web event that counts as a conversion.'),
  daily_budget_amount_local_micro: long().nullable().describe('What is spent in a day, in micros.'),
  total_budget_amount_local_micro: long().nullable().describe('What is spent in all, in micros.'),
  standard_delivery: boolean().nullable().describe('Spend evenly (true) or as fast as possible (false).'),
  duration_in_days: int().nullable().describe('The period in which the frequency cap applies.'),
  frequency_cap: int().nullable().describe('How often one person sees the advertisement in that period.'),
  entity_status: oneOf(entityStatuses).describe('What the advertiser set.'),
  automatic_post_promotion: boolean().nullable().describe('Whether posts are promoted without being named.'),
  advertiser_domain: text().nullable().describe('The domain of the advertiser, without protocol.'),
  categories: list(text(), { min: 0, max: 400 }).describe('IAB categories of the advertisement.'),
  android_app_store_identifier: text().nullable().describe('The app promoted, in the Android store.'),
  ios_app_store_identifier: text().nullable().describe('The app promoted, in the iOS store.'),
  audience_expansion: oneOf(audienceExpansions).nullable().describe('How far the audience may be widened.'),
  currency: currency().describe('The currency of the funding instrument.'),
  creative_source: oneOf(['MANUAL']).describe('How creatives are chosen.'),
  ...systemMembers({
    created_at: 'When the line item was created.',
    updated_at: 'When the line item last changed.',
    deleted: 'Whether the line item has been deleted.',
  }),
});

/** Named, so that declarations of operations do not repeat its members. */
export interface LineItemSchema extends z.ZodObject<ReturnType<typeof shape>> {}

/** A line item (specification C, Line item). Amounts are in millionths of the currency unit. */
export const LineItem: LineItemSchema = object(shape);
export type LineItem = z.output<typeof LineItem>;

/** The attributes that lists of line items can be sorted by (reference, conventions section 4). */
export const lineItemSortable = ['created_at', 'updated_at', 'deleted', 'bid_amount_local_micro'] as const;
