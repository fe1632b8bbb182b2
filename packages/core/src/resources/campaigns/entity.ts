import type * as z from 'zod';
import { systemMembers } from '../../operation/entity.ts';
import { computed } from '../../wire/computed.ts';
import { object } from '../../wire/object.ts';
import { boolean, currency, id, int, list, micro, oneOf, text } from '../../wire/types.ts';

export const entityStatuses = ['ACTIVE', 'DRAFT', 'PAUSED'] as const;
export type EntityStatus = (typeof entityStatuses)[number];

export const budgetOptimizations = ['CAMPAIGN', 'LINE_ITEM'] as const;

/** Reasons why a campaign is not served; the list of the reference, in the order in which they are reported. */
export const campaignReasons = [
  'DELETED',
  'PAUSED_BY_ADVERTISER',
  'INCOMPLETE',
  'EXPIRED',
  'FUNDING_PROBLEM',
  'BUDGET_EXHAUSTED',
  'STARTS_IN_FUTURE',
  'ACCOUNT_REJECTED',
  'ACCOUNT_UNDER_REVIEW',
  'AWAITING_APPROVAL_BY_ADVERTISER',
  'CONTENT_REVIEW_PROBLEM',
] as const;
export type CampaignReason = (typeof campaignReasons)[number];

/** The effective status of a campaign. The specification names UNKNOWN and RUNNING, the reference PAUSED and ACTIVE. */
export const effectiveStatuses = ['UNKNOWN', 'RUNNING', 'PAUSED', 'ACTIVE', 'EXPIRED'] as const;
export type EffectiveStatus = (typeof effectiveStatuses)[number];

const shape = () => ({
  id: id().describe('The campaign.'),
  name: text().describe('The name of the campaign.'),
  budget_optimization: oneOf(budgetOptimizations).describe(
    'Whether budgets are set on the campaign or its line items.',
  ),
  reasons_not_servable: computed(
    list(oneOf(campaignReasons), { min: 0, max: campaignReasons.length }).describe('Why the campaign is not served.'),
  ),
  servable: computed(boolean().nullable().describe('Whether the campaign is served now; null once it is deleted.')),
  effective_status: computed(oneOf(effectiveStatuses).describe('What the campaign is doing now.')),
  entity_status: oneOf(entityStatuses).describe('What the advertiser set.'),
  purchase_order_number: text({ max: 50 }).nullable().describe('The reference on the invoice.'),
  daily_budget_amount_local_micro: micro().nullable().describe('What is spent in a day, in micros.'),
  total_budget_amount_local_micro: micro().nullable().describe('What is spent in all, in micros.'),
  funding_instrument_id: id().describe('What pays for the campaign.'),
  duration_in_days: int().nullable().describe('Unset on campaigns; the frequency cap is set on line items.'),
  standard_delivery: boolean().nullable().describe('Spend evenly (true) or as fast as possible (false).'),
  frequency_cap: int().nullable().describe('Unset on campaigns; the frequency cap is set on line items.'),
  currency: currency().describe('The currency of the funding instrument.'),
  ...systemMembers({
    created_at: 'When the campaign was created.',
    updated_at: 'When the campaign last changed.',
    deleted: 'Whether the campaign has been deleted.',
  }),
});

/** Named, so that declarations of operations do not repeat its members. */
export interface CampaignSchema extends z.ZodObject<ReturnType<typeof shape>> {}

/** A campaign (specification C, Campaign). Amounts are in millionths of the currency unit. */
export const Campaign: CampaignSchema = object(shape);
export type Campaign = z.output<typeof Campaign>;

/** The stored part of a campaign: everything that is not derived from related entities and the current time. */
export type StoredCampaign = Omit<Campaign, 'servable' | 'reasons_not_servable' | 'effective_status'>;

/**
 * The attributes that lists of campaigns can be sorted by. The reference also lists start and end times, which campaigns in
 * this version do not have.
 */
export const campaignSortable = [
  'created_at',
  'updated_at',
  'deleted',
  'name',
  'daily_budget_amount_local_micro',
  'total_budget_amount_local_micro',
  'standard_delivery',
] as const;
