/** Specification C, authenticated user access; specification A, authentication 5 and 6. */
import type { Requirement } from './requirement.ts';

export const userAccess = {
  'C-ACCESS-OWN': {
    clause: 'C authenticated user access',
    text: 'a caller learns which permissions it has on the account',
    on: 'every adapter',
  },
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
} as const satisfies Record<string, Requirement>;
