import type { StoredAudience } from '@broadside/core/resources/custom-audiences';
import { sql } from 'drizzle-orm';
import { sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { accountKey, flag, int, json, nameCollated, systemColumns } from '../../db/columns.ts';
import { listIndexes } from '../../db/list-indexes.ts';

export const customAudiences = sqliteTable(
  'custom_audiences',
  {
    ...systemColumns(),
    name: text('name').notNull(),
    name_folded: text('name_folded').notNull(),
    name_collated: nameCollated(),
    description: text('description'),
    audience_type: text('audience_type').$type<StoredAudience['audience_type']>().notNull(),
    partner_source: text('partner_source').$type<StoredAudience['partner_source']>().notNull(),
    /** The tree of a flexible audience; null for others. */
    segments: json<NonNullable<StoredAudience['segments']>>('segments'),
    /** Changes of the members are yet to be counted; set by intake, cleared when they are processed. */
    processing: flag('processing').notNull(),
    /** Exact number of matched people who were active in 90 days; null until they are counted first. */
    matched_count: int('matched_count'),
    /** Added to that number where other accounts see it, so that they cannot tell whether one person is in the audience. */
    size_offset: int('size_offset').notNull().default(0),
  },
  (table) => [
    accountKey(table),
    ...listIndexes('custom_audiences', table, { sortable: ['created_at', 'updated_at', 'name'] }),
    // Deletion frees a name.
    uniqueIndex('custom_audiences_by_unique_name').on(table.account_id, table.name_folded).where(sql`"deleted" = 0`),
  ],
);
