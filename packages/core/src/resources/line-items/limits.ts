/** Limits on the number of line items (specification C, Limits). */
import type { Issue } from '../../wire/issues.ts';
import type { StoredCampaign } from '../campaigns/entity.ts';
import type { LineItem } from './entity.ts';

/** Maximum number of line items of a campaign that are not deleted (specification C, Limits). */
export const MAX_LINE_ITEMS_PER_CAMPAIGN = 100;

/** Maximum number of active line items of an account (specification C, Limits). */
export const MAX_ACTIVE_LINE_ITEMS = 256;

/**
 * Reports whether a line item counts towards the account's limit of active ones. As with campaigns, paused ones do; drafts
 * and those that are deleted, have ended or are in a deleted campaign do not (our choice).
 */
export function countsAsActiveLineItem(
  lineItem: Pick<LineItem, 'deleted' | 'entity_status' | 'end_time'>,
  campaign: Pick<StoredCampaign, 'deleted'>,
  now: string,
): boolean {
  if (lineItem.deleted || campaign.deleted || lineItem.entity_status === 'DRAFT') return false;
  return lineItem.end_time === null || lineItem.end_time > now;
}

/** Numbers of line items after a request. */
export interface LineItemCounts {
  /** Line items of the campaign that are not deleted. */
  readonly in_campaign: number;
  /** Active line items of the account. */
  readonly active: number;
}

/** Checks the numbers of line items after a request (specification C, Limits). */
export function checkLineItemLimits({ in_campaign, active }: LineItemCounts): Issue<'TOO_MANY_LINE_ITEMS'>[] {
  const issues: Issue<'TOO_MANY_LINE_ITEMS'>[] = [];
  if (in_campaign > MAX_LINE_ITEMS_PER_CAMPAIGN) {
    const message = `A campaign may have up to ${MAX_LINE_ITEMS_PER_CAMPAIGN} line items; delete one or use another campaign`;
    issues.push({ error: 'TOO_MANY_LINE_ITEMS', parameter: 'campaign_id', message });
  }
  if (active > MAX_ACTIVE_LINE_ITEMS) {
    const message = `The account may have up to ${MAX_ACTIVE_LINE_ITEMS} active line items; paused ones count, drafts and ended or deleted ones do not`;
    issues.push({ error: 'TOO_MANY_LINE_ITEMS', message });
  }
  return issues;
}
