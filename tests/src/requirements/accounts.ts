/** Specification C, accounts. */
import { type OperationRows, PAGE } from '../support/operation-row.ts';
import type { Requirements } from '../support/requirement.ts';

export const requirements: Requirements = {
  'C-ACCOUNT-CREATE': {
    clause: 'C Accounts, POST; C States',
    text: 'a new sandbox account is ACCEPTED and the caller its administrator',
    on: 'every adapter',
  },
  'C-ACCOUNT-UPDATE': {
    clause: 'C Accounts, PUT',
    text: 'name and industry can be changed, the industry shown on one account only',
    on: 'every adapter',
  },
  'C-ACCOUNT-LIST': {
    clause: 'C Accounts, GET',
    text: 'the list holds the accounts of the caller',
    on: 'every adapter',
  },
  'C-ACCOUNT-DELETE': {
    clause: 'C Accounts, DELETE; C States',
    text: 'a deleted account is found among deleted ones only',
    on: 'every adapter',
  },
  'C-ACCOUNT-DELETED-BELOW': {
    clause: 'C Accounts, DELETE',
    text: 'nothing below a deleted account can be reached',
    on: 'every adapter',
  },
  'C-ACCOUNT-INDUSTRIES': {
    clause: 'C Accounts, PUT industry_type',
    text: 'each industry of the specification can be set, and no other',
    on: 'every adapter',
  },
};

export const operations: OperationRows = {
  'accounts.list': {
    route: 'GET /12/accounts',
    optional: `account_ids q ${PAGE}`,
    sortable: 'created_at updated_at deleted name',
  },
  'accounts.get': { route: 'GET /12/accounts/:account_id', optional: 'with_deleted', capability: 'account.read' },
  'accounts.create': { route: 'POST /12/accounts', sandboxOnly: true },
  'accounts.update': {
    route: 'PUT /12/accounts/:account_id',
    optional: 'name industry_type',
    capability: 'account.write',
  },
  'accounts.delete': { route: 'DELETE /12/accounts/:account_id', capability: 'account.write', sandboxOnly: true },
};
