import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { flag, long } from '../../db/columns.ts';

export const lineItemCuratedCategories = sqliteTable(
  'line_item_curated_categories',
  {
    account_id: text('account_id').notNull(),
    id: text('id').notNull(),
    seq: long('seq').notNull(),
    line_item_id: text('line_item_id').notNull(),
    curated_category_id: text('curated_category_id').notNull(),
    /** The line item or its campaign is gone: shown only among deleted records. */
    parent_deleted: flag('parent_deleted').notNull(),
    created_at: text('created_at').notNull(),
    updated_at: text('updated_at').notNull(),
    deleted: flag('deleted').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.account_id, table.id] }),
    index('line_item_curated_categories_by_creation').on(table.account_id, table.created_at, table.seq),
    // A line item has one curated category.
    uniqueIndex('line_item_curated_categories_by_line_item')
      .on(table.account_id, table.line_item_id)
      .where(sql`"deleted" = 0`),
  ],
);
