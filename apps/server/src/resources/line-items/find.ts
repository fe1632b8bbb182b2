import type { Reject } from '@broadside/core';
import { and, eq } from 'drizzle-orm';
import { type Awaitable, chain } from '../../awaitable.ts';
import { query } from '../../db/query-builder.ts';
import { statement } from '../../db/statement.ts';
import { among, types } from '../../db/value-types.ts';
import type { AccountReader, AccountWriter } from '../../world/account-store.ts';
import { reviewContent } from '../campaigns/find.ts';
import { type LineItemRow, lineItem } from './entity.ts';
import { lineItems } from './table.ts';

export { type LineItemRow, lineItem } from './entity.ts';
export { sumUp } from './flights.ts';

/** Returns the line item with an id; one whose campaign is deleted counts as deleted. */
export function findLineItem(
  reject: Reject<'LINE_ITEM_NOT_FOUND'>,
  account: AccountReader,
  id: string,
  with_deleted = false,
): Awaitable<LineItemRow> {
  return account.of(lineItem).find(reject, id, with_deleted);
}

/** Updates the review state of a line item's campaign; to be called after each change of a creative. */
export async function reviewContentOf(account: AccountWriter, line_item_id: string): Promise<void> {
  const found = await account.of(lineItem).get(line_item_id);
  if (found) await reviewContent(account, found.campaign_id);
}

const { account_id, campaign_id } = lineItems;

const listCampaigns = statement({ account_id, ids: types.texts }, (args) =>
  query
    .selectDistinct({ campaign_id })
    .from(lineItems)
    .where(and(eq(account_id, args.account_id), among(lineItems.id, args.ids))),
);

/** The ids of the campaigns of line items. */
export function campaignsOfLineItems(account: AccountReader, ids: readonly string[]): Awaitable<string[]> {
  return chain(account.all(listCampaigns, { ids }), (rows) => rows.map((row) => row.campaign_id));
}
