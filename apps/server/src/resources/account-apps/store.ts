import { sql } from 'drizzle-orm';
import type { Reader } from '../../db/database.ts';
import { always, EntityQueries } from '../../db/entity-table.ts';
import { accountScope } from '../../world/account-scope.ts';
import { accountApps } from './table.ts';

export const accountAppQueries = new EntityQueries(accountApps, accountScope(accountApps.account_id), {
  not_deleted: always(sql`${accountApps.deleted} = 0`),
});

const OF_STORE = `SELECT "id" FROM "account_apps"
  WHERE "account_id" = ? AND "os_type" = ? AND "app_store_identifier" = ? AND "deleted" = 0 LIMIT 1`;

/** The id under which an account has an app of a store. */
export async function accountAppOf(
  reader: Reader,
  account_id: string,
  os_type: string,
  app_store_identifier: string,
): Promise<string | undefined> {
  const [row] = await reader.query(OF_STORE, [account_id, os_type, app_store_identifier]);
  return row && String(row[0]);
}
