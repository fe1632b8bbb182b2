/** Specification C, promotable users. */
import { type OperationRows, PAGE } from '../support/operation-row.ts';
import { operator, type Requirements } from '../support/requirement.ts';

export const requirements: Requirements = {
  'C-PROMOTABLE-FULL': {
    clause: 'C Promotable users; R campaign-management 16',
    text: 'an account has exactly one FULL promotable user from its creation on',
    on: 'every adapter',
  },
  'C-PROMOTABLE-LIST': {
    clause: 'C Promotable users, GET',
    text: 'promotable users are read by list, filter and id',
    on: 'every adapter',
  },
  'C-PROMOTABLE-OPERATOR': {
    clause: 'C Promotable users',
    text: 'a user is added as REPOSTS_ONLY and removed by the operator; the FULL one stays',
    on: operator,
  },
};

export const operations: OperationRows = {
  'promotable_users.list': {
    route: 'GET /12/accounts/:account_id/promotable_users',
    optional: `promotable_user_ids ${PAGE}`,
    sortable: 'created_at updated_at',
    capability: 'campaigns.read',
  },
  'promotable_users.get': {
    route: 'GET /12/accounts/:account_id/promotable_users/:promotable_user_id',
    optional: 'with_deleted',
    capability: 'campaigns.read',
  },
};
