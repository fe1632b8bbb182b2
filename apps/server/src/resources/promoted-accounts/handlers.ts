import { type Contract, refuse } from '@broadside/core';
import { checkPromotedAccount, checkPromotedAccountFilter } from '@broadside/core/rules';
import type { HandlersOf } from '../../pipeline/context.ts';
import { found } from '../../pipeline/found.ts';
import { pageOf } from '../../pipeline/page.ts';
import type { AccountReader } from '../../world/account-store.ts';
import { findLineItem } from '../line-items/handlers.ts';
import type { LineItemRow } from '../line-items/store.ts';

/** The promoted account with an id; one whose line item is deleted counts as deleted. @throws ApiError PROMOTED_ACCOUNT_NOT_FOUND */
function findPromotedAccount(account: AccountReader, id: string, withDeleted: boolean) {
  return found(account.promoted_accounts.get(id), withDeleted, {
    error: 'PROMOTED_ACCOUNT_NOT_FOUND',
    parameter: 'promoted_account_id',
    value: id,
  });
}

/** The line items with some ids, deleted or not, in the order of the ids. */
async function lineItemsAmong(account: AccountReader, ids: readonly string[]): Promise<LineItemRow[]> {
  if (ids.length === 0) return [];
  const page = await account.line_items.page({ count: ids.length, with_total_count: false }, { line_item_ids: ids });
  const known = new Map(page?.data.map((row) => [row.id, row]));
  return ids.flatMap((id) => known.get(id) ?? []);
}

export const promoted_accounts: HandlersOf<Contract['promoted_accounts']> = {
  async list({ account }, params) {
    refuse(checkPromotedAccountFilter(await lineItemsAmong(account, params.line_item_ids ?? [])));
    const page = await account.promoted_accounts.page(params, {
      line_item_ids: params.line_item_ids,
      promoted_account_ids: params.promoted_account_ids,
      not_deleted: params.with_deleted ? undefined : true,
    });
    return pageOf(page, params.cursor);
  },

  get({ account }, { promoted_account_id, with_deleted }) {
    return findPromotedAccount(account, promoted_account_id, with_deleted);
  },

  create({ account, actor }, { line_item_id, user_id }) {
    return account.write(actor, async (writer) => {
      const lineItem = await findLineItem(writer, line_item_id, false);
      refuse(checkPromotedAccount(lineItem, user_id, await writer.fullPromotableUser()));
      const known = await writer.promotedAccountOf(line_item_id, user_id);
      if (known) return known;
      const row = await writer.promoted_accounts.insert({
        line_item_id,
        user_id,
        entity_status: 'ACTIVE',
        approval_status: 'ACCEPTED',
        paused: false,
        parent_deleted: false,
        deleted: false,
      });
      await writer.reviewContent(line_item_id);
      return row;
    });
  },

  delete({ account, actor }, { promoted_account_id }) {
    return account.write(actor, async (writer) => {
      const before = await findPromotedAccount(writer, promoted_account_id, false);
      const row = await writer.promoted_accounts.update(before, { deleted: true, paused: true });
      await writer.reviewContent(before.line_item_id);
      return row;
    });
  },
};
