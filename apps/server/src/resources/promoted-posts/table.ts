import type { PromotedPost } from '@broadside/core/resources/promoted-posts';
import { sql } from 'drizzle-orm';
import { sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { accountKey, childColumns, flag } from '../../db/columns.ts';
import { listIndexes } from '../../db/list-indexes.ts';

export const promotedPosts = sqliteTable(
  'promoted_posts',
  {
    ...childColumns(),
    line_item_id: text('line_item_id').notNull(),
    post_id: text('post_id').notNull(),
    entity_status: text('entity_status').$type<PromotedPost['entity_status']>().notNull(),
    approval_status: text('approval_status').$type<PromotedPost['approval_status']>().notNull(),
    /** True where it no longer runs, for sorting: the dashboard shows what is detached as paused (specification C, States). */
    paused: flag('paused').notNull(),
  },
  (table) => [
    accountKey(table),
    ...listIndexes('promoted_posts', table, {
      sortable: ['created_at', 'updated_at', 'paused'],
      groups: [table.line_item_id],
    }),
    // A line item promotes a post once.
    uniqueIndex('promoted_posts_by_post')
      .on(table.account_id, table.line_item_id, table.post_id)
      .where(sql`"deleted" = 0`),
  ],
);
