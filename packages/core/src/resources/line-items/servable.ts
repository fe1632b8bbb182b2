import type { Campaign } from '../campaigns/entity.ts';
import { isBudgetExhausted, type Spent } from '../campaigns/spend.ts';
import type { LineItem } from './entity.ts';

/**
 * Decides whether a line item is served at a time: it is switched on, its flight has begun and not ended, it has
 * something left of its budgets, and its campaign is served. Our choice, since the specification names this state with the
 * audiences that line items target only.
 * @param now a timestamp
 */
export function isLineItemServable(
  lineItem: Pick<
    LineItem,
    'entity_status' | 'start_time' | 'end_time' | 'daily_budget_amount_local_micro' | 'total_budget_amount_local_micro'
  > &
    Spent,
  { servable }: Pick<Campaign, 'servable'>,
  now: string,
): boolean {
  const { entity_status, start_time, end_time } = lineItem;
  const isInFlight = (start_time === null || start_time <= now) && (end_time === null || end_time > now);
  return servable === true && entity_status === 'ACTIVE' && isInFlight && !isBudgetExhausted(lineItem, lineItem, now);
}
