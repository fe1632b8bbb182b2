/** Specification C, account features. */
import type { Requirement } from './requirement.ts';

export const features = {
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
} as const satisfies Record<string, Requirement>;
