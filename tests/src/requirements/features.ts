/** Specification C, account features. */
import type { Requirement } from './requirement.ts';

export const features = {
  'C-FEATURES-INITIAL': {
    clause: 'R campaign-management 6',
    text: 'a sandbox account begins with the initial features',
    on: 'every face',
  },
  'C-FEATURES-ADD': {
    clause: 'C Account features; C States',
    text: 'adding features answers with all, in alphabetical order, twice the same',
    on: 'every face',
  },
  'C-FEATURES-REMOVE': {
    clause: 'C Account features; C States',
    text: 'removing features answers with those that remain, twice the same',
    on: 'every face',
  },
  'C-FEATURES-EVERY': {
    clause: 'C Account features',
    text: 'each feature of the specification can be added and removed',
    on: 'every face',
  },
  'C-FEATURES-FILTER': {
    clause: 'C Account features',
    text: 'feature_keys keeps the keys that the account has',
    on: 'every face',
  },
  'C-FEATURES-UNKNOWN': {
    clause: 'C Account features',
    text: 'an unknown key, or one that the sandbox cannot give, is refused',
    on: 'every face',
  },
  'C-FEATURES-REQUIRED': {
    clause: 'C Account features, POST and DELETE',
    text: 'feature_keys is required where features are added or removed',
    on: 'every face',
  },
} as const satisfies Record<string, Requirement>;
