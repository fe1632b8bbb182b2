import type { AccountApp } from '@broadside/core/resources/account-apps';
import { sql } from 'drizzle-orm';
import { sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { accountKey, flag, systemColumns } from '../../db/columns.ts';
import { listIndexes } from '../../db/list-indexes.ts';

export const accountApps = sqliteTable(
  'account_apps',
  {
    ...systemColumns(),
    app_store_identifier: text('app_store_identifier').notNull(),
    conversion_tracking_enabled: flag('conversion_tracking_enabled').notNull(),
    deep_link_pattern: text('deep_link_pattern'),
    os_type: text('os_type').$type<AccountApp['os_type']>().notNull(),
  },
  (table) => [
    accountKey(table),
    ...listIndexes('account_apps', table, { sortable: ['created_at', 'updated_at'] }),
    // An account has an app once.
    uniqueIndex('account_apps_by_identifier')
      .on(table.account_id, table.os_type, table.app_store_identifier)
      .where(sql`"deleted" = 0`),
  ],
);
