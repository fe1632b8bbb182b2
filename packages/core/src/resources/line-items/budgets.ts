/** Rules on the budgets and the flight of a line item, and on its funding. */
import { type Issue, invalidParameter } from '../../wire/issues.ts';
import { show } from '../../wire/show.ts';
import { budgetNames, checkDailyBudget } from '../campaigns/budgets.ts';
import { checkFundedFlight, checkMeans } from '../funding-instruments/rules.ts';
import { exceeds } from './issues.ts';
import type { LineItemSurroundings, NewLineItem } from './surroundings.ts';

type BudgetIssue = Issue<
  'FUNDING_INSTRUMENT_EXCEEDS_AVAILABLE_CREDIT_LIMIT' | 'INVALID_PARAMETER' | 'SPEND_EXCEEDS_BUDGET'
>;

/** Checks the budgets against each other, the campaign and the funds of its funding instrument. */
export function checkBudgets(lineItem: NewLineItem, { campaign, funding, given }: LineItemSurroundings): BudgetIssue[] {
  const {
    daily_budget_amount_local_micro: daily,
    total_budget_amount_local_micro: total,
    standard_delivery,
  } = lineItem;
  const issues: BudgetIssue[] = [];
  if (campaign.budget_optimization === 'CAMPAIGN') {
    if (given.has('standard_delivery')) issues.push(onlyPerLineItem('standard_delivery', standard_delivery));
    if (given.has('daily_budget_amount_local_micro') && daily !== null) {
      issues.push(onlyPerLineItem('daily_budget_amount_local_micro', daily));
    }
  }
  issues.push(...checkDailyBudget(lineItem));
  const limit = campaign.total_budget_amount_local_micro;
  if (given.has('total_budget_amount_local_micro') && total !== null && limit !== null && total > limit) {
    const budget = 'total_budget_amount_local_micro';
    issues.push(exceeds(budget, total, `${budget} of the campaign`, limit));
  }
  // Spent in full on one day, the daily budget alone must not exceed what the campaign has.
  if (given.has('daily_budget_amount_local_micro') && daily !== null && limit !== null && daily > limit) {
    issues.push(
      exceeds('daily_budget_amount_local_micro', daily, 'total_budget_amount_local_micro of the campaign', limit),
    );
  }
  for (const name of budgetNames) {
    if (given.has(name)) issues.push(...checkMeans(name, lineItem[name], funding));
  }
  return issues;
}

function onlyPerLineItem(parameter: string, value: unknown): Issue<'INVALID_PARAMETER'> {
  const message = `"${parameter}" applies only while budget_optimization of the campaign is LINE_ITEM; leave it out`;
  return invalidParameter(parameter, value, message);
}

/** Checks that the flight ends after its start and overlaps the time in which the funding instrument pays. */
export function checkFlight(
  lineItem: NewLineItem,
  { funding, given }: LineItemSurroundings,
): Issue<'INVALID_TIME_WINDOW'>[] {
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
