import { exampleSystemMembers } from '../../operation/entity.ts';
import { createOf, defineFamily, deleteOf, getOf, listOf } from '../../operation/family.ts';
import { account_id, ids } from '../../operation/list.ts';
import { object } from '../../wire/object.ts';
import { currency, id, micro, oneOf, time } from '../../wire/types.ts';
import { FundingInstrument, fundingInstrumentSortable, fundingInstrumentTypes } from './entity.ts';

export { errors } from './errors.ts';

const fundingInstrument = defineFamily({
  data: FundingInstrument,
  key: { funding_instrument_id: id().describe('The funding instrument.') },
  missing: 'FUNDING_INSTRUMENT_NOT_FOUND',
  read: 'campaigns.read',
  write: 'account.write',
  sortable: fundingInstrumentSortable,
  example: {
    id: 'lygyi',
    account_id: '18ce54d4x5t',
    type: 'CREDIT_CARD',
    description: '(no payment method has been set up yet)',
    currency: 'USD',
    start_time: '2026-01-15T08:00:00Z',
    end_time: null,
    credit_limit_local_micro: 5_000_000_000,
    credit_remaining_local_micro: null,
    funded_amount_local_micro: null,
    io_header: null,
    entity_status: 'ACTIVE',
    able_to_fund: true,
    reasons_not_able_to_fund: [],
    ...exampleSystemMembers,
  },
});

/** Parameters for creating a funding instrument; the operator uses the same ones to create them in production. */
export const fundingInstrumentFields = object(() => ({
  type: oneOf(fundingInstrumentTypes).describe('How campaigns are paid for.'),
  currency: currency().describe('ISO 4217 code, such as USD.'),
  start_time: time().describe('From when on it funds campaigns.'),
  end_time: time().optional().describe('Until when; required for INSERTION_ORDER.'),
  credit_limit_local_micro: micro()
    .optional()
    .describe('The credit, in micros. CREDIT_CARD, CREDIT_LINE and AGENCY_CREDIT_LINE only.'),
  funded_amount_local_micro: micro().optional().describe('The budget, in micros. INSERTION_ORDER only.'),
}));

export const operations = {
  list: listOf(fundingInstrument, 'funding_instruments.list', '/12/accounts/:account_id/funding_instruments', {
    summary: 'List the funding instruments of an account',
    filters: () => ({ funding_instrument_ids: ids('funding instruments') }),
  }),
  get: getOf(
    fundingInstrument,
    'funding_instruments.get',
    '/12/accounts/:account_id/funding_instruments/:funding_instrument_id',
    {
      summary: 'Get one funding instrument',
    },
  ),
  create: createOf(fundingInstrument, 'funding_instruments.create', '/12/accounts/:account_id/funding_instruments', {
    summary: 'Create a funding instrument in the sandbox',
    sandboxOnly: true,
    params: object(() => ({ account_id, ...fundingInstrumentFields.shape })),
    errors: ['INVALID_PARAMETER', 'INVALID_TIME_WINDOW', 'MISSING_PARAMETER'],
    example: {
      type: 'CREDIT_CARD',
      currency: 'USD',
      start_time: '2026-01-15T08:00:00Z',
      credit_limit_local_micro: 5_000_000_000,
    },
  }),
  delete: deleteOf(
    fundingInstrument,
    'funding_instruments.delete',
    '/12/accounts/:account_id/funding_instruments/:funding_instrument_id',
    {
      summary: 'Delete a funding instrument in the sandbox',
      description: 'Its campaigns remain and cannot serve any more. This cannot be undone.',
      sandboxOnly: true,
      deleted: { able_to_fund: false, reasons_not_able_to_fund: ['DELETED'] },
    },
  ),
};

export const position = 30;
