/** The amounts that were spent of budgets, and when they are used up. */
import { endOfDay } from '../accounts/days.ts';
import type { Budgets } from './budgets.ts';

/** The amounts that were spent on something with budgets, in micros; null before anything was spent. */
export interface Spent {
  readonly spent_local_micro: bigint | null;
  /** What was spent on the last day on which anything was. */
  readonly spent_today_local_micro: bigint | null;
  /** The end of that day: the midnight after it in the time zone of the account, as a timestamp. */
  readonly spent_today_until: string | null;
}

/** Nothing was spent. */
export const NOTHING_SPENT: Spent = {
  spent_local_micro: null,
  spent_today_local_micro: null,
  spent_today_until: null,
};

/** Returns what was spent in the day of a time. */
export function spentToday({ spent_today_local_micro, spent_today_until }: Spent, now: string): bigint {
  return spent_today_until !== null && spent_today_until > now ? (spent_today_local_micro ?? 0n) : 0n;
}

/**
 * Returns the amounts after a further one was spent.
 * @param at the time, as a timestamp
 * @param timezone the time zone of the account, in which its days begin and end
 */
export function addSpend(before: Spent, amount: bigint, at: string, timezone: string): Spent {
  return {
    spent_local_micro: (before.spent_local_micro ?? 0n) + amount,
    spent_today_local_micro: spentToday(before, at) + amount,
    spent_today_until: endOfDay(at, timezone),
  };
}

/** Returns whether a budget is used up at a time: the total one, or that of the day. */
export function isBudgetExhausted(
  { daily_budget_amount_local_micro: daily, total_budget_amount_local_micro: total }: Budgets,
  spent: Spent,
  now: string,
): boolean {
  const { spent_local_micro } = spent;
  if (spent_local_micro === null) return false;
  return (total != null && spent_local_micro >= total) || (daily != null && spentToday(spent, now) >= daily);
}
