import type { PublicationFailure, ScheduledPost } from '@broadside/core/resources/scheduled-posts';
import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { accountKey, flag, json, systemColumns, words } from '../../db/columns.ts';
import { listIndexes } from '../../db/list-indexes.ts';

/** Posts that are published at a time. A deleted one leaves no row. */
export const scheduledPosts = sqliteTable(
  'scheduled_posts',
  {
    ...systemColumns(),
    name: text('name'),
    name_folded: text('name_folded'),
    text: text('text').notNull(),
    user_id: text('user_id').notNull(),
    scheduled_at: text('scheduled_at').notNull(),
    scheduled_status: text('scheduled_status').$type<ScheduledPost['scheduled_status']>().notNull(),
    completed_at: text('completed_at'),
    post_id: text('post_id'),
    nullcast: flag('nullcast').notNull(),
    card_uri: text('card_uri'),
    media_keys: words<string>('media_keys').notNull(),
    failure: json<PublicationFailure>('failure'),
    /** The user who scheduled it; null for the operator. */
    contributor_id: text('contributor_id'),
    /** Its publication has begun: it can be neither changed nor deleted until that has ended. */
    publishing: flag('publishing').notNull(),
  },
  (table) => [
    accountKey(table),
    ...listIndexes('scheduled_posts', table, { sortable: ['created_at'], groups: [table.user_id, table.nullcast] }),
    index('scheduled_posts_by_time').on(table.account_id, table.scheduled_at),
  ],
);
