import { expect, test } from 'vitest';
import { nearestRoute } from './nearest-route.ts';

const find = nearestRoute([
  { path: '/12/accounts', methods: ['GET'], listener: 'ads' },
  { path: '/12/accounts', methods: ['GET', 'POST'], listener: 'sandbox' },
  { path: '/12/accounts/:account_id/campaigns', methods: ['GET', 'POST'], listener: 'ads' },
  { path: '/12/accounts/:account_id/features', methods: ['GET'], listener: 'ads' },
  { path: '/5/accounts/:account_id/tailored', methods: ['GET'], listener: 'ads' },
  { path: '/2/posts', methods: ['GET'], listener: 'api' },
  { path: '/2/notes', shown: '/2/memos', versions: ['1', '3'], methods: ['GET'], listener: 'api' },
  { path: '/2/memos', versions: ['1', '3'], methods: ['GET'], listener: 'api' },
]);

test.each([
  ['/12/accounts/', { path: '/12/accounts', slips: ['slash'] }],
  ['//12/accounts', { path: '/12/accounts', slips: ['slash'] }],
  ['/11/accounts', { path: '/12/accounts', slips: ['version'] }],
  ['/accounts', { path: '/12/accounts', slips: ['version'] }],
  ['/v12.0/accounts', { path: '/12/accounts', slips: ['version'] }],
  [
    '/12/Accounts/AbC/Campaigns',
    { path: '/12/accounts/AbC/campaigns', slips: ['letter case', 'letter case'].slice(1) },
  ],
  ['/12/accounts/abc/campaings', { path: '/12/accounts/abc/campaigns', slips: ['spelling'] }],
  ['/12/accounts/abc/campaigns.json', { path: '/12/accounts/abc/campaigns', slips: ['ending'] }],
  ['/12/accounts/abc/tailored/', { path: '/5/accounts/abc/tailored', slips: ['version', 'slash'] }],
  ['/2/posts', { path: '/2/posts', listener: 'api', slips: [] }],
  // A path that has two names is named by one of them, under the version that was sent where it is served there.
  ['/3/note', { path: '/3/memos', slips: ['spelling'] }],
  ['/4/notes', { path: '/2/memos', slips: ['version'] }],
])('%s', (path, expected) => {
  expect(find('ads', 'GET', path)).toMatchObject(expected);
});

test('a long path is not compared', () => {
  const path = (letters: number) => `/12/accounts/${'a'.repeat(letters)}/campaigns/`;
  expect(find('ads', 'GET', path(300 - path(0).length))).toMatchObject({ slips: ['slash'] });
  expect(find('ads', 'GET', path(301 - path(0).length))).toBeUndefined();
});

test('a path may be looked for that exists', () => {
  expect(find('ads', 'GET', '/12/accounts')).toMatchObject({ listener: 'sandbox' });
  expect(find('ads', 'GET', '/12/accounts', true)).toMatchObject({ listener: 'ads', slips: [] });
});

test('a route that has the method is nearer', () => {
  expect(find('ads', 'POST', '/12/accounts/')).toMatchObject({ listener: 'ads', slips: ['slash', 'method'] });
  expect(find('api', 'POST', '/12/accounts')).toMatchObject({ listener: 'sandbox', slips: [] });
});

test.each([
  '/',
  '/nothing',
  '/12/nothing/abc',
  `/12/accounts/${'a'.repeat(400)}/campaigns`,
  '/a'.repeat(50),
  '/12/accounts/abc//',
  '/1.1/account/abc/campaigns.json',
])('nothing is near %s', (path) => {
  expect(find('ads', 'GET', path)).toBeUndefined();
});
