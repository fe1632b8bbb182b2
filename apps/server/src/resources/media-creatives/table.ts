import type { MediaCreative } from '@broadside/core/resources/media-creatives';
import { sql } from 'drizzle-orm';
import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { accountKey, childColumns } from '../../db/columns.ts';
import { listIndexes } from '../../db/list-indexes.ts';

export const mediaCreatives = sqliteTable(
  'media_creatives',
  {
    ...childColumns(),
    /** The campaign of the line item, by which lists are filtered. */
    campaign_id: text('campaign_id').notNull(),
    line_item_id: text('line_item_id').notNull(),
    account_media_id: text('account_media_id').notNull(),
    landing_url: text('landing_url'),
    creative_type: text('creative_type').$type<MediaCreative['creative_type']>().notNull(),
    entity_status: text('entity_status').$type<MediaCreative['entity_status']>().notNull(),
    approval_status: text('approval_status').$type<MediaCreative['approval_status']>().notNull(),
  },
  (table) => [
    accountKey(table),
    ...listIndexes('media_creatives', table, {
      sortable: ['created_at', 'updated_at'],
      groups: [table.campaign_id, table.line_item_id],
    }),
    index('media_creatives_by_account_media').on(table.account_id, table.account_media_id),
    // A line item shows the same media once.
    uniqueIndex('media_creatives_by_media')
      .on(table.account_id, table.line_item_id, table.account_media_id)
      .where(sql`"deleted" = 0`),
  ],
);
