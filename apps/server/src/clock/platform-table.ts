import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { flag, int } from '../db/columns.ts';

/** The clock of the world, in one row; none while it is the machine's. At `wall_ms` of the machine's clock it was `world_ms`. */
export const worldTime = sqliteTable('world_time', {
  id: integer('id').primaryKey(),
  world_ms: int('world_ms').notNull(),
  wall_ms: int('wall_ms').notNull(),
  /** Seconds of the world in a second, while it is not frozen. */
  rate: real('rate').notNull(),
  frozen: flag('frozen').notNull(),
  /** The time by which windows of rate limits pass. */
  limits: text('limits').$type<'wall' | 'world'>().notNull(),
});
