import type { AccountMedia } from '@broadside/core/resources/account-media';
import { sql } from 'drizzle-orm';
import { sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { accountKey, systemColumns } from '../../db/columns.ts';
import { listIndexes } from '../../db/list-indexes.ts';

/** Media of the platform that an account's media creatives can show. */
export const accountMediaTable = sqliteTable(
  'account_media',
  {
    ...systemColumns(),
    media_key: text('media_key').notNull(),
    creative_type: text('creative_type').$type<AccountMedia['creative_type']>().notNull(),
  },
  (table) => [
    accountKey(table),
    ...listIndexes('account_media', table, { sortable: ['created_at', 'updated_at'], groups: [table.creative_type] }),
    // An account has the same media once.
    uniqueIndex('account_media_by_key').on(table.account_id, table.media_key).where(sql`"deleted" = 0`),
  ],
);
