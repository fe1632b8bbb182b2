import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Writes of several stores at once, until each of them is known to have its part: what the other stores are missing, as statements. A row is
 * written in the transaction of the platform's part, which decides.
 */
export const jointWrites = sqliteTable('joint_writes', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  write_id: text('write_id').notNull(),
  /** An environment, or a shard of it, such as `production/east`. */
  store: text('store').notNull(),
  /** JSON list of statements, each with its arguments. */
  statements: text('statements').notNull(),
});
