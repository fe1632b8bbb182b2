import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { flag, sharedColumns, words } from '../../db/columns.ts';

/** Users beside whose videos advertisements are shown. They belong to no account. */
export const publishers = sqliteTable(
  'publishers',
  {
    /** The user. */
    id: text('id').primaryKey(),
    ...sharedColumns(),
    monetizable_country_codes: words<string>('monetizable_country_codes').notNull(),
    promotion_eligible_country_codes: words<string>('promotion_eligible_country_codes').notNull(),
    monetization_restricted: flag('monetization_restricted').notNull(),
    content_category_ids: words<string>('content_category_ids').notNull(),
  },
  (table) => [index('publishers_by_creation').on(table.created_at, table.seq)],
);
