import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * The audiences that flexible audiences consist of, for those who look up from a leaf: an audience may be a leaf of flexible
 * audiences in other accounts. A row stays when one of the two is deleted.
 */
export const audienceLeaves = sqliteTable(
  'audience_leaves',
  {
    leaf_id: text('leaf_id').notNull(),
    account_id: text('account_id').notNull(),
    custom_audience_id: text('custom_audience_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.leaf_id, table.account_id, table.custom_audience_id] })],
);
