import type { LineItem } from '@broadside/core/resources/line-items';
import { isNotNull, sql } from 'drizzle-orm';
import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { accountKey, childColumns, flag, int, long, spentColumns, words } from '../../db/columns.ts';
import { listIndexes } from '../../db/list-indexes.ts';

export const lineItems = sqliteTable(
  'line_items',
  {
    ...childColumns(),
    name: text('name'),
    name_folded: text('name_folded'),
    campaign_id: text('campaign_id').notNull(),
    funding_instrument_id: text('funding_instrument_id').notNull(),
    advertiser_user_id: text('advertiser_user_id'),
    objective: text('objective').$type<LineItem['objective']>().notNull(),
    product_type: text('product_type').$type<LineItem['product_type']>().notNull(),
    placements: words<LineItem['placements'][number]>('placements').notNull(),
    start_time: text('start_time'),
    end_time: text('end_time'),
    goal: text('goal').$type<LineItem['goal']>().notNull(),
    pay_by: text('pay_by').$type<LineItem['pay_by']>().notNull(),
    bid_strategy: text('bid_strategy').$type<LineItem['bid_strategy']>().notNull(),
    bid_amount_local_micro: long('bid_amount_local_micro'),
    target_cpa_local_micro: long('target_cpa_local_micro'),
    primary_web_event_tag: text('primary_web_event_tag'),
    daily_budget_amount_local_micro: long('daily_budget_amount_local_micro'),
    total_budget_amount_local_micro: long('total_budget_amount_local_micro'),
    standard_delivery: flag('standard_delivery'),
    duration_in_days: int('duration_in_days'),
    frequency_cap: int('frequency_cap'),
    entity_status: text('entity_status').$type<LineItem['entity_status']>().notNull(),
    automatic_post_promotion: flag('automatic_post_promotion'),
    advertiser_domain: text('advertiser_domain'),
    categories: words<string>('categories').notNull(),
    android_app_store_identifier: text('android_app_store_identifier'),
    ios_app_store_identifier: text('ios_app_store_identifier'),
    audience_expansion: text('audience_expansion').$type<NonNullable<LineItem['audience_expansion']>>(),
    currency: text('currency').notNull(),
    creative_source: text('creative_source').$type<LineItem['creative_source']>().notNull(),
    ...spentColumns(),
  },
  (table) => [
    accountKey(table),
    ...listIndexes('line_items', table, {
      sortable: ['created_at', 'updated_at', 'bid_amount_local_micro'],
      groups: [table.campaign_id, table.funding_instrument_id],
      drafts: true,
    }),
    // Covers the count of active line items.
    index('line_items_by_activity').on(
      table.account_id,
      table.deleted,
      table.parent_deleted,
      table.entity_status,
      table.end_time,
    ),
    // The flights that begin and end next.
    index('line_items_by_start')
      .on(table.start_time, table.account_id, table.id)
      .where(sql`${isNotNull(table.start_time)} and ${table.deleted} = 0 and ${table.parent_deleted} = 0`),
    index('line_items_by_end')
      .on(table.end_time, table.account_id, table.id)
      .where(sql`${isNotNull(table.end_time)} and ${table.deleted} = 0 and ${table.parent_deleted} = 0`),
  ],
);
