import type { FundingInstrument, FundingState } from '@broadside/core/resources/funding-instruments';
import { isNotNull, sql } from 'drizzle-orm';
import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { accountKey, long, systemColumns } from '../../db/columns.ts';
import { listIndexes } from '../../db/list-indexes.ts';

export const fundingInstruments = sqliteTable(
  'funding_instruments',
  {
    ...systemColumns(),
    type: text('type').$type<FundingInstrument['type']>().notNull(),
    description: text('description'),
    currency: text('currency').notNull(),
    start_time: text('start_time').notNull(),
    end_time: text('end_time'),
    credit_limit_local_micro: long('credit_limit_local_micro'),
    credit_remaining_local_micro: long('credit_remaining_local_micro'),
    funded_amount_local_micro: long('funded_amount_local_micro'),
    io_header: text('io_header'),
    entity_status: text('entity_status').$type<FundingInstrument['entity_status']>().notNull(),
    /** What campaigns spent of it. */
    spent_local_micro: long('spent_local_micro'),
    /** What the platform's review of it came to. */
    approval_status: text('approval_status').$type<FundingState['approval_status']>().notNull().default('ACCEPTED'),
  },
  (table) => [
    accountKey(table),
    ...listIndexes('funding_instruments', table, {
      sortable: ['created_at', 'updated_at', 'funded_amount_local_micro', 'start_time', 'end_time'],
    }),
    // Those that begin and end next.
    index('funding_instruments_by_start')
      .on(table.start_time, table.account_id, table.id)
      .where(sql`${table.deleted} = 0`),
    index('funding_instruments_by_end')
      .on(table.end_time, table.account_id, table.id)
      .where(sql`${isNotNull(table.end_time)} and ${table.deleted} = 0`),
  ],
);
