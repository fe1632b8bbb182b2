/** Which rules of faults make sense: those that can fire, and whose effect each operation that they concern can have. */
import { describe, expect, test } from 'vitest';
import { allAuthOperations, allDataOperations, allOperations, allUploadOperations } from '../../../index.ts';
import type { FaultRule } from './params.ts';
import { checkFault } from './rules.ts';

const operations = [...allOperations, ...allAuthOperations, ...allDataOperations, ...allUploadOperations];
const [account, user] = ['18ce54d4x5t', '756201191646691328'];

function messages(match: NonNullable<FaultRule['match']>, effect: FaultRule['effect'] = { status: 503 }) {
  return checkFault({ match, effect }, operations).map(({ parameter, message }) => `${parameter}: ${message}`);
}

describe('a rule on an account', () => {
  test.each<[NonNullable<FaultRule['match']>, FaultRule['effect']]>([
    [{ account, kind: 'write' }, { error: 'ACCOUNT_LOCKED_OUT' }],
    [{ account }, { error: 'ACCOUNT_NOT_FOUND' }],
    [{ account, path: `/12/accounts/${account}/*` }, { error: 'ACCOUNT_DELETED' }],
    [{ account, path: '/12/accounts/:account_id' }, { status: 500 }],
  ])('concerns what is called on one only: %j can have %j', (match, effect) => {
    expect(messages(match, effect)).toEqual([]);
  });

  test.each<[NonNullable<FaultRule['match']>, message: string]>([
    [{ operation: ['accounts.list'], account }, 'match: accounts.list is not called on an account'],
    [{ operation: ['oauth2.token'], account }, 'match: oauth2.token is not called on an account'],
    [{ path: '/12/accounts/other/campaigns', account }, 'match: "/12/accounts/other/campaigns" for match.path is not'],
  ])('is rejected where it can never fire: %j', (match, message) => {
    expect(messages(match)).toEqual([expect.stringContaining(message)]);
  });
});

test('a rule on a user is rejected where only apps call', () => {
  expect(messages({ operation: ['oauth2.token'], user })).toEqual([
    'match: oauth2.token is called by an app and not on behalf of a user, so match.user matches no call',
  ]);
  expect(messages({ operation: ['oauth.invalidate_token'], user })).toEqual([]);
  expect(messages({ user })).toEqual([]);
});

test.each<[NonNullable<FaultRule['match']>, message: string]>([
  [{ first: 2, every: 3 }, 'match: None of the first 2 calls can match match.every=3'],
  [{ first: 2, after: 2 }, 'match: None of the first 2 calls can match match.after=2'],
  [{ first: 5, after: 3, every: 3 }, 'match: None of the first 5 calls can match match.every=3 and match.after=3'],
  [{ probability: 0 }, 'match: Expected a number above 0, got 0 for match.probability'],
])('a rule whose turn never comes is rejected: %j', (match, message) => {
  expect(messages(match)).toEqual([expect.stringContaining(message)]);
  expect(messages(match, { scheduled_post: { fail: true } })).toEqual([expect.stringContaining(message)]);
});

test.each<NonNullable<FaultRule['match']>>([
  { first: 3, every: 3 },
  { first: 3, after: 2 },
  { first: 6, after: 3, every: 3 },
  { every: 7, after: 100 },
])('a rule whose turn comes once is right: %j', (match) => {
  expect(messages(match)).toEqual([]);
});

test('a rule on what the sandbox alone has is rejected for the other environment', () => {
  expect(messages({ operation: ['features.add'], environment: 'sandbox' })).toEqual([]);
  expect(messages({ operation: ['features.add'], environment: 'production' })).toEqual([
    expect.stringContaining('match: No operation matches'),
  ]);
});

test('a damage of bodies is rejected where no answer has one', () => {
  expect(messages({ operation: ['media_v1.append'] }, { drop: 'mid_body' })).toEqual([
    'effect: The answer of media_v1.append has no body, so "mid_body" for effect.drop cannot take effect',
  ]);
  expect(messages({ operation: ['media_v1.append'] }, { body: 'cut' })).toHaveLength(1);
  expect(messages({ operation: ['media_v1.append'] }, { body: 'cut', status: 500 })).toEqual([]);
  expect(messages({ operation: ['media_v1.append'] }, { drop: 'after_commit' })).toEqual([]);
  expect(messages({ operation: ['media_v1.*'] }, { body: 'cut' })).toEqual([]);
});
