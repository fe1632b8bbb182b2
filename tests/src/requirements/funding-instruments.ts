/** Specification C, funding instruments, and what they can pay for. */
import { type OperationRows, PAGE } from '../support/operation-row.ts';
import type { Requirements } from '../support/requirement.ts';

export const requirements: Requirements = {
  'C-FUNDING-CREATE': {
    clause: 'C Funding instruments, POST',
    text: 'each type can be created with what applies to it',
    on: 'every adapter',
  },
  'C-FUNDING-REQUIRED': {
    clause: 'C Funding instruments, POST',
    text: 'currency, start and type are required, the end for insertion orders',
    on: 'every adapter',
  },
  'C-FUNDING-AMOUNTS': {
    clause: 'C Funding instruments, POST',
    text: 'credit and funded amount apply to their types only',
    on: 'every adapter',
  },
  'C-FUNDING-WINDOW': { clause: 'R campaign-management 7', text: 'the end lies after the start', on: 'every adapter' },
  'C-FUNDING-DELETE': {
    clause: 'C States',
    text: 'a deleted instrument cannot fund, and its campaigns say so',
    on: 'every adapter',
  },
  'C-FUNDING-EXPIRED': {
    clause: 'R campaign-management 7',
    text: 'an instrument whose end has passed cannot fund',
    on: 'every adapter',
  },
  'C-FUNDING-FILTER': {
    clause: 'C Funding instruments, GET',
    text: 'funding instruments are found by id, deleted ones on demand',
    on: 'every adapter',
  },
  'C-FUNDING-MEANS': {
    clause: 'R campaign-management 7; 5 What must work, budgets',
    text: 'budgets of a campaign are at most what its instrument was funded with, or its credit',
    on: 'every adapter',
  },
  'C-FUNDING-MEANS-LINE': {
    clause: 'R campaign-management 9.4; 5 What must work, budgets',
    text: 'budgets of a line item are at most what the instrument was funded with, or its credit',
    on: 'every adapter',
  },
  'C-FUNDING-MEANS-UNBOUNDED': {
    clause: 'C Funding instruments',
    text: 'an instrument without an amount bounds nothing',
    on: 'every adapter',
  },
  'C-FUNDING-FLIGHT': {
    clause: '5 What must work, effective times',
    text: 'a flight has time in common with the funding instrument',
    on: 'every adapter',
  },
};

export const operations: OperationRows = {
  'funding_instruments.list': {
    route: 'GET /12/accounts/:account_id/funding_instruments',
    optional: `funding_instrument_ids ${PAGE}`,
    sortable: 'created_at updated_at deleted funded_amount_local_micro start_time end_time',
    capability: 'campaigns.read',
  },
  'funding_instruments.get': {
    route: 'GET /12/accounts/:account_id/funding_instruments/:funding_instrument_id',
    optional: 'with_deleted',
    capability: 'campaigns.read',
  },
  'funding_instruments.create': {
    route: 'POST /12/accounts/:account_id/funding_instruments',
    required: 'type currency start_time',
    optional: 'end_time credit_limit_local_micro funded_amount_local_micro',
    capability: 'account.write',
    sandboxOnly: true,
  },
  'funding_instruments.delete': {
    route: 'DELETE /12/accounts/:account_id/funding_instruments/:funding_instrument_id',
    capability: 'account.write',
    sandboxOnly: true,
  },
};
