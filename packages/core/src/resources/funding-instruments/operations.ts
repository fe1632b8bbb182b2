import * as z from 'zod';
import { defineOperation } from '../../operation/define.ts';
import { account_id, ids, listExclusive, listParams, with_deleted } from '../../operation/list.ts';
import { currency, id, micro, oneOf, time } from '../../wire/types.ts';
import { FundingInstrument, fundingInstrumentSortable, fundingInstrumentTypes } from './entity.ts';

export { errors } from './errors.ts';

const funding_instrument_id = id().describe('The funding instrument.');

const example = {
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
  created_at: '2026-01-15T08:00:00Z',
  updated_at: '2026-01-15T08:00:00Z',
  deleted: false,
} as const;

/** What a funding instrument is made of; the operator creates them in production with the same parameters. */
export const fundingInstrumentFields = {
  type: oneOf(fundingInstrumentTypes).describe('How campaigns are paid for.'),
  currency: currency().describe('ISO 4217 code, such as USD.'),
  start_time: time().describe('From when on it funds campaigns.'),
  end_time: time().optional().describe('Until when; required for INSERTION_ORDER.'),
  credit_limit_local_micro: micro()
    .optional()
    .describe('The credit, in micros. CREDIT_CARD, CREDIT_LINE and AGENCY_CREDIT_LINE only.'),
  funded_amount_local_micro: micro().optional().describe('The budget, in micros. INSERTION_ORDER only.'),
};

const listFundingInstruments = defineOperation({
  id: 'funding_instruments.list',
  summary: 'List the funding instruments of an account',
  http: { method: 'GET', path: '/12/accounts/:account_id/funding_instruments' },
  access: { auth: 'user', capability: 'campaigns.read' },
  rateLimit: 'ads.core_read',
  envelope: 'list',
  params: z.object({
    funding_instrument_ids: ids('funding instruments'),
    ...listParams(fundingInstrumentSortable),
  }),
  exclusive: listExclusive,
  data: FundingInstrument,
  errors: ['ACCOUNT_DELETED'],
  example: { params: { account_id: '18ce54d4x5t' }, data: example },
});

const getFundingInstrument = defineOperation({
  id: 'funding_instruments.get',
  summary: 'Get one funding instrument',
  http: { method: 'GET', path: '/12/accounts/:account_id/funding_instruments/:funding_instrument_id' },
  access: { auth: 'user', capability: 'campaigns.read' },
  rateLimit: 'ads.core_read',
  envelope: 'entity',
  params: z.object({ account_id, funding_instrument_id, with_deleted }),
  data: FundingInstrument,
  errors: ['ACCOUNT_DELETED', 'FUNDING_INSTRUMENT_NOT_FOUND'],
  example: { params: { account_id: '18ce54d4x5t', funding_instrument_id: 'lygyi' }, data: example },
});

const createFundingInstrument = defineOperation({
  id: 'funding_instruments.create',
  summary: 'Create a funding instrument in the sandbox',
  sandboxOnly: true,
  http: { method: 'POST', path: '/12/accounts/:account_id/funding_instruments' },
  access: { auth: 'user', capability: 'account.write' },
  rateLimit: 'ads.write',
  envelope: 'entity',
  params: z.object({ account_id, ...fundingInstrumentFields }),
  data: FundingInstrument,
  errors: ['ACCOUNT_DELETED', 'INVALID_PARAMETER', 'INVALID_TIME_WINDOW', 'MISSING_PARAMETER'],
  example: {
    params: {
      account_id: '18ce54d4x5t',
      type: 'CREDIT_CARD',
      currency: 'USD',
      start_time: '2026-01-15T08:00:00Z',
      credit_limit_local_micro: 5_000_000_000,
    },
    data: example,
  },
});

const deleteFundingInstrument = defineOperation({
  id: 'funding_instruments.delete',
  summary: 'Delete a funding instrument in the sandbox',
  description: 'Its campaigns remain and cannot serve any more. This cannot be undone.',
  sandboxOnly: true,
  http: { method: 'DELETE', path: '/12/accounts/:account_id/funding_instruments/:funding_instrument_id' },
  access: { auth: 'user', capability: 'account.write' },
  rateLimit: 'ads.write',
  envelope: 'entity',
  params: z.object({ account_id, funding_instrument_id }),
  data: FundingInstrument,
  errors: ['ACCOUNT_DELETED', 'FUNDING_INSTRUMENT_NOT_FOUND'],
  example: {
    params: { account_id: '18ce54d4x5t', funding_instrument_id: 'lygyi' },
    data: { ...example, able_to_fund: false, reasons_not_able_to_fund: ['DELETED'], deleted: true },
  },
});

export const operations = {
  list: listFundingInstruments,
  get: getFundingInstrument,
  create: createFundingInstrument,
  delete: deleteFundingInstrument,
};

export const position = 30;
