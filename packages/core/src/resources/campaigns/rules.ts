/** Rules on campaigns: valid parameters, the limit of active campaigns, and the serving status. */
import { changed } from '../../operation/changes.ts';
import { type Issue, invalidParameter, missingParameter } from '../../wire/issues.ts';
import type { Account } from '../accounts/entity.ts';
import type { FundingInstrument, FundingInstrumentType } from '../funding-instruments/entity.ts';
import { checkMeans, type Means, type MeansIssue } from '../funding-instruments/rules.ts';
import { type Budgets, budgetNames, changedBudgets, checkDailyBudget } from './budgets.ts';
import type { Campaign, CampaignReason, EffectiveStatus, StoredCampaign } from './entity.ts';
import type { CampaignChanges, CampaignCreate } from './params.ts';
import { isBudgetExhausted, type Spent } from './spend.ts';

/** A campaign before it is stored and gets an id and times. */
export type NewCampaign = Omit<StoredCampaign, 'id' | 'created_at' | 'updated_at'>;

/** Returns the new campaign to be stored. `currency` is that of its funding instrument. */
export function resolveCampaign(params: CampaignCreate, currency: string): NewCampaign {
  return {
    name: params.name,
    budget_optimization: params.budget_optimization,
    entity_status: params.entity_status,
    purchase_order_number: params.purchase_order_number ?? null,
    daily_budget_amount_local_micro: params.daily_budget_amount_local_micro ?? null,
    total_budget_amount_local_micro: params.total_budget_amount_local_micro ?? null,
    funding_instrument_id: params.funding_instrument_id,
    duration_in_days: null,
    standard_delivery: delivery(params.budget_optimization, params.standard_delivery),
    frequency_cap: null,
    currency,
    deleted: false,
  };
}

/** Returns the campaign with the changes merged in; null removes a value. */
export function changeCampaign(current: StoredCampaign, changes: CampaignChanges): StoredCampaign {
  const budget_optimization = changes.budget_optimization ?? current.budget_optimization;
  return {
    ...current,
    name: changes.name ?? current.name,
    budget_optimization,
    entity_status: changes.entity_status ?? current.entity_status,
    purchase_order_number: changed(current.purchase_order_number, changes.purchase_order_number),
    ...changedBudgets(current, changes),
    standard_delivery: delivery(budget_optimization, changes.standard_delivery ?? current.standard_delivery),
  };
}

/** Delivery is set on the campaign only if its budget is (reference 8); otherwise line items set their own. */
function delivery(
  budget_optimization: Campaign['budget_optimization'],
  chosen: boolean | null | undefined,
): boolean | null {
  return budget_optimization === 'CAMPAIGN' ? (chosen ?? true) : null;
}

/**
 * The types of funding instrument whose campaigns need a daily budget. Specification C says "most"; our reading is those
 * that draw on credit.
 */
const dailyBudgetTypes: readonly FundingInstrumentType[] = ['AGENCY_CREDIT_LINE', 'CREDIT_CARD', 'CREDIT_LINE'];

/** An issue of a changed campaign. */
export type CampaignIssue = MeansIssue | Issue<'INVALID_PARAMETER'>;

/** An issue of a new campaign. */
export type NewCampaignIssue = CampaignIssue | Issue<'INVALID_FUNDING_INSTRUMENT' | 'MISSING_PARAMETER'>;

/**
 * Checks the parameters of a new campaign against each other and its funding instrument (specification C, Campaign create
 * parameters). An instrument that is not deleted but cannot fund is accepted: the campaign then has the reason
 * FUNDING_PROBLEM (our choice).
 */
export function checkNewCampaign(
  params: CampaignCreate,
  fundingInstrument: Means & Pick<FundingInstrument, 'deleted'>,
): NewCampaignIssue[] {
  const issues: NewCampaignIssue[] = [];
  if (fundingInstrument.deleted) {
    issues.push({
      error: 'INVALID_FUNDING_INSTRUMENT',
      parameter: 'funding_instrument_id',
      value: params.funding_instrument_id,
      message: 'The funding instrument is deleted; name one that is not',
    });
  }
  if (
    params.budget_optimization === 'CAMPAIGN' &&
    params.daily_budget_amount_local_micro === undefined &&
    dailyBudgetTypes.includes(fundingInstrument.type)
  ) {
    const circumstance = `with a funding instrument of type ${fundingInstrument.type}`;
    issues.push(missingParameter('daily_budget_amount_local_micro', circumstance));
  }
  return [
    ...issues,
    ...checkDailyBudget(params),
    ...checkBudgetMeans(params, fundingInstrument),
    ...checkDelivery(params.budget_optimization, params.standard_delivery),
  ];
}

/**
 * Checks the state of a campaign after a change (specification C, Campaigns, PUT). Line items that conflict with the changed
 * budgets or budget optimization are left alone until they are changed themselves (our choice).
 */
export function checkChangedCampaign(
  current: StoredCampaign,
  changes: CampaignChanges,
  fundingInstrument: Means,
): CampaignIssue[] {
  const merged = changeCampaign(current, changes);
  return [
    ...checkDailyBudget(merged),
    ...checkBudgetMeans(changes, fundingInstrument),
    ...checkDelivery(merged.budget_optimization, changes.standard_delivery),
  ];
}

function checkBudgetMeans(budgets: Budgets, fundingInstrument: Means): MeansIssue[] {
  return budgetNames.flatMap((name) => checkMeans(name, budgets[name], fundingInstrument));
}

function checkDelivery(
  budget_optimization: Campaign['budget_optimization'],
  given: boolean | undefined,
): Issue<'INVALID_PARAMETER'>[] {
  if (given === undefined || budget_optimization === 'CAMPAIGN') return [];
  const message = '"standard_delivery" applies with budget_optimization CAMPAIGN only; leave it out with LINE_ITEM';
  return [invalidParameter('standard_delivery', given, message)];
}

/** Summary of the flights of the line items of a campaign that are not deleted. */
export interface FlightSummary {
  readonly line_item_count: number;
  /** The earliest start; null without line items. */
  readonly flight_start: string | null;
  /** The latest end; null without line items, or if one of them has no end. */
  readonly flight_end: string | null;
}

/**
 * Reports whether a campaign counts towards the limit of active campaigns. Paused ones do; deleted ones and those whose
 * flight has ended do not (specification C, Limits; reference 8). Nor do drafts, which spend nothing (our choice).
 */
export function countsAsActive(
  campaign: Pick<StoredCampaign, 'deleted' | 'entity_status'> & Pick<FlightSummary, 'flight_end'>,
  now: string,
): boolean {
  return !campaign.deleted && campaign.entity_status !== 'DRAFT' && !hasEnded(campaign.flight_end, now);
}

function hasEnded(end: string | null, now: string): boolean {
  return end !== null && end <= now;
}

/** Checks the number of active campaigns after a request against the limit of the account (specification C, Limits). */
export function checkActiveCampaigns(activeAfter: number, limit: number): Issue<'TOO_MANY_CAMPAIGNS'>[] {
  if (activeAfter <= limit) return [];
  const message = `The account may have up to ${limit} active campaigns; paused ones count, drafts and ended or deleted ones do not`;
  return [{ error: 'TOO_MANY_CAMPAIGNS', message }];
}

/** Facts about related entities that decide whether a campaign is served. */
export interface CampaignSurroundings extends FlightSummary {
  /** True where it has posts, accounts or media to show, none of which was accepted. */
  readonly content_review_problem: boolean;
  /** What was spent on it. */
  readonly spent: Spent;
  /** The budgets of all its active line items are used up until then, as a timestamp; null where one of them has something left. */
  readonly line_items_spent_until: string | null;
  /** True while it waits for the advertiser to approve it, such as where somebody else set it up. */
  readonly awaiting_approval: boolean;
  readonly account: Pick<Account, 'approval_status'> & { readonly suspended: boolean };
  readonly funding: Pick<FundingInstrument, 'able_to_fund' | 'start_time'>;
  readonly now: string;
}

/** The serving status of a campaign: whether it is served, the reasons against it, and the effective status. */
export type CampaignStatus = Pick<Campaign, 'servable' | 'reasons_not_servable' | 'effective_status'>;

type Switches = Pick<StoredCampaign, 'entity_status'>;
type Spendable = Switches & Budgets;

/**
 * Decides whether a campaign is served (specification C, Campaign; the table of states is that of the reference, 8).
 *
 * A deleted campaign has `servable` null and no reasons. Its `effective_status` is RUNNING if nothing kept it from being
 * served at the time of its deletion, which is the time of its last change, and UNKNOWN otherwise.
 *
 * Our choices, where the specification and the reference are silent: a draft is INCOMPLETE regardless of its contents; a
 * campaign that is complete and switched on is ACTIVE even if a reason keeps it from being served, and EXPIRED once its
 * flight has ended. A campaign is BUDGET_EXHAUSTED while its total budget or that of the day is used up, and while those of all its
 * active line items are. One of a suspended account has the reason ACCOUNT_REJECTED: the reference has no other word for it.
 */
export function decideCampaignStatus(
  campaign: Pick<StoredCampaign, 'deleted' | 'updated_at'> & Spendable,
  around: CampaignSurroundings,
): CampaignStatus {
  if (campaign.deleted) {
    const wasServed = reasonsAt(campaign.updated_at, campaign, around).length === 0;
    return { servable: null, reasons_not_servable: [], effective_status: wasServed ? 'RUNNING' : 'UNKNOWN' };
  }
  const reasons_not_servable = reasonsAt(around.now, campaign, around);
  return {
    servable: reasons_not_servable.length === 0,
    reasons_not_servable,
    effective_status: effectiveStatus(campaign, around),
  };
}

/** Returns the reasons why a campaign that is not deleted is not served at a time, in the order of `campaignReasons`. */
function reasonsAt(time: string, campaign: Spendable, around: CampaignSurroundings): CampaignReason[] {
  const { account, funding, flight_start, flight_end } = around;
  const complete = isComplete(campaign, around);
  const reasons: CampaignReason[] = [];
  if (campaign.entity_status === 'PAUSED') reasons.push('PAUSED_BY_ADVERTISER');
  if (!complete) reasons.push('INCOMPLETE');
  if (complete && hasEnded(flight_end, time)) reasons.push('EXPIRED');
  if (!funding.able_to_fund) reasons.push('FUNDING_PROBLEM');
  if (isSpent(time, campaign, around)) reasons.push('BUDGET_EXHAUSTED');
  // Without line items there is no flight that could start in the future.
  if (complete && ((flight_start !== null && flight_start > time) || funding.start_time > time)) {
    reasons.push('STARTS_IN_FUTURE');
  }
  if (account.approval_status === 'REJECTED' || account.suspended) reasons.push('ACCOUNT_REJECTED');
  if (account.approval_status === 'UNDER_REVIEW') reasons.push('ACCOUNT_UNDER_REVIEW');
  if (around.awaiting_approval) reasons.push('AWAITING_APPROVAL_BY_ADVERTISER');
  // Our reading of "creative rejected": one accepted creative is enough to be served.
  if (complete && around.content_review_problem) reasons.push('CONTENT_REVIEW_PROBLEM');
  return reasons;
}

function isSpent(time: string, campaign: Spendable, { spent, line_items_spent_until }: CampaignSurroundings): boolean {
  return isBudgetExhausted(campaign, spent, time) || (line_items_spent_until !== null && line_items_spent_until > time);
}

function isComplete({ entity_status }: Switches, { line_item_count }: FlightSummary): boolean {
  return entity_status !== 'DRAFT' && line_item_count > 0;
}

function effectiveStatus(campaign: Switches, around: CampaignSurroundings): EffectiveStatus {
  if (!isComplete(campaign, around)) return 'UNKNOWN';
  if (campaign.entity_status === 'PAUSED') return 'PAUSED';
  return hasEnded(around.flight_end, around.now) ? 'EXPIRED' : 'ACTIVE';
}
