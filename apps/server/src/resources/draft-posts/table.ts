import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { accountKey, flag, systemColumns, words } from '../../db/columns.ts';

/** Posts that are not published. A deleted one leaves no row. */
export const draftPosts = sqliteTable(
  'draft_posts',
  {
    ...systemColumns(),
    name: text('name'),
    name_folded: text('name_folded'),
    text: text('text').notNull(),
    user_id: text('user_id').notNull(),
    nullcast: flag('nullcast').notNull(),
    card_uri: text('card_uri'),
    media_keys: words<string>('media_keys').notNull(),
  },
  (table) => [
    accountKey(table),
    index('draft_posts_by_creation').on(table.account_id, table.user_id, table.created_at, table.seq),
    index('draft_posts_by_name').on(table.account_id, table.name_folded),
  ],
);
