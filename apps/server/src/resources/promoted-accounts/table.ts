import type { PromotedAccount } from '@broadside/core/resources/promoted-accounts';
import { sql } from 'drizzle-orm';
import { sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { accountKey, childColumns, flag } from '../../db/columns.ts';
import { listIndexes } from '../../db/list-indexes.ts';

export const promotedAccounts = sqliteTable(
  'promoted_accounts',
  {
    ...childColumns(),
    line_item_id: text('line_item_id').notNull(),
    user_id: text('user_id').notNull(),
    entity_status: text('entity_status').$type<PromotedAccount['entity_status']>().notNull(),
    approval_status: text('approval_status').$type<PromotedAccount['approval_status']>().notNull(),
    /** True where it no longer runs, for sorting; as with promoted posts. */
    paused: flag('paused').notNull(),
  },
  (table) => [
    accountKey(table),
    ...listIndexes('promoted_accounts', table, {
      sortable: ['created_at', 'updated_at', 'paused'],
      groups: [table.line_item_id],
    }),
    // A line item promotes a user once.
    uniqueIndex('promoted_accounts_by_user')
      .on(table.account_id, table.line_item_id, table.user_id)
      .where(sql`"deleted" = 0`),
  ],
);
