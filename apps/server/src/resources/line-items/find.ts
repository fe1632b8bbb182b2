import type { Reject } from '@broadside/core';
import type { AccountReader, AccountWriter } from '../../world/account-store.ts';
import { reviewContent } from '../campaigns/find.ts';
import { type LineItemRow, lineItem } from './entity.ts';

export { type LineItemRow, lineItem } from './entity.ts';

/** Returns the line item with an id; one whose campaign is deleted counts as deleted. */
export function findLineItem(
  reject: Reject<'LINE_ITEM_NOT_FOUND'>,
  account: AccountReader,
  id: string,
  with_deleted = false,
): Promise<LineItemRow> {
  return account.of(lineItem).find(reject, id, with_deleted);
}

/** Updates the review state of a line item's campaign; to be called after each change of a creative. */
export async function reviewContentOf(account: AccountWriter, line_item_id: string): Promise<void> {
  const found = await account.of(lineItem).get(line_item_id);
  if (found) await reviewContent(account, found.campaign_id);
}
