/**
 * Any combination of fields and expansions brings what it names and nothing else. What is right is worked out here from the
 * rows that were stored, without the code of the server. And no parameters of any form cause a 5xx.
 */
import { dataContract } from '@broadside/core';
import { MediaObject } from '@broadside/core/resources/media';
import { Post, postExpansionNames } from '@broadside/core/resources/posts';
import { UserObject } from '@broadside/core/resources/users';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { get, type Reader } from '../../support/reading.ts';
import { type Body, expected, found, type Query } from './expected.ts';
import { openStore, POSTS, personAt, type Store } from './store.ts';

const UNKNOWN = ['1', '77', '9223372036854775807', '9999999999999999999'];

let store: Store;

beforeAll(async () => {
  store = await openStore();
});
afterAll(async () => {
  expect(store.world.failures).toEqual([]);
  await store.world.close();
});

const some = (names: readonly string[]) => fc.subarray([...names]);
const { shape } = dataContract.posts.lookup.params;
const queries: fc.Arbitrary<Query> = fc.record({
  ids: fc.array(
    fc.oneof(
      fc.nat(POSTS - 1).map((index) => `${1000 + index}`),
      fc.constantFrom(...UNKNOWN),
    ),
    {
      minLength: 1,
      maxLength: 30,
    },
  ),
  'post.fields': some(Object.keys(Post.shape)),
  'user.fields': some(Object.keys(UserObject.shape)),
  'media.fields': some(Object.keys(MediaObject.shape)),
  'poll.fields': some(['id', 'options', 'voting_status', 'duration_minutes', 'end_datetime']),
  'place.fields': some(['id', 'full_name', 'country', 'geo']),
  expansions: some(postExpansionNames),
});

test('any combination of fields and expansions, of ids in any order, returns exactly what it names', async () => {
  await fc.assert(
    fc.asyncProperty(queries, fc.nat(4), async (query, who) => {
      const reader: Reader = who === 4 ? 'app' : personAt(store.people, who);
      const sent = Object.fromEntries(Object.entries(query).filter(([, list]) => list.length > 0));
      const { status, text } = await get(store.world, sent, reader);
      expect(status, text).toBe(200);
      const body: Body = JSON.parse(text);
      expect(found(body)).toEqual(expected(store, query, reader === 'app' ? undefined : reader.user_id));
      expect(Object.values(body).some((member) => Array.isArray(member) && member.length === 0)).toBe(false);
    }),
    { numRuns: 600, seed: 20_261_121 },
  );
});

const strange = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '',
    ',',
    ',,',
    '__proto__',
    'constructor',
    '1,__proto__',
    "1' OR 1=1 --",
    '\0',
    '%',
    '[]',
    '-1',
    '1e3',
  ),
  fc.array(fc.constantFrom(...postExpansionNames, ...Object.keys(Post.shape), 'x'), { maxLength: 50 }).map(String),
  fc.array(fc.bigInt(0n, 2n ** 70n).map(String), { maxLength: 120 }).map(String),
);
const names = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...Object.keys(shape)) },
  { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString', 'ids[]', 'oauth_token') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
);

test('any parameters are accepted or rejected with a problem', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(names, strange), { maxLength: 6 }), fc.boolean(), async (pairs, signed) => {
      const proof = signed
        ? { as: personAt(store.people, 0) }
        : { as: null, headers: { authorization: `Bearer ${store.world.credentials.bearer_token}` } };
      const { status, body } = await store.world.request({ listener: 'api', path: '/2/posts', query: pairs, ...proof });
      expect([200, 400, 401]).toContain(status);
      if (status === 400) expect(body).toMatchObject({ title: 'Invalid Request', errors: expect.any(Array) });
    }),
    { numRuns: 600, seed: 20_261_121 },
  );
});
