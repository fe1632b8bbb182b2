import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { accountKey, flag, systemColumns, words } from '../../db/columns.ts';
import { listIndexes } from '../../db/list-indexes.ts';

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
    ...listIndexes('draft_posts', table, { sortable: ['created_at'], groups: [table.user_id, table.nullcast] }),
  ],
);
