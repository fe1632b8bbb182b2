import { sql } from 'drizzle-orm';
import type { Reader } from '../../db/database.ts';
import { always, amongIds, EntityQueries } from '../../db/entity-table.ts';
import { accountScope } from '../../world/account-scope.ts';
import { promotedAccounts } from './table.ts';

/** A promoted account as stored. */
export type PromotedAccountRow = typeof promotedAccounts.$inferSelect;

export const promotedAccountQueries = new EntityQueries(
  promotedAccounts,
  accountScope(promotedAccounts.account_id),
  {
    line_item_ids: amongIds('line_item_ids', promotedAccounts.line_item_id),
    promoted_account_ids: amongIds('promoted_account_ids', promotedAccounts.id),
    not_deleted: always(sql`${promotedAccounts.deleted} = 0 AND ${promotedAccounts.parent_deleted} = 0`),
  },
  ['paused', 'parent_deleted'],
);

const OF_USER = `SELECT "id" FROM "promoted_accounts"
  WHERE "account_id" = ? AND "line_item_id" = ? AND "user_id" = ? AND "deleted" = 0 LIMIT 1`;

/** What promotes a user on a line item now. */
export async function promotedAccountOf(
  reader: Reader,
  account_id: string,
  line_item_id: string,
  user_id: string,
): Promise<PromotedAccountRow | undefined> {
  const [row] = await reader.query(OF_USER, [account_id, line_item_id, user_id]);
  return row && promotedAccountQueries.get(reader, account_id, String(row[0]));
}
