import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { int } from '../db/columns.ts';

/** Notifications to people: each is about the draft of a post, and is removed some time after it was sent. */
export const notifications = sqliteTable(
  'notifications',
  {
    /** Increases with time, so that a reader can ask for what came after the last one. */
    id: integer('id').primaryKey({ autoIncrement: true }),
    user_id: text('user_id').notNull(),
    /** `production` or `sandbox`. */
    environment: text('environment', { enum: ['production', 'sandbox'] }).notNull(),
    account_id: text('account_id').notNull(),
    draft_post_id: text('draft_post_id').notNull(),
    /** The beginning of the draft's name or text, as it was. */
    title: text('title').notNull(),
    created_ms: int('created_ms').notNull(),
    read_ms: int('read_ms'),
  },
  (table) => [
    index('notifications_of_user').on(table.user_id, table.id),
    index('notifications_by_time').on(table.created_ms),
  ],
);
