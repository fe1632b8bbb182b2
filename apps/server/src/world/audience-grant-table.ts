import type { PermissionLevel } from '@broadside/core/resources/custom-audiences';
import { sql } from 'drizzle-orm';
import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { accountKey, childColumns } from '../db/columns.ts';
import { listIndexes } from '../db/list-indexes.ts';

/**
 * Audiences that accounts share with others. `account_id` is the owner of the audience, who writes the rows; the directory
 * reads them for the account that is granted. Rows are hidden when the audience is deleted.
 */
export const audienceGrants = sqliteTable(
  'audience_grants',
  {
    ...childColumns(),
    custom_audience_id: text('custom_audience_id').notNull(),
    granted_account_id: text('granted_account_id').notNull(),
    permission_level: text('permission_level').$type<PermissionLevel>().notNull(),
  },
  (table) => [
    accountKey(table),
    // Lists are always of one audience, so that no order needs an index of its own.
    ...listIndexes('audience_grants', table, { sortable: [], groups: [table.custom_audience_id] }),
    // The directory looks up what an account is granted. Ended grants are kept, for why an audience cannot be used.
    index('audience_grants_by_grantee').on(table.granted_account_id, table.custom_audience_id),
    // An audience is shared with an account once.
    uniqueIndex('audience_grants_of_pair')
      .on(table.account_id, table.custom_audience_id, table.granted_account_id)
      .where(sql`"deleted" = 0`),
  ],
);
