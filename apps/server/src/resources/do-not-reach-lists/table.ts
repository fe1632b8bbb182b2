import { sql } from 'drizzle-orm';
import { sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { accountKey, flag, int, systemColumns } from '../../db/columns.ts';

export const doNotReachLists = sqliteTable(
  'do_not_reach_lists',
  {
    ...systemColumns(),
    description: text('description'),
    /** Changes of the people are yet to be counted; set by intake, cleared when they are processed. */
    processing: flag('processing').notNull(),
    /** Exact number of matched people who were active in 90 days; null until they are counted first. */
    matched_count: int('matched_count'),
  },
  (table) => [
    accountKey(table),
    // An account has at most one that is not deleted.
    uniqueIndex('do_not_reach_lists_by_account').on(table.account_id).where(sql`"deleted" = 0`),
  ],
);
