import { ApiError, type Contract, refuse } from '@broadside/core';
import { checkPromotedAccount, checkPromotedAccountFilter } from '@broadside/core/rules';
import type { HandlersOf } from '../../pipeline/context.ts';
import { pageOf } from '../../pipeline/page.ts';
import type { AccountReader } from '../../world/account-store.ts';
import { findLineItem } from '../line-items/handlers.ts';
import type { PromotedAccountRow } from './store.ts';

/** The promoted account with an id; one whose line item is deleted counts as deleted. @throws ApiError PROMOTED_ACCOUNT_NOT_FOUND */
async function findPromotedAccount(
  account: AccountReader,
  id: string,
  withDeleted: boolean,
): Promise<PromotedAccountRow> {
  const row = await account.promoted_accounts.get(id);
  if (row && (withDeleted || !(row.deleted || row.parent_deleted))) return row;
  throw new ApiError({ error: 'PROMOTED_ACCOUNT_NOT_FOUND', parameter: 'promoted_account_id', value: id });
}

export const promoted_accounts: HandlersOf<Contract['promoted_accounts']> = {
  async list({ account }, params) {
    const { line_item_ids = [] } = params;
    const named = await Promise.all(line_item_ids.map((id) => account.line_items.get(id)));
    refuse(checkPromotedAccountFilter(named.flatMap((row) => row ?? [])));
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
