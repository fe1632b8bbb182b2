import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { flag, long } from '../../db/columns.ts';

/** Whose content an account may promote (specification C, Promotable users); exactly one is FULL. */
export const promotableUsers = sqliteTable(
  'promotable_users',
  {
    account_id: text('account_id').notNull(),
    id: text('id').notNull(),
    seq: long('seq').notNull(),
    user_id: text('user_id').notNull(),
    promotable_user_type: text('promotable_user_type').$type<'FULL' | 'REPOSTS_ONLY'>().notNull(),
    created_at: text('created_at').notNull(),
    updated_at: text('updated_at').notNull(),
    deleted: flag('deleted').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.account_id, table.id] }),
    index('promotable_users_by_creation').on(table.account_id, table.created_at, table.seq),
    uniqueIndex('promotable_users_by_user').on(table.account_id, table.user_id).where(sql`"deleted" = 0`),
    uniqueIndex('promotable_users_full')
      .on(table.account_id)
      .where(sql`"promotable_user_type" = 'FULL' AND "deleted" = 0`),
  ],
);
