import { sql } from 'drizzle-orm';
import { sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { accountKey, systemColumns } from '../../db/columns.ts';
import { listIndexes } from '../../db/list-indexes.ts';

/** Users whose content an account may promote (specification C, Promotable users); exactly one is FULL. */
export const promotableUsers = sqliteTable(
  'promotable_users',
  {
    ...systemColumns(),
    user_id: text('user_id').notNull(),
    promotable_user_type: text('promotable_user_type').$type<'FULL' | 'REPOSTS_ONLY'>().notNull(),
  },
  (table) => [
    accountKey(table),
    ...listIndexes('promotable_users', table, { sortable: ['created_at', 'updated_at'], groups: [table.user_id] }),
    uniqueIndex('promotable_users_by_user').on(table.account_id, table.user_id).where(sql`"deleted" = 0`),
    uniqueIndex('promotable_users_full')
      .on(table.account_id)
      .where(sql`"promotable_user_type" = 'FULL' AND "deleted" = 0`),
  ],
);
