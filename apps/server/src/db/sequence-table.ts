import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { long } from './columns.ts';

/** The last number that each sequence handed out. Advanced in the transaction that uses the number. */
export const sequences = sqliteTable('sequences', {
  name: text('name').primaryKey(),
  value: long('value').notNull(),
});
