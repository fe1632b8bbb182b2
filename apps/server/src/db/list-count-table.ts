import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Numbers of rows that the lists of an account have: of a table in all, and with each value of a filter. Triggers keep the counts in
 * the transaction of the row: see `list-counts.ts`. The migration makes it WITHOUT ROWID.
 */
export const listCounts = sqliteTable(
  'list_counts',
  {
    account_id: text('account_id').notNull(),
    /** The table. */
    list: text('list').notNull(),
    /** The column of the filter; empty for all rows. */
    of: text('of').notNull(),
    value: text('value').notNull(),
    /** The class of the rows: see `list-class.ts`. */
    class: integer('class').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.list, table.of, table.value, table.class] })],
);

/**
 * Numbers of rows with names in a range, for the count of those that begin with a text. A range is split when it has too many.
 * The migration makes it WITHOUT ROWID.
 */
export const listNames = sqliteTable(
  'list_names',
  {
    account_id: text('account_id').notNull(),
    list: text('list').notNull(),
    class: integer('class').notNull(),
    /** Not after any folded name of the range, and after those of the range before. */
    first: text('first').notNull(),
    /** Not before any folded name of the range. */
    last: text('last').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.list, table.class, table.first] })],
);
