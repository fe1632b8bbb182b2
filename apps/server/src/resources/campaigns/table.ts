import type { Campaign } from '@broadside/core/resources/campaigns';
import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { accountKey, flag, int, long, nameCollated, spentColumns, systemColumns } from '../../db/columns.ts';
import { listIndexes } from '../../db/list-indexes.ts';

export const campaigns = sqliteTable(
  'campaigns',
  {
    ...systemColumns(),
    name: text('name').notNull(),
    name_folded: text('name_folded').notNull(),
    name_collated: nameCollated(),
    budget_optimization: text('budget_optimization').$type<Campaign['budget_optimization']>().notNull(),
    entity_status: text('entity_status').$type<Campaign['entity_status']>().notNull(),
    purchase_order_number: text('purchase_order_number'),
    daily_budget_amount_local_micro: long('daily_budget_amount_local_micro'),
    total_budget_amount_local_micro: long('total_budget_amount_local_micro'),
    funding_instrument_id: text('funding_instrument_id').notNull(),
    duration_in_days: int('duration_in_days'),
    standard_delivery: flag('standard_delivery'),
    frequency_cap: int('frequency_cap'),
    currency: text('currency').notNull(),
    /** Summary of the line items (without drafts), updated by their writes, so that a list reads only one table. */
    line_item_count: int('line_item_count').notNull(),
    flight_start: text('flight_start'),
    flight_end: text('flight_end'),
    /** True where there is something to show of which nothing was accepted; updated by the writes of creatives. */
    content_review_problem: flag('content_review_problem').notNull().default(false),
    ...spentColumns(),
    /** The time until which the budgets of all active line items are used up; null where one has something left. */
    line_items_spent_until: text('line_items_spent_until'),
    /** True while it waits for the advertiser to approve it. */
    awaiting_approval: flag('awaiting_approval').notNull().default(false),
  },
  (table) => [
    accountKey(table),
    ...listIndexes('campaigns', table, {
      sortable: [
        'created_at',
        'updated_at',
        'name',
        'daily_budget_amount_local_micro',
        'total_budget_amount_local_micro',
        'standard_delivery',
      ],
      groups: [table.funding_instrument_id],
      drafts: true,
    }),
    // Covers the count of active campaigns.
    index('campaigns_by_activity').on(table.account_id, table.deleted, table.entity_status, table.flight_end),
  ],
);
