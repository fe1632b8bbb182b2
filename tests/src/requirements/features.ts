/** Specification C, account features. */
import type { OperationRows } from '../support/operation-row.ts';
import type { Requirements } from '../support/requirement.ts';

export const requirements: Requirements = {
  'C-FEATURES-INITIAL': {
    clause: 'R campaign-management 6',
    text: 'a sandbox account begins with the initial features',
    on: 'every adapter',
  },
  'C-FEATURES-ADD': {
    clause: 'C Account features; C States',
    text: 'adding features answers with all, in alphabetical order, twice the same',
    on: 'every adapter',
  },
  'C-FEATURES-REMOVE': {
    clause: 'C Account features; C States',
    text: 'removing features answers with those that remain, twice the same',
    on: 'every adapter',
  },
  'C-FEATURES-EVERY': {
    clause: 'C Account features',
    text: 'each feature of the specification can be added and removed',
    on: 'every adapter',
  },
  'C-FEATURES-FILTER': {
    clause: 'C Account features',
    text: 'feature_keys keeps the keys that the account has',
    on: 'every adapter',
  },
  'C-FEATURES-UNKNOWN': {
    clause: 'C Account features',
    text: 'an unknown key, or one that the sandbox cannot give, is refused',
    on: 'every adapter',
  },
  'C-FEATURES-REQUIRED': {
    clause: 'C Account features, POST and DELETE',
    text: 'feature_keys is required where features are added or removed',
    on: 'every adapter',
  },
};

export const operations: OperationRows = {
  'features.list': {
    route: 'GET /12/accounts/:account_id/features',
    optional: 'feature_keys',
    capability: 'account.read',
  },
  'features.add': {
    route: 'POST /12/accounts/:account_id/features',
    required: 'feature_keys',
    capability: 'account.write',
    sandboxOnly: true,
  },
  'features.remove': {
    route: 'DELETE /12/accounts/:account_id/features',
    required: 'feature_keys',
    capability: 'account.write',
    sandboxOnly: true,
  },
};
