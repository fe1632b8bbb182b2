import type { FeatureKey } from '@broadside/core/resources/features';
import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const accountFeatures = sqliteTable(
  'account_features',
  {
    account_id: text('account_id').notNull(),
    feature_key: text('feature_key').$type<FeatureKey>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.feature_key] })],
);
