import type { FaultEffect, FaultMatch } from '@broadside/core/resources/control/faults';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { int, json } from '../db/columns.ts';

/** Rules of faults with their counts. In the store, so that a restart and a copy of the world have them too. */
export const faultRules = sqliteTable('fault_rules', {
  /** Orders rules by their creation, and is never used again. */
  number: integer('number').primaryKey({ autoIncrement: true }),
  match: json<FaultMatch>('match').notNull(),
  effect: json<FaultEffect>('effect').notNull(),
  times: int('times'),
  /** By the clock of the world. */
  until_ms: int('until_ms'),
  created_ms: int('created_ms').notNull(),
  /** Where its chances come from. */
  seed: text('seed').notNull(),
  matched: int('matched').notNull().default(0),
  fired: int('fired').notNull().default(0),
  /** When the window of a used-up rate limit ends, by the clock of limits, once the rule has fired. */
  window_ends_ms: int('window_ends_ms'),
});
