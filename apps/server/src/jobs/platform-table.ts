import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { int } from '../db/columns.ts';

/** Work due at a time of the world's clock. A row is removed in the write that does the work, so nothing is done twice. */
export const jobs = sqliteTable(
  'jobs',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    kind: text('kind').notNull(),
    /** Subject of the job, such as the id of the media. */
    subject: text('subject').notNull(),
    due_ms: int('due_ms').notNull(),
    failures: int('failures').notNull().default(0),
  },
  (table) => [
    index('jobs_by_time').on(table.kind, table.due_ms),
    index('jobs_by_subject').on(table.kind, table.subject),
  ],
);
