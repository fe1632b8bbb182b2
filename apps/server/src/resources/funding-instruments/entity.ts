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
});

export type FundingInstrumentRow = RowOf<typeof fundingInstrument>;
