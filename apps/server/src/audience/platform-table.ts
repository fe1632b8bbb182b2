import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { flag, long } from '../db/columns.ts';

/**
 * The latest changes of the data in the audience index, written by triggers in the transaction of the change. A row says what
 * to reread, never the old value. The table is a ring: each new row removes the oldest one.
 */
export const audienceChanges = sqliteTable('audience_changes', {
  seq: long('seq').primaryKey(),
  kind: text('kind').$type<'user' | 'follow' | 'post'>().notNull(),
  /** The user, the follower or the post. */
  id: long('id').notNull(),
  /** The followed user. */
  other_id: long('other_id'),
});

/** The one row about all changes. */
export const audienceState = sqliteTable('audience_state', {
  id: integer('id').primaryKey(),
  /** Incremented by each bulk of rows that were not recorded one by one. */
  epoch: long('epoch').notNull(),
  /** 1 inside the transaction of a bulk: the triggers then record nothing. */
  bulk: flag('bulk').notNull(),
});
