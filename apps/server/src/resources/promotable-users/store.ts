import type { Reader } from '../../db/database.ts';
import { EntityQueries } from '../../db/entity-table.ts';
import { accountScope } from '../../world/account-scope.ts';
import { promotableUsers } from './table.ts';

export const promotableUserQueries = new EntityQueries(promotableUsers, accountScope(promotableUsers.account_id), {});

const FULL = `SELECT "user_id" FROM "promotable_users"
  WHERE "account_id" = ? AND "promotable_user_type" = 'FULL' AND "deleted" = 0 LIMIT 1`;

/** The account's FULL promotable user, in whose name advertisements appear unless another is named. */
export async function fullPromotableUser(reader: Reader, account_id: string): Promise<string | null> {
  const [row] = await reader.query(FULL, [account_id]);
  return typeof row?.[0] === 'string' ? row[0] : null;
}
