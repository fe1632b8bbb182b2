import { sql } from 'drizzle-orm';
import { textOrNull } from '../../db/cells.ts';
import type { Reader } from '../../db/database.ts';
import { always, amongIds, EntityQueries } from '../../db/entity-table.ts';
import { accountScope } from '../../world/account-scope.ts';
import { promotableUsers } from './table.ts';

export const promotableUserQueries = new EntityQueries(promotableUsers, accountScope(promotableUsers.account_id), {
  promotable_user_ids: amongIds('promotable_user_ids', promotableUsers.id),
  not_deleted: always(sql`${promotableUsers.deleted} = 0`),
});

const FULL = `SELECT "user_id" FROM "promotable_users"
  WHERE "account_id" = ? AND "promotable_user_type" = 'FULL' AND "deleted" = 0 LIMIT 1`;

/** The account's FULL promotable user, in whose name advertisements appear unless another is named. */
export async function fullPromotableUser(reader: Reader, account_id: string): Promise<string | null> {
  const [row] = await reader.query(FULL, [account_id]);
  return textOrNull(row?.[0]);
}

const AMONG = `SELECT "id", "user_id", "promotable_user_type" FROM "promotable_users"
  WHERE "account_id" = ? AND "deleted" = 0 AND "user_id" IN (SELECT value FROM json_each(?))`;

/** A user who is promotable now. */
export interface PromotableUserOf {
  readonly id: string;
  readonly user_id: string;
  readonly promotable_user_type: string;
}

/** Which of some users are promotable. */
export async function promotableAmong(
  reader: Reader,
  account_id: string,
  user_ids: readonly string[],
): Promise<PromotableUserOf[]> {
  const rows = await reader.query(AMONG, [account_id, JSON.stringify(user_ids)]);
  return rows.map((row) => ({
    id: String(row[0]),
    user_id: String(row[1]),
    promotable_user_type: String(row[2]),
  }));
}
