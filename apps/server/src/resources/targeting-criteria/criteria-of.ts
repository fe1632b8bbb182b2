import type { Awaitable } from '../../awaitable.ts';
import type { AccountReader } from '../../world/account-store.ts';
import { type TargetingCriterionRow, targetingCriterion } from './entity.ts';

/** Returns the criteria of a line item that are not deleted, in the order of their creation. */
export function criteriaOf(account: AccountReader, line_item_id: string): Awaitable<TargetingCriterionRow[]> {
  return account.of(targetingCriterion).every({ line_item_ids: [line_item_id] });
}
