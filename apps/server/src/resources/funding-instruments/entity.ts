import { defineEntity, type RowOf } from '../../db/entity.ts';
import { isOneOf } from '../../db/filters.ts';
import { fundingInstruments } from './table.ts';

export const fundingInstrument = defineEntity({
  name: 'FUNDING_INSTRUMENT',
  table: fundingInstruments,
  missing: { error: 'FUNDING_INSTRUMENT_NOT_FOUND', parameter: 'funding_instrument_id' },
  filters: {
    funding_instrument_ids: isOneOf(fundingInstruments.id),
  },
  derived: { spent_local_micro: null, approval_status: 'ACCEPTED' },
});

export type FundingInstrumentRow = RowOf<typeof fundingInstrument>;
