import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { flag, long } from '../db/columns.ts';

/**
 * The latest changes of what the audience index holds, written by triggers in the transaction of the change. A row says what
 * to read again, never what it was. The table is a ring: each new row takes the oldest away.
 */
export const audienceChanges = sqliteTable('audience_changes', {
  seq: long('seq').primaryKey(),
  kind: text('kind').$type<'user' | 'follow' | 'post'>().notNull(),
  /** The user, the follower or the post. */
  id: long('id').notNull(),
  /** Whom the follower follows. */
  other_id: long('other_id'),
});

/** The one row about all changes. */
export const audienceState = sqliteTable('audience_state', {
  id: integer('id').primaryKey(),
  /** Goes up with each bulk of rows that were not noted one by one. */
  epoch: long('epoch').notNull(),
  /** 1 inside the transaction of a bulk: the triggers then note nothing. */
  bulk: flag('bulk').notNull(),
});
