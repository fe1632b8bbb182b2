/** Every operation rejects an unauthenticated request, and a rejected request has changed nothing. */
import { allOperations, isRead } from '@broadside/core';
import type { SignOverrides, TestUser, TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type CallRequest,
  requestFor,
  unknownParameterFound,
  validParams,
  withUnknownParameter,
} from '../support/call.ts';
import { about } from '../support/scenario.ts';
import { type AccountFixture, createAccountFixture, lastChange, openWorld, sharedFixtures } from '../support/world.ts';

let world: TestWorld;
let fixture: AccountFixture;
let other: TestUser;
let revoked: TestUser;
let reader: TestUser;

beforeAll(async () => {
  // In development mode the doctor looks for the mistake in each wrong signature, and says which it is.
  world = await openWorld({ mode: 'production' });
  fixture = await createAccountFixture(world);
  other = await world.createUser('other');
  revoked = await world.issueToken(world.user, 'write');
  reader = await world.issueToken(world.user, 'read');
  await world.revokeToken(revoked);
});
afterAll(() => world.close());

const unauthorized = { status: 401, body: { errors: [{ code: 'UNAUTHORIZED_ACCESS' }] } };
/** Only a caller with the secrets learns that a token was revoked (specification A, Errors). */
const invalid = { status: 401, body: { errors: [{ code: 89 }] } };
const another = (signature: string) => `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;

interface WrongCredentials {
  readonly title: string;
  /** Response, if it is not the one of every unauthenticated request. */
  readonly answer?: object;
  readonly request: () => {
    readonly as?: TestUser | null;
    readonly sign?: SignOverrides;
    readonly headers?: Record<string, string>;
  };
}

/** What each operation is tried with. */
const always: readonly WrongCredentials[] = [
  { title: 'no credentials', request: () => ({ as: null }) },
  { title: 'a wrong signature', request: () => ({ sign: { signature: another } }) },
  { title: 'the app alone, without a token', request: () => ({ sign: { token: null } }) },
  { title: 'a revoked token', answer: invalid, request: () => ({ as: revoked }) },
  {
    title: 'the bearer token of an app',
    request: () => ({ as: null, headers: { authorization: `Bearer ${world.credentials.bearer_token}` } }),
  },
];

/** Of these each operation is tried with a third, in turn; with all where BROADSIDE_TEST_LONG is set. */
const others: readonly WrongCredentials[] = [
  { title: 'a signature that is no base64', request: () => ({ sign: { signature: () => '*' } }) },
  { title: 'a signature cut short', request: () => ({ sign: { signature: (right) => right.slice(0, -5) } }) },
  { title: 'a wrong consumer secret', request: () => ({ sign: { consumerSecret: 'wrong' } }) },
  { title: 'a wrong token secret', request: () => ({ sign: { tokenSecret: 'wrong' } }) },
  { title: 'an unknown consumer key', request: () => ({ sign: { consumerKey: 'unknown' } }) },
  { title: 'an unknown token', request: () => ({ sign: { token: 'unknown' } }) },
  {
    title: 'the token of another app, with its right secret',
    request: () => ({ sign: { token: other.access_token, tokenSecret: other.access_token_secret } }),
  },
  { title: 'a timestamp 301 seconds old', request: () => ({ sign: { timestamp: seconds() - 301 } }) },
  { title: 'a timestamp 301 seconds ahead', request: () => ({ sign: { timestamp: seconds() + 301 } }) },
  {
    title: 'basic authentication',
    request: () => ({ as: null, headers: { authorization: 'Basic dXNlcjpwYXNzd29yZA==' } }),
  },
];

function seconds(): number {
  return Math.floor(world.wallClock.now() / 1000);
}

const THIRDS = process.env['BROADSIDE_TEST_LONG'] === undefined ? 3 : 1;

/** The wrong credentials that the operation in this place of the list is tried with. */
const wrongFor = (operation: number) =>
  [...always, ...others.filter((_, index) => index % THIRDS === operation % THIRDS)].map(
    (wrong) => [wrong.title, wrong] as const,
  );

const shared = sharedFixtures(() => world);

describe.for(allOperations.map((operation, index) => [operation.id, operation, index] as const))(
  `%s: ${about('A-AUTH')}`,
  ([, operation, index]) => {
    const valid = (): CallRequest => requestFor(operation, validParams(operation, fixture));
    test.for(wrongFor(index))('rejects %s', async ([, wrong]) => {
      const before = await lastChange(world);
      expect(await world.request({ ...valid(), ...wrong.request() })).toMatchObject(wrong.answer ?? unauthorized);
      expect(await lastChange(world)).toBe(before);
    });

    test('rejects a signature made for another method, path, query or host', async () => {
      const request = valid();
      const signed = await world.sign(request);
      const url = new URL(signed.url);
      for (const changed of [
        { ...request, method: operation.http.method === 'PUT' ? 'GET' : 'PUT' },
        { ...request, path: `${request.path}x` },
        { ...request, query: [['count', '7']] as const },
      ]) {
        const { headers } = await world.sign(changed);
        expect(await world.send('sandbox', { ...signed, headers: { ...signed.headers, ...headers } })).toMatchObject(
          unauthorized,
        );
      }
      const elsewhere = { ...signed.headers, host: 'elsewhere.test' };
      expect(
        await world.send('sandbox', { ...signed, headers: elsewhere, url: url.pathname + url.search }),
      ).toMatchObject(unauthorized);
    });

    test('rejects a request that it has accepted before', async () => {
      const own = isRead(operation) ? await shared(operation) : await createAccountFixture(world, 'sandbox', operation);
      const signed = await world.sign(requestFor(operation, validParams(operation, own)));
      expect(await world.send('sandbox', signed)).toMatchObject({ status: 200 });
      const before = await lastChange(world);
      expect(await world.send('sandbox', signed)).toMatchObject({
        status: 401,
        body: { errors: [{ code: 'UNAUTHORIZED_ACCESS', parameter: 'oauth_nonce' }] },
      });
      expect(await lastChange(world)).toBe(before);
    });

    test(isRead(operation) ? 'takes a token for reading only' : 'rejects a token for reading only', async () => {
      const request = requestFor(operation, validParams(operation, await shared(operation)));
      const before = await lastChange(world);
      const answer = await world.request({ ...request, as: reader });
      if (isRead(operation)) expect(answer.status).toBe(200);
      else expect(answer).toMatchObject({ status: 403, body: { errors: [{ code: 'READONLY_CLIENT_APPLICATION' }] } });
      expect(await lastChange(world)).toBe(before);
    });

    // The header is shown above, by a request that succeeds.
    test('takes the OAuth parameters in the query and a form, and HMAC-SHA256', async () => {
      for (const sign of [{ in: 'query' }, { signatureMethod: 'HMAC-SHA256' }] as const) {
        expect(await world.request({ ...withUnknownParameter(valid()), sign }), JSON.stringify(sign)).toMatchObject(
          unknownParameterFound,
        );
      }
      if (isRead(operation) || operation.batch || operation.body === 'json') return;
      const request = withUnknownParameter(requestFor(operation, validParams(operation, fixture), 'form'));
      expect(await world.request({ ...request, sign: { in: 'form' } })).toMatchObject(unknownParameterFound);
    });
  },
);

test('a rejection does not distinguish an unknown key, a wrong secret and a foreign token', async () => {
  const path = `/12/accounts/${world.credentials.account_id}`;
  const texts = await Promise.all(
    [
      { consumerKey: 'unknown' },
      { consumerSecret: 'wrong' },
      { token: 'unknown' },
      { tokenSecret: 'wrong' },
      { token: other.access_token, tokenSecret: other.access_token_secret },
      { signature: another },
    ].map(async (sign) => (await world.request({ path, sign })).text),
  );
  expect(new Set(texts).size).toBe(1);
});

test('a nonce of one token can be used with another', async () => {
  const path = '/12/accounts';
  const sign = { nonce: 'shared' };
  expect((await world.request({ path, sign })).status).toBe(200);
  expect((await world.request({ path, sign, as: other })).status).toBe(200);
  expect((await world.request({ path, sign })).status).toBe(401);
});

test('a nonce is not used up by a request whose signature is wrong', async () => {
  const path = '/12/accounts';
  const nonce = 'kept';
  expect((await world.request({ path, sign: { nonce, signature: another } })).status).toBe(401);
  expect((await world.request({ path, sign: { nonce } })).status).toBe(200);
});

test('a replayed request is rejected after a restart too', async () => {
  const signed = await world.sign({ path: '/12/accounts' });
  expect((await world.send('sandbox', signed)).status).toBe(200);
  await world.reopen();
  expect((await world.send('sandbox', signed)).status).toBe(401);
});
