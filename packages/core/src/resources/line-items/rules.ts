/**
 * What a line item must be made of. The rules of specification C (Line item create parameters; what follows the goal is
 * from the reference, section 9) are held against the state that a request would leave behind, so creating and changing
 * share them; what depends on the objective is a table.
 */
import { advertiserBusinessCategoryOf } from '../../data/advertiser-business-categories.ts';
import { isIabCategory } from '../../data/iab-categories.ts';
import { biddingRule, isFundedCurrency } from '../../money/currencies.ts';
import type { Issue } from '../../wire/errors.ts';
import { show } from '../../wire/types.ts';
import type { StoredCampaign } from '../campaigns/entity.ts';
import type { FundingInstrument } from '../funding-instruments/entity.ts';
import { checkFundedFlight, checkMeans, type Means } from '../funding-instruments/rules.ts';
import type { BidStrategy, Goal, LineItem, Objective, PayBy, Placement, ProductType } from './entity.ts';
import type { LineItemChanges, LineItemCreate } from './params.ts';

/** A goal and the ways of paying for it, the default first. */
interface GoalRule {
  readonly goal: Goal;
  readonly pay_by: readonly [PayBy, ...PayBy[]];
}

interface ObjectiveRule {
  readonly product_types: readonly ProductType[];
  /** The default first. */
  readonly goals: readonly [GoalRule, ...GoalRule[]];
  readonly bid_strategies: readonly BidStrategy[];
  /** The strategy of a line item that is given a bid and no strategy. */
  readonly bid_strategy_with_bid: BidStrategy;
  readonly frequency_cap: boolean;
  readonly needs_app: boolean;
}

/**
 * What each objective allows (specification C; reference 9.3). Our choices: objectives whose display creatives the
 * specification describes may have product type MEDIA beside PROMOTED_POSTS; APP_PURCHASES is paid for as APP_INSTALLS
 * is, WEBSITE_CONVERSIONS as LINK_CLICKS is, and views of 6 and 15 seconds as VIDEO_VIEW is.
 */
const objectiveRules: Readonly<Record<Objective, ObjectiveRule>> = {
  APP_ENGAGEMENTS: {
    product_types: ['PROMOTED_POSTS', 'MEDIA'],
    goals: [
      { goal: 'APP_CLICKS', pay_by: ['APP_CLICK'] },
      { goal: 'APP_INSTALLS', pay_by: ['APP_CLICK'] },
    ],
    bid_strategies: ['AUTO', 'MAX'],
    bid_strategy_with_bid: 'MAX',
    frequency_cap: false,
    needs_app: true,
  },
  APP_INSTALLS: {
    product_types: ['PROMOTED_POSTS', 'MEDIA'],
    goals: [
      { goal: 'APP_CLICKS', pay_by: ['APP_CLICK'] },
      { goal: 'APP_INSTALLS', pay_by: ['IMPRESSION', 'APP_CLICK'] },
      { goal: 'APP_PURCHASES', pay_by: ['IMPRESSION', 'APP_CLICK'] },
    ],
    bid_strategies: ['AUTO', 'MAX'],
    bid_strategy_with_bid: 'MAX',
    frequency_cap: false,
    needs_app: true,
  },
  REACH: {
    product_types: ['PROMOTED_POSTS'],
    goals: [
      { goal: 'MAX_REACH', pay_by: ['IMPRESSION'] },
      { goal: 'REACH_WITH_ENGAGEMENT', pay_by: ['IMPRESSION'] },
    ],
    bid_strategies: ['AUTO', 'TARGET'],
    bid_strategy_with_bid: 'TARGET',
    frequency_cap: true,
    needs_app: false,
  },
  FOLLOWERS: {
    product_types: ['PROMOTED_ACCOUNT'],
    goals: [{ goal: 'FOLLOWERS', pay_by: ['FOLLOW'] }],
    bid_strategies: ['AUTO', 'TARGET'],
    bid_strategy_with_bid: 'TARGET',
    frequency_cap: false,
    needs_app: false,
  },
  ENGAGEMENTS: {
    product_types: ['PROMOTED_POSTS'],
    goals: [{ goal: 'ENGAGEMENT', pay_by: ['ENGAGEMENT'] }],
    bid_strategies: ['AUTO', 'MAX'],
    bid_strategy_with_bid: 'MAX',
    frequency_cap: true,
    needs_app: false,
  },
  VIDEO_VIEWS: {
    product_types: ['PROMOTED_POSTS'],
    goals: [
      { goal: 'VIDEO_VIEW', pay_by: ['VIEW'] },
      { goal: 'VIEW_3S_100PCT', pay_by: ['VIEW_3S_100PCT'] },
      { goal: 'VIEW_6S', pay_by: ['VIEW'] },
      { goal: 'VIEW_15S', pay_by: ['VIEW'] },
    ],
    bid_strategies: ['AUTO', 'MAX'],
    bid_strategy_with_bid: 'MAX',
    frequency_cap: true,
    needs_app: false,
  },
  PREROLL_VIEWS: {
    product_types: ['MEDIA'],
    goals: [
      { goal: 'PREROLL', pay_by: ['VIEW_3S_100PCT'] },
      { goal: 'PREROLL_STARTS', pay_by: ['VIEW_3S_100PCT'] },
      { goal: 'VIEW_3S_100PCT', pay_by: ['VIEW_3S_100PCT'] },
      { goal: 'VIEW_6S', pay_by: ['VIEW_3S_100PCT'] },
      { goal: 'VIEW_15S', pay_by: ['VIEW_3S_100PCT'] },
    ],
    bid_strategies: ['AUTO', 'MAX'],
    bid_strategy_with_bid: 'MAX',
    frequency_cap: true,
    needs_app: false,
  },
  WEBSITE_CLICKS: {
    product_types: ['PROMOTED_POSTS', 'MEDIA'],
    goals: [
      { goal: 'LINK_CLICKS', pay_by: ['IMPRESSION', 'LINK_CLICK'] },
      { goal: 'SITE_VISITS', pay_by: ['IMPRESSION'] },
      { goal: 'WEBSITE_CONVERSIONS', pay_by: ['IMPRESSION', 'LINK_CLICK'] },
    ],
    bid_strategies: ['AUTO', 'MAX', 'TARGET'],
    bid_strategy_with_bid: 'MAX',
    frequency_cap: false,
    needs_app: false,
  },
};

/** Placements that can be used together. */
export type PlacementCombination = readonly [Placement, ...Placement[]];

/**
 * The valid combinations of placements by product type (reference, section 10). Our choice: PLATFORM_REPLIES, which the
 * specification lists and the reference's combinations lack, goes where PLATFORM_TIMELINE goes, never alone.
 */
export const placementCombinations: Readonly<Record<ProductType, readonly PlacementCombination[]>> = {
  MEDIA: [
    ['ALL_ON_PLATFORM'],
    ['PUBLISHER_NETWORK'],
    ['TAP_BANNER'],
    ['TAP_FULL'],
    ['TAP_FULL_LANDSCAPE'],
    ['TAP_NATIVE'],
    ['TAP_MRECT'],
  ],
  PROMOTED_ACCOUNT: [['ALL_ON_PLATFORM'], ['PLATFORM_TIMELINE']],
  PROMOTED_POSTS: [
    ['ALL_ON_PLATFORM'],
    ['ALL_ON_PLATFORM', 'PUBLISHER_NETWORK'],
    ['PUBLISHER_NETWORK'],
    ['PUBLISHER_NETWORK', 'PLATFORM_TIMELINE'],
    ['PLATFORM_SEARCH'],
    ['PLATFORM_TIMELINE'],
    ['PLATFORM_PROFILE', 'PLATFORM_TIMELINE'],
    ['PLATFORM_SEARCH', 'PLATFORM_TIMELINE'],
    ['PLATFORM_PROFILE', 'PLATFORM_SEARCH'],
    ['PLATFORM_PROFILE', 'PLATFORM_SEARCH', 'PLATFORM_TIMELINE'],
    ['PLATFORM_REPLIES', 'PLATFORM_TIMELINE'],
    ['PLATFORM_PROFILE', 'PLATFORM_REPLIES', 'PLATFORM_TIMELINE'],
    ['PLATFORM_REPLIES', 'PLATFORM_SEARCH', 'PLATFORM_TIMELINE'],
    ['PLATFORM_PROFILE', 'PLATFORM_REPLIES', 'PLATFORM_SEARCH', 'PLATFORM_TIMELINE'],
  ],
};

/** A PREROLL_VIEWS line item advertises for one or two businesses (specification C, Lookups without parameters). */
const MAX_BUSINESS_CATEGORIES = 2;

/** A line item before the store gives it an id and times. */
export type NewLineItem = Omit<LineItem, 'id' | 'created_at' | 'updated_at'>;

/** What a new line item takes from around it. */
export interface LineItemOrigin {
  readonly campaign: Pick<StoredCampaign, 'id' | 'budget_optimization' | 'funding_instrument_id' | 'currency'>;
  /** The user whom the account's FULL promotable user stands for; null when it has none. */
  readonly advertiser_user_id: string | null;
}

/** What is stored of a new line item, defaults filled in. Nothing is refused here: `checkLineItem` does that. */
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

/** Delivery is set on a line item only where its campaign leaves the budget to it (reference 9). */
function delivery(
  { budget_optimization }: Pick<StoredCampaign, 'budget_optimization'>,
  chosen: boolean | null | undefined,
): boolean | null {
  return budget_optimization === 'LINE_ITEM' ? (chosen ?? true) : null;
}

/**
 * The line item with the changes merged in; null removes a value. With AUTO there is no bid, since it ignores one
 * (specification C). Our choices: unless it is given, `pay_by` becomes the default of a goal that is new, or when the bid
 * strategy no longer allows it; and delivery follows a campaign that sets budgets elsewhere than it did.
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
    pay_by: changes.pay_by ?? payByAfter(current, { objective: current.objective, goal, bid_strategy }),
    bid_strategy,
    bid_amount_local_micro: bidUnder(
      bid_strategy,
      changed(current.bid_amount_local_micro, changes.bid_amount_local_micro),
    ),
    daily_budget_amount_local_micro: changed(
      current.daily_budget_amount_local_micro,
      changes.daily_budget_amount_local_micro,
    ),
    total_budget_amount_local_micro: changed(
      current.total_budget_amount_local_micro,
      changes.total_budget_amount_local_micro,
    ),
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

function changed<Value>(current: Value | null, change: Value | null | undefined): Value | null {
  return change === undefined ? current : change;
}

function defaultBidStrategy(objective: Objective, bid: bigint | undefined): BidStrategy {
  return bid === undefined ? 'AUTO' : objectiveRules[objective].bid_strategy_with_bid;
}

function bidUnder(strategy: BidStrategy, bid: bigint | null): bigint | null {
  return strategy === 'AUTO' ? null : bid;
}

type Pricing = Pick<LineItem, 'objective' | 'goal' | 'bid_strategy'>;

/** The ways of paying, the default first; none when the objective does not allow the goal. */
function payBysOf({ objective, goal, bid_strategy }: Pricing): readonly PayBy[] {
  const options = objectiveRules[objective].goals.find((rule) => rule.goal === goal)?.pay_by ?? [];
  // Reference 9.3: no IMPRESSION with TARGET where there is a choice.
  return bid_strategy === 'TARGET' && options.length > 1 ? options.filter((payBy) => payBy !== 'IMPRESSION') : options;
}

function defaultPayBy(pricing: Pricing): PayBy {
  const [first] = payBysOf(pricing);
  return first ?? objectiveRules[pricing.objective].goals[0].pay_by[0];
}

function payByAfter(current: LineItem, after: Pricing): PayBy {
  const kept =
    after.goal === current.goal &&
    (after.bid_strategy === current.bid_strategy || payBysOf(after).includes(current.pay_by));
  return kept ? current.pay_by : defaultPayBy(after);
}

/** With PREROLL_VIEWS a part of an advertiser business category stands for all of it (reference 9.4). */
function wholeCategories(objective: Objective, categories: readonly string[]): string[] {
  if (objective !== 'PREROLL_VIEWS') return [...categories];
  return [...new Set(categories.flatMap((id) => advertiserBusinessCategoryOf(id)?.iab_categories ?? [id]))];
}

/** What a line item is held against. */
export interface LineItemSurroundings {
  readonly campaign: Pick<
    StoredCampaign,
    'budget_optimization' | 'daily_budget_amount_local_micro' | 'total_budget_amount_local_micro'
  >;
  /** What pays for the campaign. */
  readonly funding: Means & Pick<FundingInstrument, 'start_time' | 'end_time'>;
  /** Whether `advertiser_user_id` is a promotable user of the account; only looked at where the caller sent it. */
  readonly is_promotable: boolean;
  /** Any other line item of the campaign that is not deleted. */
  readonly sibling: Pick<LineItem, 'objective' | 'product_type'> | undefined;
  /**
   * The names of the parameters that the caller sent. A new line item is told from a changed one by `objective`, which is
   * required on creation and no parameter of a change.
   */
  readonly given: ReadonlySet<string>;
}

type Check = (lineItem: NewLineItem, around: LineItemSurroundings) => Issue[];

/**
 * Checks a line item as a request would leave it. What the campaign rules out is held only against parameters that the
 * caller sent: a campaign whose budget was lowered must not keep its line items from being renamed (our choice).
 */
export function checkLineItem(lineItem: NewLineItem, around: LineItemSurroundings): Issue[] {
  return checks.flatMap((check) => check(lineItem, around));
}

const checks: readonly Check[] = [
  checkProductType,
  checkSibling,
  checkPlacements,
  checkPublisherNetwork,
  checkCategories,
  checkApp,
  checkAdvertiser,
  checkGoal,
  checkBidStrategy,
  checkBid,
  checkPayBy,
  checkFrequencyCap,
  checkBudgets,
  checkFlight,
];

function checkProductType({ objective, product_type }: NewLineItem): Issue[] {
  const { product_types } = objectiveRules[objective];
  if (product_types.includes(product_type)) return [];
  return [unexpected('product_type', product_type, product_types, `objective ${objective}`)];
}

function checkSibling(lineItem: NewLineItem, { sibling }: LineItemSurroundings): Issue[] {
  if (!sibling) return [];
  return (['objective', 'product_type'] as const)
    .filter((name) => lineItem[name] !== sibling[name])
    .map((name) =>
      invalid(
        name,
        lineItem[name],
        `Expected ${sibling[name]}, got ${show(lineItem[name])} for ${name}: all line items of a campaign share it`,
      ),
    );
}

function checkPlacements({ objective, product_type, placements }: NewLineItem): Issue[] {
  const valid = placementCombinations[product_type].filter((combination) => suitsObjective(objective, combination));
  if (valid.some((combination) => isSameSet(combination, placements))) return [];
  const known = valid.map((combination) => combination.join(',')).join('; ');
  return [
    {
      error: 'INVALID_PLACEMENT_TYPE',
      parameter: 'placements',
      value: placements,
      message: `Expected one of these combinations for ${product_type} with objective ${objective}: ${known}`,
    },
  ];
}

/** REACH is shown in the timeline at least (reference, section 10). */
function suitsObjective(objective: Objective, combination: PlacementCombination): boolean {
  if (objective !== 'REACH') return true;
  return combination.includes('PLATFORM_TIMELINE') || isSameSet(combination, ['ALL_ON_PLATFORM']);
}

function isSameSet(one: readonly Placement[], other: readonly Placement[]): boolean {
  return one.length === other.length && one.every((placement) => other.includes(placement));
}

function checkPublisherNetwork({ placements, advertiser_domain, categories }: NewLineItem): Issue[] {
  if (!placements.includes('PUBLISHER_NETWORK')) return [];
  const condition = 'placement PUBLISHER_NETWORK';
  return [
    ...(advertiser_domain === null ? [missing('advertiser_domain', condition)] : []),
    ...(categories.length === 0 ? [missing('categories', condition)] : []),
  ];
}

function checkCategories({ objective, placements, categories }: NewLineItem): Issue[] {
  const issues: Issue[] = categories
    .filter((id) => !isIabCategory(id))
    .map((value) => ({
      error: 'INVALID_IAB_CATEGORY',
      parameter: 'categories',
      value,
      message: `Expected ids of IAB categories, such as IAB1 or IAB1-1, got ${show(value)} for categories`,
    }));
  if (objective !== 'PREROLL_VIEWS') return issues;
  if (categories.length === 0) {
    // With PUBLISHER_NETWORK they are missed already.
    return placements.includes('PUBLISHER_NETWORK') ? [] : [missing('categories', 'objective PREROLL_VIEWS')];
  }
  return [...issues, ...checkBusinesses(categories.filter(isIabCategory))];
}

function checkBusinesses(categories: readonly string[]): Issue[] {
  const strangers = categories.filter((id) => !advertiserBusinessCategoryOf(id));
  const businesses = new Set(categories.flatMap((id) => advertiserBusinessCategoryOf(id)?.name ?? []));
  const wanted = 'Expected the IAB categories of one or two advertiser business categories for objective PREROLL_VIEWS';
  const issues = strangers.map((id) => invalid('categories', id, `${wanted}; ${id} belongs to none`));
  if (businesses.size > MAX_BUSINESS_CATEGORIES) {
    issues.push(invalid('categories', categories, `${wanted}, got those of ${[...businesses].join(', ')}`));
  }
  return issues;
}

function checkApp({ objective, android_app_store_identifier, ios_app_store_identifier }: NewLineItem): Issue[] {
  if (!objectiveRules[objective].needs_app) return [];
  if (android_app_store_identifier !== null || ios_app_store_identifier !== null) return [];
  return [
    {
      error: 'MISSING_PARAMETER',
      parameter: 'android_app_store_identifier',
      message: `"android_app_store_identifier" or "ios_app_store_identifier" is required with objective ${objective}`,
    },
  ];
}

/** The specification leaves open whose name may be used; ours is that of the promotable users of the account. */
function checkAdvertiser(lineItem: NewLineItem, { given, is_promotable }: LineItemSurroundings): Issue[] {
  const { objective, advertiser_user_id } = lineItem;
  if (!given.has('advertiser_user_id')) return [];
  if (objective === 'PREROLL_VIEWS') {
    if (is_promotable) return [];
    const message = `Expected a promotable user of the account, got ${show(advertiser_user_id)} for advertiser_user_id`;
    return [{ error: 'INVALID_USER_ID', parameter: 'advertiser_user_id', value: advertiser_user_id, message }];
  }
  const message = `"advertiser_user_id" applies to objective PREROLL_VIEWS only; leave it out for ${objective}`;
  return [invalid('advertiser_user_id', advertiser_user_id, message)];
}

function checkGoal({ objective, goal, primary_web_event_tag }: NewLineItem, around: LineItemSurroundings): Issue[] {
  const goals = objectiveRules[objective].goals.map((rule) => rule.goal);
  if (!goals.includes(goal)) return [unexpected('goal', goal, goals, `objective ${objective}`)];
  if (goal !== 'WEBSITE_CONVERSIONS' || primary_web_event_tag !== null) return [];
  if (isNew(around)) return [missing('primary_web_event_tag', 'goal WEBSITE_CONVERSIONS')];
  // Naming the tag as missing would mislead: no change can set it.
  const message = 'Goal WEBSITE_CONVERSIONS needs a line item that was created with "primary_web_event_tag"';
  return [invalid('goal', goal, message)];
}

function isNew({ given }: LineItemSurroundings): boolean {
  return given.has('objective');
}

function checkBidStrategy({ objective, bid_strategy }: NewLineItem): Issue[] {
  const { bid_strategies } = objectiveRules[objective];
  if (bid_strategies.includes(bid_strategy)) return [];
  return [unexpected('bid_strategy', bid_strategy, bid_strategies, `objective ${objective}`)];
}

/**
 * Holds the bid against the bidding rule of the currency and the budgets of the campaign. Only the bid is held to the
 * smallest unit of the currency; budgets are exact to the micro (our choice).
 */
function checkBid(lineItem: NewLineItem, { campaign, given }: LineItemSurroundings): Issue[] {
  const { bid_strategy, bid_amount_local_micro: bid, currency } = lineItem;
  if (bid_strategy === 'AUTO') return [];
  const parameter = 'bid_amount_local_micro';
  if (bid === null) return [missing(parameter, `bid strategy ${bid_strategy}`)];
  const issues = checkBiddingRule(bid, currency);
  if (!given.has(parameter) && !given.has('bid_strategy')) return issues;
  for (const budget of ['daily_budget_amount_local_micro', 'total_budget_amount_local_micro'] as const) {
    const limit = campaign[budget];
    if (limit !== null && bid > limit) issues.push(exceeds(parameter, bid, `${budget} of the campaign`, limit));
  }
  return issues;
}

function checkBiddingRule(bid: bigint, currency: string): Issue[] {
  // Every currency that an account can be funded in has a rule.
  if (!isFundedCurrency(currency)) return [];
  const rule = biddingRule(currency);
  const { minimum_cpe_bid_local_micro: minimum, maximum_cpe_bid_local_micro: maximum, minimum_denomination } = rule;
  const parameter = 'bid_amount_local_micro';
  const issues: Issue[] = [];
  if (bid < minimum || bid > maximum) {
    issues.push(
      invalid(parameter, bid, `Expected ${minimum} to ${maximum} in ${currency}, got ${bid} for ${parameter}`),
    );
  }
  if (bid % minimum_denomination !== 0n) {
    const message = `Expected a multiple of ${minimum_denomination} in ${currency}, got ${bid} for ${parameter}`;
    issues.push({ error: 'INVALID_DENOMINATION', parameter, value: bid, message });
  }
  return issues;
}

function checkPayBy(lineItem: NewLineItem, around: LineItemSurroundings): Issue[] {
  const { objective, goal, bid_strategy, pay_by } = lineItem;
  if (!isNew(around) && around.given.has('pay_by') && objective !== 'APP_INSTALLS') {
    const message = `"pay_by" can be changed for objective APP_INSTALLS only; leave it out for ${objective}`;
    return [invalid('pay_by', pay_by, message)];
  }
  const options = payBysOf(lineItem);
  // No option at all means that the goal is wrong, which is said elsewhere.
  if (options.length === 0 || options.includes(pay_by)) return [];
  return [unexpected('pay_by', pay_by, options, `goal ${goal} and bid strategy ${bid_strategy}`)];
}

function checkFrequencyCap({ objective, frequency_cap, duration_in_days }: NewLineItem): Issue[] {
  const cap = { frequency_cap, duration_in_days };
  const names = (['frequency_cap', 'duration_in_days'] as const).filter((name) => cap[name] !== null);
  if (!objectiveRules[objective].frequency_cap) {
    const capped = Object.entries(objectiveRules).flatMap(([name, rule]) => (rule.frequency_cap ? [name] : []));
    return names.map((name) =>
      invalid(
        name,
        cap[name],
        `"${name}" applies to objective ${capped.join(', ')} only; leave it out for ${objective}`,
      ),
    );
  }
  const [present] = names;
  if (present === undefined || names.length === 2) return [];
  const absent = present === 'frequency_cap' ? 'duration_in_days' : 'frequency_cap';
  const message = `"${present}" needs "${absent}" beside it: a cap is a number of views in a period`;
  return [{ error: 'INCLUSIVE_PARAMETERS', parameter: present, value: cap[present], message }];
}

function checkBudgets(lineItem: NewLineItem, { campaign, funding, given }: LineItemSurroundings): Issue[] {
  const {
    daily_budget_amount_local_micro: daily,
    total_budget_amount_local_micro: total,
    standard_delivery,
  } = lineItem;
  const issues: Issue[] = [];
  if (campaign.budget_optimization === 'CAMPAIGN') {
    if (given.has('standard_delivery')) issues.push(onlyPerLineItem('standard_delivery', standard_delivery));
    if (given.has('daily_budget_amount_local_micro') && daily !== null) {
      issues.push(onlyPerLineItem('daily_budget_amount_local_micro', daily));
    }
  }
  if (daily !== null && total !== null && daily > total) {
    const parameter = 'daily_budget_amount_local_micro';
    const message = `Expected at most total_budget_amount_local_micro (${total}), got ${daily} for ${parameter}`;
    issues.push(invalid(parameter, daily, message));
  }
  const limit = campaign.total_budget_amount_local_micro;
  if (given.has('total_budget_amount_local_micro') && total !== null && limit !== null && total > limit) {
    const budget = 'total_budget_amount_local_micro';
    issues.push(exceeds(budget, total, `${budget} of the campaign`, limit));
  }
  // A daily budget that is spent on one day already takes up all that the campaign has.
  if (given.has('daily_budget_amount_local_micro') && daily !== null && limit !== null && daily > limit) {
    issues.push(
      exceeds('daily_budget_amount_local_micro', daily, 'total_budget_amount_local_micro of the campaign', limit),
    );
  }
  for (const name of ['daily_budget_amount_local_micro', 'total_budget_amount_local_micro'] as const) {
    if (given.has(name)) issues.push(...checkMeans(name, lineItem[name], funding));
  }
  return issues;
}

function onlyPerLineItem(parameter: string, value: unknown): Issue {
  const message = `"${parameter}" applies only while budget_optimization of the campaign is LINE_ITEM; leave it out`;
  return invalid(parameter, value, message);
}

function checkFlight(lineItem: NewLineItem, { funding, given }: LineItemSurroundings): Issue[] {
  const { start_time, end_time } = lineItem;
  if (start_time === null || end_time === null || end_time > start_time) {
    return given.has('start_time') || given.has('end_time') ? checkFundedFlight(lineItem, funding) : [];
  }
  return [
    {
      error: 'INVALID_TIME_WINDOW',
      parameter: 'end_time',
      value: end_time,
      message: `Expected a time after start_time (${start_time}), got ${show(end_time)} for end_time`,
    },
  ];
}

function invalid(parameter: string, value: unknown, message: string): Issue {
  return { error: 'INVALID_PARAMETER', parameter, value, message };
}

function unexpected(parameter: string, value: string, expected: readonly string[], condition: string): Issue {
  const options = expected.length === 1 ? expected.join() : `one of ${expected.join(', ')}`;
  return invalid(parameter, value, `Expected ${options}, got ${show(value)} for ${parameter} with ${condition}`);
}

function missing(parameter: string, condition: string): Issue {
  return { error: 'MISSING_PARAMETER', parameter, message: `"${parameter}" is required with ${condition}` };
}

function exceeds(parameter: string, value: bigint, budget: string, limit: bigint): Issue {
  const message = `Expected at most ${budget} (${limit}), got ${value} for ${parameter}`;
  return { error: 'SPEND_EXCEEDS_BUDGET', parameter, value, message };
}

/** How many line items a campaign may have that are not deleted (specification C, Limits). */
export const MAX_LINE_ITEMS_PER_CAMPAIGN = 100;

/** How many active line items an account may have (specification C, Limits). */
export const MAX_ACTIVE_LINE_ITEMS = 256;

/**
 * Whether a line item counts towards the account's limit of active ones. As with campaigns, paused ones do; drafts and
 * those deleted, ended or in a deleted campaign do not (our choice).
 */
export function countsAsActiveLineItem(
  lineItem: Pick<LineItem, 'deleted' | 'entity_status' | 'end_time'>,
  campaign: Pick<StoredCampaign, 'deleted'>,
  now: string,
): boolean {
  if (lineItem.deleted || campaign.deleted || lineItem.entity_status === 'DRAFT') return false;
  return lineItem.end_time === null || lineItem.end_time > now;
}

/** How many line items there would be after a request. */
export interface LineItemCounts {
  /** Line items of the campaign that are not deleted. */
  readonly in_campaign: number;
  /** Active line items of the account. */
  readonly active: number;
}

/** Checks the number of line items that there would be after a request (specification C, Limits). */
export function checkLineItemLimits({ in_campaign, active }: LineItemCounts): Issue[] {
  const issues: Issue[] = [];
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
