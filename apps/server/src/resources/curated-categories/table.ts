import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { int, sharedColumns, words } from '../../db/columns.ts';

/** Selections of publishers, made by the operator. They belong to no account. */
export const curatedCategories = sqliteTable(
  'curated_categories',
  {
    id: text('id').primaryKey(),
    ...sharedColumns(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    country_codes: words<string>('country_codes').notNull(),
    publisher_user_ids: words<string>('publisher_user_ids').notNull(),
    videos_monetized_in_last_thirty_days: int('videos_monetized_in_last_thirty_days').notNull(),
  },
  (table) => [index('curated_categories_by_creation').on(table.created_at, table.seq)],
);
