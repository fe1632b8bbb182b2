import type { MediaCreative } from '@broadside/core';
import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { flag, long } from '../../db/columns.ts';

export const mediaCreatives = sqliteTable(
  'media_creatives',
  {
    account_id: text('account_id').notNull(),
    id: text('id').notNull(),
    seq: long('seq').notNull(),
    /** The campaign of the line item, by which lists are filtered. */
    campaign_id: text('campaign_id').notNull(),
    line_item_id: text('line_item_id').notNull(),
    account_media_id: text('account_media_id').notNull(),
    landing_url: text('landing_url'),
    creative_type: text('creative_type').$type<MediaCreative['creative_type']>().notNull(),
    entity_status: text('entity_status').$type<MediaCreative['entity_status']>().notNull(),
    approval_status: text('approval_status').$type<MediaCreative['approval_status']>().notNull(),
    /** The line item or its campaign is gone: shown only among deleted records. */
    parent_deleted: flag('parent_deleted').notNull(),
    created_at: text('created_at').notNull(),
    updated_at: text('updated_at').notNull(),
    deleted: flag('deleted').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.account_id, table.id] }),
    index('media_creatives_by_creation').on(table.account_id, table.created_at, table.seq),
    // A line item shows the same media once.
    uniqueIndex('media_creatives_by_media')
      .on(table.account_id, table.line_item_id, table.account_media_id)
      .where(sql`"deleted" = 0`),
  ],
);
