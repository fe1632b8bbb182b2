import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { int, long } from '../db/columns.ts';

/** Follows. Those of a protected user are requests until the user approves them. */
export const follows = sqliteTable(
  'follows',
  {
    follower_id: long('follower_id').notNull(),
    followed_id: long('followed_id').notNull(),
    state: text('state').$type<'requested' | 'approved'>().notNull(),
    created_ms: int('created_ms').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.follower_id, table.followed_id] }),
    index('follows_by_followed').on(table.followed_id, table.state),
  ],
);
