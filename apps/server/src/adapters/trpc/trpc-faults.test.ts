import { type AnyOperation, ApiError, allOperations, allOperatorOperations, isRead } from '@broadside/core';
import type { AppRouter } from '@broadside/core/trpc';
import { createTRPCClient, httpBatchStreamLink } from '@trpc/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ListenerName } from '../../app.ts';
import { handlerOf } from '../../families.ts';
import { AdapterWorld, OPERATOR_TOKEN, origins } from '../testing/world.ts';
import { MAX_CALLS } from './request.ts';
import { type Caller, clientOf as clientIn, createCampaign, failure, options as optionsOf } from './testing/clients.ts';

let world: AdapterWorld;
beforeAll(async () => {
  world = await AdapterWorld.open();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

const options = (listener: ListenerName, as: Caller, headers?: Record<string, string>) =>
  optionsOf(world, listener, as, headers);
const clientOf = (listener: ListenerName, as?: Caller, headers?: Record<string, string>) =>
  clientIn(world, listener, as, headers);
const account = () => world.credentials.sandbox_account_id;

describe('operations of a listener', () => {
  const offered = (listener: ListenerName): readonly AnyOperation[] => {
    if (listener === 'api') return allOperatorOperations;
    const open = allOperations.filter(({ sandboxOnly }) => listener === 'sandbox' || !sandboxOnly);
    return [...open, ...allOperatorOperations];
  };

  test.each(['api', 'ads', 'sandbox'] as const)(
    '%s: the operations of its environment and the operator, no others',
    async (listener) => {
      const names = new Set(offered(listener).map(({ id }) => id));
      for (const operation of [...allOperations, ...allOperatorOperations]) {
        const url = `${origins[listener]}/trpc/${operation.id}`;
        const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
        const response = await world.fetch(url, isRead(operation) ? {} : post);
        expect([operation.id, response.status]).toEqual([operation.id, names.has(operation.id) ? 401 : 404]);
      }
    },
  );

  test('a sandbox-only operation is not found in production', async () => {
    const { data } = await failure(clientOf('ads').accounts.create.mutate());
    expect(data).toMatchObject({
      code: 'NOT_FOUND',
      httpStatus: 404,
      path: 'accounts.create',
      errors: [{ code: 'ROUTE_NOT_FOUND' }],
    });
    expect((await clientOf('sandbox').accounts.create.mutate()).approval_status).toBe('ACCEPTED');
  });

  test.each(['__proto__', 'constructor', 'campaigns', 'campaigns.get.x', ''])(
    'the path %j is no procedure',
    async (path) => {
      expect((await world.fetch(`${origins.sandbox}/trpc/${path}`)).status).toBe(404);
    },
  );
});

describe('pages of other origins', () => {
  const target = `${origins.sandbox}/trpc/admin.users.list`;
  const authorization = `Bearer ${OPERATOR_TOKEN}`;

  test.each([
    ['another site', { origin: 'https://evil.example' }],
    ['another port', { origin: origins.ads }],
    ['another scheme', { origin: 'https://127.0.0.1:8002' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['a cross-site request without Origin', { 'sec-fetch-site': 'cross-site' }],
    ['a same-site request without Origin', { 'sec-fetch-site': 'same-site' }],
    ['a word that no browser sends', { 'sec-fetch-site': 'whatever' }],
  ])('%s is rejected even with the token', async (_, headers) => {
    const response = await world.fetch(target, { headers: { ...headers, authorization } });
    expect(response.status).toBe(403);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('a name that was made to resolve to this server is not same-origin', async () => {
    const headers = { host: 'evil.example:8002', origin: 'http://evil.example:8002', authorization };
    const response = await world.apps.sandbox.inject({ url: '/trpc/admin.users.list', headers });
    expect(response.statusCode).toBe(403);
  });

  test.each([
    ['the same origin', { origin: origins.sandbox, 'sec-fetch-site': 'same-origin' }],
    ['an address typed by a person', { 'sec-fetch-site': 'none' }],
    ['a program', {}],
  ])('%s is let in', async (_, headers) => {
    expect((await world.fetch(target, { headers: { ...headers, authorization } })).status).toBe(200);
  });

  test('a preflight is not allowed', async () => {
    const response = await world.fetch(target, {
      method: 'OPTIONS',
      headers: { 'access-control-request-method': 'POST' },
    });
    expect(response.status).toBe(405);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('unsupported requests', () => {
  const url = `${origins.sandbox}/trpc/accounts.create`;

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
  ])('a body of type %j', async (type) => {
    const response = await world.fetch(url, { method: 'POST', headers: { 'content-type': type }, body: '{}' }, true);
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({
      error: { data: { errors: [{ code: 'UNSUPPORTED_CONTENT_TYPE' }] } },
    });
  });

  test('a body without a type', async () => {
    const response = await world.apps.sandbox.inject({ method: 'POST', url: '/trpc/accounts.create', payload: '{}' });
    expect(response.statusCode).toBe(415);
  });

  test('a body that is too large', async () => {
    const headers = { 'content-type': 'application/json' };
    const response = await world.fetch(url, { method: 'POST', headers, body: `"${'x'.repeat(5_000_000)}"` }, true);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: { data: { errors: [{ code: 'REQUEST_TOO_LARGE' }] } } });
  });

  test(`a batch of more than ${MAX_CALLS} calls`, async () => {
    const batch = (calls: number) => `${origins.sandbox}/trpc/${Array(calls).fill('accounts.list').join(',')}?batch=1`;
    expect((await world.fetch(batch(MAX_CALLS), {}, true)).status).toBe(200);
    expect((await world.fetch(batch(MAX_CALLS + 1), {}, true)).status).toBe(400);
  });

  test.each(['PUT', 'PATCH', 'DELETE'])('the method %s', async (method) => {
    expect((await world.fetch(url, { method })).status).toBe(405);
  });

  test.each([
    ['{', 'not valid JSON'],
    ['[]', 'an object of parameters'],
    ['"x"', 'an object of parameters'],
    ['{"count":1e999}', 'cannot be sent'],
    ['{"count":{"$bigint":"12x"}}', 'decimal digits'],
    [`${'['.repeat(5000)}${']'.repeat(5000)}`, 'lie too deep'],
  ])('the input %s', async (input, reason) => {
    const response = await world.fetch(
      `${origins.sandbox}/trpc/accounts.list?input=${encodeURIComponent(input)}`,
      {},
      true,
    );
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { data: { errors: [{ code: 'INVALID_PARAMETER', message: expect.stringContaining(reason) }] } },
    });
  });

  test('an integer that JSON has already rounded', async () => {
    const body = '{"account_id":"x","count":9007199254740993}'.replace('x', account());
    const target = `${origins.sandbox}/trpc/campaigns.list?input=${encodeURIComponent(body)}`;
    expect((await world.fetch(target, {}, true)).status).toBe(400);
  });

  test('a streamed batch, with a message that its client shows', async () => {
    const client = createTRPCClient<AppRouter>({ links: [httpBatchStreamLink(options('sandbox', 'user'))] });
    await expect(client.accounts.list.query()).rejects.toThrow();
    expect(world.exchanges.at(-1)).toMatchObject({ status: 400, text: expect.stringContaining('httpBatchLink') });
  });
});

describe('errors', () => {
  test('name code, status, parameter and value, as on REST', async () => {
    const client = clientOf('sandbox');
    const error = await failure(client.campaigns.list.query({ account_id: account(), cursor: 'bogus' }));
    const shown = { code: 'INVALID_PARAMETER', parameter: 'cursor', value: 'bogus' };
    expect(error.data).toMatchObject({ code: 'BAD_REQUEST', httpStatus: 400, path: 'campaigns.list', errors: [shown] });
    const rest = await world.fetch(`${origins.sandbox}/12/accounts/${account()}/campaigns?cursor=bogus`, {}, true);
    const { errors } = (await rest.json()) as { errors: { message: string }[] };
    expect(error.data?.errors.map(({ message }) => message)).toEqual(errors.map(({ message }) => message));
    expect(error.message).toBe(errors[0]?.message);
  });

  test('a missing account_id is a missing parameter', async () => {
    const response = await world.fetch(`${origins.sandbox}/trpc/campaigns.list`, {}, true);
    expect(await response.json()).toMatchObject({
      error: { data: { httpStatus: 400, errors: [{ code: 'MISSING_PARAMETER', parameter: 'account_id' }] } },
    });
  });

  test("another user's account and a missing one get the same response", async () => {
    const stranger = await clientOf('sandbox', 'operator').admin.users.create.mutate({
      screen_name: 'other',
      password: 'long enough',
    });
    const theirs = await clientOf('sandbox', 'operator').admin.accounts.create.mutate({
      environment: 'sandbox',
      user_id: stranger.id,
      name: 'Theirs',
    });
    const client = clientOf('sandbox');
    const [one, other] = await Promise.all(
      [theirs.id, 'nowhere'].map((id) => failure(client.accounts.get.query({ account_id: id }))),
    );
    expect(one?.data?.httpStatus).toBe(403);
    const without = (error: typeof one, id: string) => JSON.stringify(error?.shape).replaceAll(id, '');
    expect(without(one, theirs.id)).toBe(without(other, 'nowhere'));
  });

  test('a rejected value is returned exactly', async () => {
    const amount = -(2n ** 60n) - 1n;
    const error = await failure(createCampaign(world, 'Negative', amount));
    expect(error.data?.errors).toMatchObject([{ parameter: 'daily_budget_amount_local_micro', value: amount }]);
  });

  test('unexpected errors are reported to the log, not to the caller', async () => {
    await using broken = await AdapterWorld.open({
      handlerOf: () => async () => {
        throw new TypeError('secret detail');
      },
    });
    const response = await broken.fetch(`${origins.sandbox}/trpc/accounts.list`, {}, true);
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(JSON.parse(text)).toMatchObject({
      error: { data: { code: 'INTERNAL_SERVER_ERROR', httpStatus: 500, errors: [{ code: 'INTERNAL_ERROR' }] } },
    });
    expect(text).not.toContain('secret');
    expect(text).not.toContain('stack');
    expect(JSON.stringify(broken.log)).toContain('secret detail');
  });

  test('a result that violates the contract is a bug and leaks nothing', async () => {
    await using broken = await AdapterWorld.open({ handlerOf: () => async () => 'secret' });
    const response = await broken.fetch(`${origins.sandbox}/trpc/accounts.list`, {}, true);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret');
    expect(JSON.stringify(broken.log)).toContain('returned no page');
  });
});

test('results contain only the members of the contract', async () => {
  await using leaky = await AdapterWorld.open({
    handlerOf: (operation) => async (context, params) => {
      const value: unknown = await handlerOf(operation)(context, params);
      const spoil = (row: unknown) => ({ ...(row as object), password_hash: 'hidden', name_folded: 'hidden' });
      if (operation.envelope === 'entity') return spoil(value);
      const { data } = value as { data: unknown[] };
      return { ...(value as object), data: data.map(spoil), internal: 'hidden' };
    },
  });
  const { sandbox_account_id } = leaky.credentials;
  const input = encodeURIComponent(JSON.stringify({ account_id: sandbox_account_id }));
  for (const path of ['accounts.list', 'accounts.get', 'funding_instruments.list']) {
    const response = await leaky.fetch(
      `${origins.sandbox}/trpc/${path}?input=${input}`.replace('accounts.list?input='.concat(input), 'accounts.list'),
      {},
      true,
    );
    expect([path, response.status]).toEqual([path, 200]);
    expect(await response.text()).not.toContain('hidden');
  }
});

test('an operation that fails with an error of the catalogue keeps its status', async () => {
  await using limited = await AdapterWorld.open({
    handlerOf: () => async () => {
      throw new ApiError('TOO_MANY_REQUESTS');
    },
  });
  const response = await limited.fetch(`${origins.sandbox}/trpc/accounts.list`, {}, true);
  expect(response.status).toBe(429);
  expect(await response.json()).toMatchObject({ error: { data: { code: 'TOO_MANY_REQUESTS' } } });
});
