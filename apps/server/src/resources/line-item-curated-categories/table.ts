import { sql } from 'drizzle-orm';
import { sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { accountKey, childColumns } from '../../db/columns.ts';
import { listIndexes } from '../../db/list-indexes.ts';

export const lineItemCuratedCategories = sqliteTable(
  'line_item_curated_categories',
  {
    ...childColumns(),
    line_item_id: text('line_item_id').notNull(),
    curated_category_id: text('curated_category_id').notNull(),
  },
  (table) => [
    accountKey(table),
    ...listIndexes('line_item_curated_categories', table, { sortable: ['created_at', 'updated_at'] }),
    // A line item has one curated category.
    uniqueIndex('line_item_curated_categories_by_line_item')
      .on(table.account_id, table.line_item_id)
      .where(sql`"deleted" = 0`),
  ],
);
