import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { int, long, words } from '../db/columns.ts';

/**
 * Polls of posts, copied from their cards when they are posted: a poll never changes, and it stays visible with its results
 * when its card is deleted. The id is the number of the card's URI. Counts are columns, kept in step by the votes.
 */
export const polls = sqliteTable(
  'polls',
  {
    id: long('id').primaryKey(),
    choices: words<string>('choices').notNull(),
    duration_minutes: int('duration_minutes').notNull(),
    start_ms: int('start_ms').notNull(),
    end_ms: int('end_ms').notNull(),
    /** An image or a video that it shows. */
    media_key: text('media_key'),
    votes_1: int('votes_1').notNull().default(0),
    votes_2: int('votes_2').notNull().default(0),
    votes_3: int('votes_3').notNull().default(0),
    votes_4: int('votes_4').notNull().default(0),
  },
  (table) => [index('polls_by_end').on(table.end_ms)],
);

/** Votes, one for each person and poll. A table without row ids: the key is the row. */
export const pollVotes = sqliteTable(
  'poll_votes',
  {
    poll_id: long('poll_id').notNull(),
    user_id: long('user_id').notNull(),
    /** The position of the choice, from 1. */
    choice: int('choice').notNull(),
    created_ms: int('created_ms').notNull(),
  },
  (table) => [primaryKey({ columns: [table.poll_id, table.user_id] })],
);
