/** Specification A, authentication 5 and 6: who has a part in an account. */
import type { OperationRows } from '../support/operation-row.ts';
import type { Requirements } from '../support/requirement.ts';

export const requirements: Requirements = {
  'C-ACCESS-GRANT': {
    clause: 'A Authentication 5 and 6; 5 access',
    text: 'an ACCOUNT_ADMIN gives another user a part in the account, which takes effect at once',
    on: 'every adapter',
  },
  'C-ACCESS-REVOKE': {
    clause: 'A Authentication 5 and 6; 5 access',
    text: 'an ACCOUNT_ADMIN takes the access of a user away, which takes effect at once',
    on: 'every adapter',
  },
  'C-ACCESS-LAST-ADMIN': {
    clause: '5 access',
    text: 'an account keeps at least one ACCOUNT_ADMIN, whoever asks at the same time',
    on: 'every adapter',
  },
  'C-ACCESS-COMPOSER': {
    clause: 'A Authentication 6',
    text: 'POST_COMPOSER is given beside a permission that it adds to only',
    on: 'every adapter',
  },
};

export const operations: OperationRows = {
  'user_access.list': { route: 'GET /12/accounts/:account_id/user_access', capability: 'access.manage' },
  'user_access.grant': {
    route: 'PUT /12/accounts/:account_id/user_access/:user_id',
    required: 'permissions',
    capability: 'access.manage',
  },
  'user_access.revoke': { route: 'DELETE /12/accounts/:account_id/user_access/:user_id', capability: 'access.manage' },
};
