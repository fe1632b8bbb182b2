/** Rules on the budgets of campaigns and line items. */
import { changed } from '../../operation/changes.ts';
import { type Issue, invalidParameter } from '../../wire/issues.ts';

/** The parameters that hold budgets. */
export const budgetNames = ['daily_budget_amount_local_micro', 'total_budget_amount_local_micro'] as const;

/** Budgets in micros; null or absent if there is none. */
export type Budgets = { readonly [Name in (typeof budgetNames)[number]]?: bigint | null | undefined };

/** Checks that the daily budget does not exceed the total budget. */
export function checkDailyBudget(budgets: Budgets): Issue<'INVALID_PARAMETER'>[] {
  const { daily_budget_amount_local_micro: daily, total_budget_amount_local_micro: total } = budgets;
  if (daily == null || total == null || daily <= total) return [];
  const parameter = 'daily_budget_amount_local_micro';
  const message = `Expected at most total_budget_amount_local_micro (${total}), got ${daily} for ${parameter}`;
  return [invalidParameter(parameter, daily, message)];
}

/** Returns the budgets with the changes applied. */
export function changedBudgets(
  current: { readonly [Name in (typeof budgetNames)[number]]: bigint | null },
  changes: Budgets,
): { [Name in (typeof budgetNames)[number]]: bigint | null } {
  return {
    daily_budget_amount_local_micro: changed(
      current.daily_budget_amount_local_micro,
      changes.daily_budget_amount_local_micro,
    ),
    total_budget_amount_local_micro: changed(
      current.total_budget_amount_local_micro,
      changes.total_budget_amount_local_micro,
    ),
  };
}
