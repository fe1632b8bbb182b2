/** Summaries of line items: for their campaign, and for the limits of the account. */
import { and, count, eq, gt, inArray, isNull, ne, or, sql } from 'drizzle-orm';
import type { Awaitable } from '../../awaitable.ts';
import { isUnchanged } from '../../db/change-log.ts';
import { query } from '../../db/query-builder.ts';
import { statement } from '../../db/statement.ts';
import { orNull, types } from '../../db/value-types.ts';
import type { AccountReader, AccountWriter } from '../../world/account-store.ts';
import { campaign } from '../campaigns/find.ts';
import type { LineItemRow } from './entity.ts';
import { lineItems } from './table.ts';

/** Later than any time of a world's clock: until then a total budget is used up that nobody raises. */
const FOREVER = '9999-12-31T23:59:59Z';

const { account_id, campaign_id, deleted, end_time, entity_status, id, parent_deleted, start_time } = lineItems;
const isDraft = eq(entity_status, 'DRAFT');
const flownOnly = (time: typeof start_time | typeof end_time) => sql`CASE WHEN NOT ${isDraft} THEN ${time} END`;

const { spent_local_micro, spent_today_local_micro, spent_today_until } = lineItems;
/** The time until which a line item has nothing left of its budgets; the comparison with an absent budget is not true. */
const spentUntil = sql`CASE WHEN ${spent_local_micro} >= ${lineItems.total_budget_amount_local_micro} THEN ${FOREVER}
  WHEN ${spent_today_local_micro} >= ${lineItems.daily_budget_amount_local_micro} THEN ${spent_today_until} END`;
const isActive = eq(entity_status, 'ACTIVE');

const countActive = statement({ account_id, now: types.text }, (args) =>
  query
    .select({ active: count() })
    .from(lineItems)
    .where(
      and(
        eq(account_id, args.account_id),
        eq(deleted, false),
        eq(parent_deleted, false),
        inArray(entity_status, ['ACTIVE', 'PAUSED']),
        or(isNull(end_time), gt(end_time, args.now)),
      ),
    )
    .limit(1),
);

/** Counts the active line items of an account; the decision for one is `countsAsActiveLineItem` in core. */
export async function countActiveLineItems(account: AccountReader, now: string): Promise<number> {
  return (await account.first(countActive, { now }))?.active ?? 0;
}

const sumLineItems = statement({ account_id, campaign_id }, (args) =>
  query
    .select({
      in_campaign: count(),
      line_item_count: sql`coalesce(sum(NOT ${isDraft}), 0)`.mapWith(Number),
      flight_start: sql`min(${flownOnly(start_time)})`.mapWith(orNull(types.text)),
      // If one of them has no end, the summary has none.
      flight_end:
        sql`CASE WHEN sum(NOT ${isDraft} AND ${isNull(end_time)}) = 0 THEN max(${flownOnly(end_time)}) END`.mapWith(
          orNull(types.text),
        ),
      line_items_spent_until:
        sql`CASE WHEN sum(${isActive} AND ${spentUntil} IS NULL) = 0 THEN min(CASE WHEN ${isActive} THEN ${spentUntil} END) END`.mapWith(
          orNull(types.text),
        ),
    })
    .from(lineItems)
    .where(and(eq(account_id, args.account_id), eq(campaign_id, args.campaign_id), eq(deleted, false)))
    .limit(1),
);

/**
 * Updates the summary of line items in their campaign, without those in DRAFT: they do not make a campaign complete and have
 * no flight yet. To be called after each change of one, and after something was spent on one.
 * @returns their number, including drafts, and the summary
 */
export async function sumUp(account: AccountWriter, campaign_id: string) {
  const none = {
    in_campaign: 0,
    line_item_count: 0,
    flight_start: null,
    flight_end: null,
    line_items_spent_until: null,
  };
  const { in_campaign, ...flights } = (await account.first(sumLineItems, { campaign_id })) ?? none;
  const before = await account.of(campaign).get(campaign_id);
  if (!before || !isUnchanged(before, flights)) await account.of(campaign).derive(campaign_id, flights);
  return { in_campaign, ...flights };
}

const findSibling = statement({ account_id, campaign_id, id }, (args) =>
  query
    .select()
    .from(lineItems)
    .where(and(eq(account_id, args.account_id), eq(campaign_id, args.campaign_id), eq(deleted, false), ne(id, args.id)))
    .limit(1),
);

/** Returns a line item of the campaign other than the one with an id; `undefined` if there is none. */
export function siblingOf(account: AccountReader, campaign_id: string, id: string): Awaitable<LineItemRow | undefined> {
  return account.first(findSibling, { campaign_id, id });
}
