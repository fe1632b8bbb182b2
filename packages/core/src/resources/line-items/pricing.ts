/** Rules on the pricing of a line item: goal, bid strategy, bid and `pay_by`. */
import { biddingRule, isFundedCurrency } from '../../money/currencies.ts';
import { type Issue, invalidParameter, missingParameter } from '../../wire/issues.ts';
import { budgetNames } from '../campaigns/budgets.ts';
import type { BidStrategy, LineItem, Objective, PayBy } from './entity.ts';
import { exceeds, unexpected } from './issues.ts';
import { objectiveRules } from './objectives.ts';
import { isNew, type LineItemSurroundings, type NewLineItem } from './surroundings.ts';

/** Returns the bid strategy of a line item that is given none. */
export function defaultBidStrategy(objective: Objective, bid: bigint | undefined): BidStrategy {
  return bid === undefined ? 'AUTO' : objectiveRules[objective].bid_strategy_with_bid;
}

/** Returns the bid to be stored: AUTO ignores one. */
export function bidUnder(strategy: BidStrategy, bid: bigint | null): bigint | null {
  return strategy === 'AUTO' ? null : bid;
}

type Pricing = Pick<LineItem, 'objective' | 'goal' | 'bid_strategy'>;

/** Returns the allowed values of `pay_by`, the default first; none if the objective does not allow the goal. */
function payBysOf({ objective, goal, bid_strategy }: Pricing): readonly PayBy[] {
  const options = objectiveRules[objective].goals.find((rule) => rule.goal === goal)?.pay_by ?? [];
  // Reference 9.3: with TARGET, IMPRESSION is only allowed if it is the only value.
  return bid_strategy === 'TARGET' && options.length > 1 ? options.filter((payBy) => payBy !== 'IMPRESSION') : options;
}

/** Returns the default of `pay_by`. */
export function defaultPayBy(pricing: Pricing): PayBy {
  const [first] = payBysOf(pricing);
  return first ?? objectiveRules[pricing.objective].goals[0].pay_by[0];
}

/**
 * Returns `pay_by` after a change.
 * @param given the value that was sent; one that only restates the current one stays as long as it is allowed
 */
export function payByAfter(current: LineItem, after: Pricing, given?: PayBy): PayBy {
  if (given !== undefined && (given !== current.pay_by || payBysOf(after).includes(given))) return given;
  const kept =
    after.goal === current.goal &&
    (after.bid_strategy === current.bid_strategy || payBysOf(after).includes(current.pay_by));
  return kept ? current.pay_by : defaultPayBy(after);
}

/** Checks that the objective allows the goal, and that the goal of conversions has a web event. */
export function checkGoal(
  { objective, goal, primary_web_event_tag }: NewLineItem,
  around: LineItemSurroundings,
): Issue<'INVALID_PARAMETER' | 'MISSING_PARAMETER'>[] {
  const goals = objectiveRules[objective].goals.map((rule) => rule.goal);
  if (!goals.includes(goal)) return [unexpected('goal', goal, goals, `objective ${objective}`)];
  if (goal !== 'WEBSITE_CONVERSIONS' || primary_web_event_tag !== null) return [];
  if (isNew(around)) return [missingParameter('primary_web_event_tag', 'with goal WEBSITE_CONVERSIONS')];
  // Reporting the tag as missing would mislead, because no update can set it.
  const message = 'Goal WEBSITE_CONVERSIONS needs a line item that was created with "primary_web_event_tag"';
  return [invalidParameter('goal', goal, message)];
}

/** Checks that the objective allows the bid strategy. */
export function checkBidStrategy({ objective, bid_strategy }: NewLineItem): Issue<'INVALID_PARAMETER'>[] {
  const { bid_strategies } = objectiveRules[objective];
  if (bid_strategies.includes(bid_strategy)) return [];
  return [unexpected('bid_strategy', bid_strategy, bid_strategies, `objective ${objective}`)];
}

type BiddingRuleIssue = Issue<'INVALID_PARAMETER' | 'INVALID_DENOMINATION'>;
type BidIssue = BiddingRuleIssue | Issue<'MISSING_PARAMETER' | 'SPEND_EXCEEDS_BUDGET'>;

/**
 * Checks the bid against the bidding rule of the currency and the budgets of the campaign. Only the bid must be a multiple of
 * the smallest unit of the currency; budgets may be any number of micros (our choice).
 */
export function checkBid(lineItem: NewLineItem, { campaign, given }: LineItemSurroundings): BidIssue[] {
  const { bid_strategy, bid_amount_local_micro: bid, currency } = lineItem;
  if (bid_strategy === 'AUTO') return [];
  const parameter = 'bid_amount_local_micro';
  if (bid === null) return [missingParameter(parameter, `with bid strategy ${bid_strategy}`)];
  const issues: BidIssue[] = checkBiddingRule(bid, currency);
  if (!given.has(parameter) && !given.has('bid_strategy')) return issues;
  for (const budget of budgetNames) {
    const limit = campaign[budget];
    if (limit !== null && bid > limit) issues.push(exceeds(parameter, bid, `${budget} of the campaign`, limit));
  }
  return issues;
}

function checkBiddingRule(bid: bigint, currency: string): BiddingRuleIssue[] {
  // Every currency that an account can be funded in has a rule.
  if (!isFundedCurrency(currency)) return [];
  const rule = biddingRule(currency);
  const { minimum_cpe_bid_local_micro: minimum, maximum_cpe_bid_local_micro: maximum, minimum_denomination } = rule;
  const parameter = 'bid_amount_local_micro';
  const issues: BiddingRuleIssue[] = [];
  if (bid < minimum || bid > maximum) {
    issues.push(
      invalidParameter(parameter, bid, `Expected ${minimum} to ${maximum} in ${currency}, got ${bid} for ${parameter}`),
    );
  }
  if (bid % minimum_denomination !== 0n) {
    const message = `Expected a multiple of ${minimum_denomination} in ${currency}, got ${bid} for ${parameter}`;
    issues.push({ error: 'INVALID_DENOMINATION', parameter, value: bid, message });
  }
  return issues;
}

/** Checks that goal and bid strategy allow `pay_by`. */
export function checkPayBy(lineItem: NewLineItem, around: LineItemSurroundings): Issue<'INVALID_PARAMETER'>[] {
  const { objective, goal, bid_strategy, pay_by } = lineItem;
  if (!isNew(around) && around.given.has('pay_by') && objective !== 'APP_INSTALLS') {
    const message = `"pay_by" can be changed for objective APP_INSTALLS only; leave it out for ${objective}`;
    return [invalidParameter('pay_by', pay_by, message)];
  }
  const options = payBysOf(lineItem);
  // Without any option the goal is invalid, which `checkGoal` reports.
  if (options.length === 0 || options.includes(pay_by)) return [];
  return [unexpected('pay_by', pay_by, options, `goal ${goal} and bid strategy ${bid_strategy}`)];
}
