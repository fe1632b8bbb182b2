import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { int } from '../db/columns.ts';

/** Work to be done at a time of the world's clock. A row goes in the write that does the work, so nothing is done twice. */
export const jobs = sqliteTable(
  'jobs',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    kind: text('kind').notNull(),
    /** What it is about, such as the id of the media. */
    subject: text('subject').notNull(),
    due_ms: int('due_ms').notNull(),
    failures: int('failures').notNull().default(0),
  },
  (table) => [index('jobs_by_time').on(table.due_ms)],
);
