import { sql } from 'drizzle-orm';
import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { sharedColumns } from '../../db/columns.ts';

/** Businesses, made by the operator. Accounts name the one that they belong to. */
export const businesses = sqliteTable(
  'businesses',
  {
    id: text('id').primaryKey(),
    ...sharedColumns(),
    name: text('name').notNull(),
    name_folded: text('name_folded').notNull(),
  },
  (table) => [
    index('businesses_by_creation').on(table.created_at, table.seq),
    uniqueIndex('businesses_by_name').on(table.name_folded).where(sql`"deleted" = 0`),
  ],
);
