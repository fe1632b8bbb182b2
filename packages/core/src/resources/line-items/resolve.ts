/** Builds the line item to be stored: a new one with defaults filled in, or a stored one with changes merged in. */
import { changed } from '../../operation/changes.ts';
import { changedBudgets } from '../campaigns/budgets.ts';
import type { StoredCampaign } from '../campaigns/entity.ts';
import { wholeCategories } from './categories.ts';
import type { LineItem } from './entity.ts';
import { objectiveRules } from './objectives.ts';
import type { LineItemChanges, LineItemCreate } from './params.ts';
import { bidUnder, defaultBidStrategy, defaultPayBy, payByAfter } from './pricing.ts';
import type { NewLineItem } from './surroundings.ts';

/** Values that a new line item takes from its campaign and account. */
export interface LineItemOrigin {
  readonly campaign: Pick<StoredCampaign, 'id' | 'budget_optimization' | 'funding_instrument_id' | 'currency'>;
  /** The user id of the account's FULL promotable user; null if it has none. */
  readonly advertiser_user_id: string | null;
}

/** Returns the new line item with defaults filled in. It rejects nothing: `checkLineItem` does. */
export function resolveLineItem(params: LineItemCreate, { campaign, advertiser_user_id }: LineItemOrigin): NewLineItem {
  const { objective } = params;
  const goal = params.goal ?? objectiveRules[objective].goals[0].goal;
  const bid_strategy = params.bid_strategy ?? defaultBidStrategy(objective, params.bid_amount_local_micro);
  return {
    name: params.name ?? null,
    campaign_id: campaign.id,
    funding_instrument_id: campaign.funding_instrument_id,
    advertiser_user_id: params.advertiser_user_id ?? advertiser_user_id,
    objective,
    product_type: params.product_type,
    placements: params.placements,
    start_time: params.start_time,
    end_time: params.end_time,
    goal,
    pay_by: params.pay_by ?? defaultPayBy({ objective, goal, bid_strategy }),
    bid_strategy,
    bid_amount_local_micro: bidUnder(bid_strategy, params.bid_amount_local_micro ?? null),
    target_cpa_local_micro: null,
    primary_web_event_tag: params.primary_web_event_tag ?? null,
    daily_budget_amount_local_micro: params.daily_budget_amount_local_micro ?? null,
    total_budget_amount_local_micro: params.total_budget_amount_local_micro ?? null,
    standard_delivery: delivery(campaign, params.standard_delivery),
    duration_in_days: params.duration_in_days ?? null,
    frequency_cap: params.frequency_cap ?? null,
    entity_status: params.entity_status,
    automatic_post_promotion: null,
    advertiser_domain: params.advertiser_domain ?? null,
    categories: wholeCategories(objective, params.categories ?? []),
    android_app_store_identifier: params.android_app_store_identifier ?? null,
    ios_app_store_identifier: params.ios_app_store_identifier ?? null,
    audience_expansion: params.audience_expansion ?? null,
    currency: campaign.currency,
    creative_source: 'MANUAL',
    deleted: false,
  };
}

/** Delivery is set on a line item only if its campaign does not set the budget (reference 9). */
function delivery(
  { budget_optimization }: Pick<StoredCampaign, 'budget_optimization'>,
  chosen: boolean | null | undefined,
): boolean | null {
  return budget_optimization === 'LINE_ITEM' ? (chosen ?? true) : null;
}

/**
 * Returns the line item with the changes merged in; null removes a value. With AUTO there is no bid, since AUTO ignores one
 * (specification C). Our choices: unless it is given, `pay_by` becomes the default of a changed goal, or of the goal once the
 * bid strategy no longer allows it; and delivery is adjusted when the campaign's budget optimization has changed.
 */
export function changeLineItem(
  current: LineItem,
  changes: LineItemChanges,
  campaign: Pick<StoredCampaign, 'budget_optimization'>,
): LineItem {
  const bid_strategy = changes.bid_strategy ?? current.bid_strategy;
  const goal = changes.goal ?? current.goal;
  return {
    ...current,
    name: changed(current.name, changes.name),
    advertiser_user_id: changes.advertiser_user_id ?? current.advertiser_user_id,
    start_time: changes.start_time ?? current.start_time,
    end_time: changes.end_time ?? current.end_time,
    goal,
    pay_by: payByAfter(current, { objective: current.objective, goal, bid_strategy }, changes.pay_by),
    bid_strategy,
    bid_amount_local_micro: bidUnder(
      bid_strategy,
      changed(current.bid_amount_local_micro, changes.bid_amount_local_micro),
    ),
    ...changedBudgets(current, changes),
    standard_delivery: delivery(campaign, current.standard_delivery),
    duration_in_days: changed(current.duration_in_days, changes.duration_in_days),
    frequency_cap: changed(current.frequency_cap, changes.frequency_cap),
    entity_status: changes.entity_status ?? current.entity_status,
    advertiser_domain: changed(current.advertiser_domain, changes.advertiser_domain),
    categories:
      changes.categories === undefined
        ? current.categories
        : wholeCategories(current.objective, changes.categories ?? []),
    android_app_store_identifier: changed(current.android_app_store_identifier, changes.android_app_store_identifier),
    ios_app_store_identifier: changed(current.ios_app_store_identifier, changes.ios_app_store_identifier),
    audience_expansion: changed(current.audience_expansion, changes.audience_expansion),
  };
}
