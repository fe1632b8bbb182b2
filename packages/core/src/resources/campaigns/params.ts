import type * as z from 'zod';
import { object } from '../../wire/object.ts';
import { boolean, id, micro, oneOf, removable, text } from '../../wire/types.ts';
import { budgetOptimizations, entityStatuses } from './entity.ts';

export const campaign_id = id().describe('The campaign.');

/** Parameters for creating a campaign, without the account (specification C, Campaign create parameters). */
export const CampaignCreate = object(() => ({
  funding_instrument_id: id().describe('What pays for the campaign; it also sets the currency.'),
  name: text().describe('The name: 1 to 255 characters.'),
  budget_optimization: oneOf(budgetOptimizations)
    .default('CAMPAIGN')
    .describe('Whether budgets are set on the campaign or its line items.'),
  daily_budget_amount_local_micro: micro()
    .optional()
    .describe(
      'What is spent in a day, in micros; at most the total budget. Required with budget optimization CAMPAIGN unless the funding instrument is an INSERTION_ORDER or PARTNER_MANAGED.',
    ),
  entity_status: oneOf(entityStatuses).default('ACTIVE').describe('The state to begin in.'),
  purchase_order_number: text({ max: 50 }).optional().describe('The reference on the invoice: up to 50 characters.'),
  standard_delivery: boolean()
    .optional()
    .describe('Spend evenly (true, the default) or as fast as possible. Only with budget optimization CAMPAIGN.'),
  total_budget_amount_local_micro: micro().optional().describe('What is spent in all, in micros.'),
}));

/** Parameters for updating a campaign, without the account and the campaign; what is not given stays unchanged. */
export const CampaignChanges = object(() => ({
  name: text().optional().describe('The new name: 1 to 255 characters.'),
  budget_optimization: oneOf(budgetOptimizations).optional().describe('Where budgets are set.'),
  daily_budget_amount_local_micro: removable(micro())
    .optional()
    .describe('What is spent in a day, in micros; empty to spend evenly over the flight.'),
  entity_status: oneOf(['ACTIVE', 'PAUSED']).optional().describe('The new state. A campaign never returns to DRAFT.'),
  purchase_order_number: removable(text({ max: 50 }))
    .optional()
    .describe('The reference on the invoice; empty to remove.'),
  standard_delivery: boolean().optional().describe('Spend evenly or as fast as possible.'),
  total_budget_amount_local_micro: removable(micro())
    .optional()
    .describe('What is spent in all, in micros; empty to remove.'),
}));

export type CampaignCreate = z.output<typeof CampaignCreate>;
export type CampaignChanges = z.output<typeof CampaignChanges>;
