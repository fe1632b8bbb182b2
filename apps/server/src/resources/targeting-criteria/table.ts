import type { OperatorType, TargetingType } from '@broadside/core/resources/targeting-criteria';
import { sql } from 'drizzle-orm';
import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { accountKey, childColumns, flag, nameCollated } from '../../db/columns.ts';
import { listIndexes } from '../../db/list-indexes.ts';

export const targetingCriteria = sqliteTable(
  'targeting_criteria',
  {
    ...childColumns(),
    line_item_id: text('line_item_id').notNull(),
    name: text('name').notNull(),
    name_collated: nameCollated(),
    targeting_type: text('targeting_type').$type<TargetingType>().notNull(),
    targeting_value: text('targeting_value').notNull(),
    operator_type: text('operator_type').$type<OperatorType>().notNull(),
    /** True where the platform created it, for an app of the line item. */
    automatic: flag('automatic').notNull(),
  },
  (table) => [
    accountKey(table),
    // Lists are always of some line items, so that no order needs an index of its own.
    ...listIndexes('targeting_criteria', table, { sortable: [], groups: [table.line_item_id] }),
    // Finds the line items that target an audience.
    index('targeting_criteria_by_audience')
      .on(table.account_id, table.targeting_value, table.line_item_id)
      .where(sql`"deleted" = 0 AND "targeting_type" IN ('CUSTOM_AUDIENCE', 'CUSTOM_AUDIENCE_EXPANDED')`),
    // A line item has a criterion once.
    uniqueIndex('targeting_criteria_by_value')
      .on(table.account_id, table.line_item_id, table.targeting_type, table.targeting_value, table.operator_type)
      .where(sql`"deleted" = 0`),
  ],
);
