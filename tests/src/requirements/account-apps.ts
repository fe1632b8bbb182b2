/** Specification C, account apps. */
import { type OperationRows, PAGE } from '../support/operation-row.ts';
import { operator, type Requirements } from '../support/requirement.ts';

export const requirements: Requirements = {
  'C-APPS-LIST': { clause: 'C Account apps', text: 'the apps of the account are listed', on: 'every adapter' },
  'C-APPS-OPERATOR': {
    clause: 'C Account app',
    text: 'the operator adds, changes and removes apps of an account',
    on: operator,
  },
};

export const operations: OperationRows = {
  'account_apps.list': {
    route: 'GET /12/accounts/:account_id/account_apps',
    optional: `${PAGE}`,
    sortable: 'created_at updated_at',
    capability: 'campaigns.read',
  },
};
