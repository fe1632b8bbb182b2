import { sql } from 'drizzle-orm';
import { always, amongIds, EntityQueries } from '../../db/entity-table.ts';
import { accountScope } from '../../world/account-scope.ts';
import { fundingInstruments } from './table.ts';

/** A funding instrument as it is stored. */
export type FundingInstrumentRow = typeof fundingInstruments.$inferSelect;

export const fundingInstrumentQueries = new EntityQueries(
  fundingInstruments,
  accountScope(fundingInstruments.account_id),
  {
    funding_instrument_ids: amongIds('funding_instrument_ids', fundingInstruments.id),
    not_deleted: always(sql`${fundingInstruments.deleted} = 0`),
  },
);
