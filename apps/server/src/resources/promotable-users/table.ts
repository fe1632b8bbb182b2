import { sql } from 'drizzle-orm';
import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { accountKey, systemColumns } from '../../db/columns.ts';

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
    index('promotable_users_by_creation').on(table.account_id, table.created_at, table.seq),
    uniqueIndex('promotable_users_by_user').on(table.account_id, table.user_id).where(sql`"deleted" = 0`),
    uniqueIndex('promotable_users_full')
      .on(table.account_id)
      .where(sql`"promotable_user_type" = 'FULL' AND "deleted" = 0`),
  ],
);
