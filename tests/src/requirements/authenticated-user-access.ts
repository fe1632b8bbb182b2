/** Specification C, authenticated user access. */
import type { OperationRows } from '../support/operation-row.ts';
import type { Requirements } from '../support/requirement.ts';

export const requirements: Requirements = {
  'C-ACCESS-OWN': {
    clause: 'C authenticated user access',
    text: 'a caller learns which permissions it has on the account',
    on: 'every adapter',
  },
};

export const operations: OperationRows = {
  'authenticated_user_access.get': {
    route: 'GET /12/accounts/:account_id/authenticated_user_access',
    capability: 'account.read',
  },
};
