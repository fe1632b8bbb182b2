import type { FundingInstrument } from '@broadside/core';
import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { flag, long } from '../../db/columns.ts';

export const fundingInstruments = sqliteTable(
  'funding_instruments',
  {
    account_id: text('account_id').notNull(),
    id: text('id').notNull(),
    seq: long('seq').notNull(),
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
    created_at: text('created_at').notNull(),
    updated_at: text('updated_at').notNull(),
    deleted: flag('deleted').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.account_id, table.id] }),
    index('funding_instruments_by_creation').on(table.account_id, table.created_at, table.seq),
  ],
);
