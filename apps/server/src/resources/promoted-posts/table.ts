import type { PromotedPost } from '@broadside/core';
import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { flag, long } from '../../db/columns.ts';

export const promotedPosts = sqliteTable(
  'promoted_posts',
  {
    account_id: text('account_id').notNull(),
    id: text('id').notNull(),
    seq: long('seq').notNull(),
    line_item_id: text('line_item_id').notNull(),
    post_id: text('post_id').notNull(),
    entity_status: text('entity_status').$type<PromotedPost['entity_status']>().notNull(),
    approval_status: text('approval_status').$type<PromotedPost['approval_status']>().notNull(),
    /** Whether it no longer runs, for sorting: the dashboard shows what is detached as paused (specification C, States). */
    paused: flag('paused').notNull(),
    /** The line item or its campaign is gone: shown only among deleted records. */
    parent_deleted: flag('parent_deleted').notNull(),
    created_at: text('created_at').notNull(),
    updated_at: text('updated_at').notNull(),
    deleted: flag('deleted').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.account_id, table.id] }),
    index('promoted_posts_by_creation').on(table.account_id, table.created_at, table.seq),
    // A line item promotes a post once.
    uniqueIndex('promoted_posts_by_post')
      .on(table.account_id, table.line_item_id, table.post_id)
      .where(sql`"deleted" = 0`),
  ],
);
