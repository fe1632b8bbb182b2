import type { Contract } from '@broadside/core';
import { checkPromotedAccount, checkPromotedAccountFilter } from '@broadside/core/resources/promoted-accounts';
import { type Awaitable, chain } from '../../awaitable.ts';
import { beginsAs } from '../../pipeline/ahead.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import { readHandlers } from '../../pipeline/read-handlers.ts';
import type { AccountReader } from '../../world/account-store.ts';
import { contentAccepted } from '../campaigns/find.ts';
import { findLineItem, type LineItemRow, lineItem, reviewContentOf } from '../line-items/find.ts';
import { fullPromotableUser } from '../promotable-users/find.ts';
import { promotedAccount } from './entity.ts';

/** Asks for line items with these ids, deleted or not. */
const among = (line_item_ids: readonly string[]) => ({ line_item_ids, with_deleted: true, with_draft: true });

/** Returns the line items with these ids, deleted or not, in the order of the ids. */
function lineItemsAmong(account: AccountReader, line_item_ids: readonly string[]): Awaitable<LineItemRow[]> {
  if (line_item_ids.length === 0) return [];
  return chain(account.of(lineItem).every(among(line_item_ids)), (rows) => {
    const known = new Map(rows.map((row) => [row.id, row]));
    return line_item_ids.flatMap((id) => known.get(id) ?? []);
  });
}

type ListParams = Parameters<HandlersOf<Contract['promoted_accounts']>['list']>[1];

const reads = readHandlers(promotedAccount, 'promoted_account_id');

export const handlers: HandlersOf<Contract['promoted_accounts']> = {
  ...reads,

  list(context, params) {
    return chain(lineItemsAmong(context.account, params.line_item_ids ?? []), (line_items) => {
      context.reject.check(checkPromotedAccountFilter(line_items));
      return reads.list(context, params);
    });
  },

  create({ account, actor, reject }, { line_item_id, user_id }) {
    return account.write(actor, async (writer) => {
      const line_item = await findLineItem(reject, writer, line_item_id);
      reject.check(checkPromotedAccount(line_item, user_id, await fullPromotableUser(writer)));
      const known = await writer.of(promotedAccount).existing({ line_item_id, user_id });
      if (known) return known;
      const row = await writer.of(promotedAccount).insert({
        line_item_id,
        user_id,
        entity_status: 'ACTIVE',
        approval_status: 'ACCEPTED',
        paused: false,
      });
      await contentAccepted(writer, line_item.campaign_id);
      return row;
    });
  },

  delete({ account, actor, reject }, { promoted_account_id }) {
    return account.write(actor, async (writer) => {
      const before = await writer.of(promotedAccount).find(reject, promoted_account_id);
      const row = await writer.of(promotedAccount).delete(before, { paused: true });
      await reviewContentOf(writer, row.line_item_id);
      return row;
    });
  },
};

beginsAs(
  handlers.list,
  reads.list,
  (params: ListParams) => params,
  (reader, account_id, { line_item_ids = [] }) =>
    line_item_ids.length === 0 ? undefined : lineItem.queries.every(reader, account_id, among(line_item_ids)),
);
