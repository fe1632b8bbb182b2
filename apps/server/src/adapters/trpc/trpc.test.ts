import { type AnyOperation, ApiError, allOperations, allOperatorOperations, isRead } from '@broadside/core';
import { type AppRouter, wireTransformer } from '@broadside/core/trpc';
import { createTRPCClient, httpBatchLink, httpBatchStreamLink, httpLink, TRPCClientError } from '@trpc/client';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type ListenerName } from '../../app.ts';
import { handlerOf } from '../../pipeline/registry.ts';
import { AdapterWorld, OPERATOR_TOKEN, origins } from '../testing/world.ts';
import { MAX_CALLS } from './routes.ts';

let world: AdapterWorld;
beforeAll(async () => {
  world = await AdapterWorld.open();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

function options(listener: ListenerName, as: 'user' | 'operator' | 'nobody', headers: Record<string, string> = {}) {
  return {
    url: `${origins[listener]}/trpc`,
    transformer: wireTransformer,
    headers: as === 'operator' ? { ...headers, authorization: `Bearer ${OPERATOR_TOKEN}` } : headers,
    fetch: (url: string | URL | Request, init?: object) => world.fetch(url, init, as === 'user'),
  };
}

function clientOf(
  listener: ListenerName,
  as: 'user' | 'operator' | 'nobody' = 'user',
  headers?: Record<string, string>,
) {
  return createTRPCClient<AppRouter>({ links: [httpBatchLink(options(listener, as, headers))] });
}

async function failure(promise: Promise<unknown>): Promise<TRPCClientError<AppRouter>> {
  const error = await promise.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  );
  if (error instanceof TRPCClientError) return error;
  throw error;
}

const account = () => world.credentials.sandbox_account_id;

async function createCampaign(name: string, daily = 1_000_000n) {
  const client = clientOf('sandbox');
  const [funding] = (await client.funding_instruments.list.query({ account_id: account() })).data;
  return client.campaigns.create.mutate({
    account_id: account(),
    funding_instrument_id: funding?.id ?? '',
    name,
    daily_budget_amount_local_micro: daily,
    entity_status: 'PAUSED',
  });
}

describe('calls', () => {
  test('a query and a mutation give what the contract says, amounts past 2^53 to the last digit', async () => {
    const amount = 2n ** 53n + 3n;
    const made = await createCampaign('Exact', amount);
    expect(made.daily_budget_amount_local_micro).toBe(amount);
    const read = await clientOf('sandbox').campaigns.get.query({ account_id: account(), campaign_id: made.id });
    expect(read).toEqual(made);
    expect(typeof read.daily_budget_amount_local_micro).toBe('bigint');
  });

  test('a page has its rows, cursor and total', async () => {
    for (const name of ['One', 'Two', 'Three']) await createCampaign(name);
    const client = clientOf('sandbox');
    const first = await client.campaigns.list.query({ account_id: account(), count: 2, with_total_count: true });
    expect(first.data).toHaveLength(2);
    expect(first.total_count).toBeGreaterThanOrEqual(3);
    expect(first.next_cursor).toBeTypeOf('string');
    const next = await client.campaigns.list.query({
      account_id: account(),
      count: 2,
      cursor: first.next_cursor ?? '',
    });
    const ids = [...first.data, ...next.data].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect('total_count' in next).toBe(false);
  });

  test('three queries in one HTTP request need one signature and one nonce', async () => {
    const before = world.exchanges.length;
    const client = clientOf('sandbox');
    const [accounts, one, features] = await Promise.all([
      client.accounts.list.query(),
      client.accounts.get.query({ account_id: account() }),
      client.features.list.query({ account_id: account() }),
    ]);
    expect(accounts.data.map(({ id }) => id)).toContain(one.id);
    expect(features.length).toBeGreaterThan(0);
    const sent = world.exchanges.slice(before);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ method: 'GET', status: 200 });
    expect(sent[0]?.url).toContain('/trpc/accounts.list,accounts.get,features.list?batch=1');
  });

  test('a batch is still one use of its nonce: sent again, every call in it is refused', async () => {
    const input = encodeURIComponent(JSON.stringify({ 0: {}, 1: {} }));
    const url = `${origins.sandbox}/trpc/accounts.list,accounts.list?batch=1&input=${input}`;
    const headers = { authorization: await world.sign('GET', url) };
    expect((await world.fetch(url, { headers })).status).toBe(200);
    const replay = await world.fetch(url, { headers });
    expect(replay.status).toBe(401);
    expect(await replay.json()).toMatchObject([401, 401].map((httpStatus) => ({ error: { data: { httpStatus } } })));
  });

  test('calls of one request fail apart from each other', async () => {
    const client = clientOf('sandbox');
    const before = world.exchanges.length;
    const [right, wrong] = await Promise.allSettled([
      client.accounts.list.query(),
      client.campaigns.get.query({ account_id: account(), campaign_id: 'none' }),
    ]);
    expect(right.status).toBe('fulfilled');
    expect(wrong.status).toBe('rejected');
    expect(world.exchanges.slice(before).map(({ status }) => status)).toEqual([207]);
  });

  test('a query may come with POST', async () => {
    const client = createTRPCClient<AppRouter>({
      links: [httpLink({ ...options('sandbox', 'user'), methodOverride: 'POST' })],
    });
    expect((await client.accounts.get.query({ account_id: account() })).id).toBe(account());
    expect(world.exchanges.at(-1)).toMatchObject({ method: 'POST', status: 200 });
  });

  test('a mutation does not run with GET', async () => {
    const input = encodeURIComponent(JSON.stringify({ account_id: account() }));
    const answer = await world.fetch(`${origins.sandbox}/trpc/accounts.delete?input=${input}`, {}, true);
    expect(answer.status).toBe(405);
    expect((await clientOf('sandbox').accounts.get.query({ account_id: account() })).deleted).toBe(false);
  });

  test('a batch operation succeeds as a whole, and its faults come by index', async () => {
    const client = clientOf('sandbox');
    const made = await createCampaign('To be changed');
    const rows = await client.campaigns.batch.mutate({
      account_id: account(),
      operations: [
        { operation_type: 'Update', params: { campaign_id: made.id, name: 'Changed' } },
        { operation_type: 'Delete', params: { campaign_id: made.id } },
      ],
    });
    expect(rows.map(({ name, deleted }) => [name, deleted])).toEqual([
      ['Changed', false],
      ['Changed', true],
    ]);
    const refused = await failure(
      client.campaigns.batch.mutate({
        account_id: account(),
        operations: [
          { operation_type: 'Update', params: { campaign_id: 'none', name: 'x' } },
          { operation_type: 'Delete', params: { campaign_id: 'none' } },
        ],
      }),
    );
    expect(refused.data).toMatchObject({
      httpStatus: 400,
      code: 'BAD_REQUEST',
      errors: [],
      operation_errors: [[{ code: 'CAMPAIGN_NOT_FOUND' }], [{ code: 'CAMPAIGN_NOT_FOUND' }]],
    });
  });

  test('the answer of a user says how much of the rate limit is left', async () => {
    await clientOf('sandbox').accounts.get.query({ account_id: account() });
    const { headers } = world.exchanges.at(-1) ?? {};
    expect(headers?.get('x-rate-limit-limit')).toBe('10000');
    expect(headers?.get('x-account-rate-limit-limit')).toBe('10000');
    const left = Number(headers?.get('x-rate-limit-remaining'));
    const client = clientOf('sandbox');
    await Promise.all([1, 2, 3].map(() => client.accounts.get.query({ account_id: account() })));
    expect(world.exchanges.at(-1)?.headers.get('x-rate-limit-remaining')).toBe(`${left - 3}`);
  });
});

test('works over a socket too, with the fetch of the platform', async () => {
  const app = createApp({ services: world.services, listener: 'sandbox', logger: pino({ level: 'silent' }) });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  const client = createTRPCClient<AppRouter>({
    links: [httpBatchLink({ url: `${address}/trpc`, transformer: wireTransformer, headers })],
  });
  const [users, one] = await Promise.all([
    client.admin.users.list.query({ count: 1 }),
    client.accounts.get.query({ account_id: account() }),
  ]);
  expect([users.length, one.id]).toEqual([1, account()]);
  const made = await client.admin.users.create.mutate({ screen_name: 'socket', password: 'long enough' });
  expect(made.name).toBe('socket');
  await app.close();
});

describe('who may call', () => {
  test('the operator creates a user, an app and a token, which then signs', async () => {
    const client = clientOf('api', 'operator');
    const user = await client.admin.users.create.mutate({ screen_name: 'newcomer', password: 'correct horse battery' });
    const app = await client.admin.apps.create.mutate({ name: 'Newcomer app', owner_user_id: user.id });
    const token = await client.admin.tokens.create.mutate({ consumer_key: app.consumer_key, user_id: user.id });
    expect(token.screen_name).toBe('newcomer');
    expect((await client.admin.users.list.query()).map(({ screen_name }) => screen_name)).toContain('newcomer');
  });

  test('the operator has the operations of users too, without limits', async () => {
    const one = await clientOf('ads', 'operator').accounts.get.query({ account_id: world.credentials.account_id });
    expect(one.id).toBe(world.credentials.account_id);
    expect(world.exchanges.at(-1)?.headers.get('x-rate-limit-limit')).toBeNull();
  });

  test.each(['api', 'ads', 'sandbox'] as const)(
    'the %s listener refuses the operator procedures to everyone else',
    async (listener) => {
      for (const as of ['user', 'nobody'] as const) {
        const { data } = await failure(clientOf(listener, as).admin.users.list.query());
        expect(data).toMatchObject({
          httpStatus: 401,
          code: 'UNAUTHORIZED',
          errors: [{ code: 'UNAUTHORIZED_ACCESS' }],
        });
      }
      const wrong = clientOf(listener, 'nobody', { authorization: `Bearer ${OPERATOR_TOKEN}x` });
      expect((await failure(wrong.admin.users.list.query())).data?.httpStatus).toBe(401);
    },
  );

  test('a signature covers the procedure and the input', async () => {
    const url = (id: string) =>
      `${origins.sandbox}/trpc/accounts.get?input=${encodeURIComponent(JSON.stringify({ account_id: id }))}`;
    const authorization = await world.sign('GET', url('other'));
    expect((await world.fetch(url(account()), { headers: { authorization } })).status).toBe(401);
    const elsewhere = url(account()).replace('accounts.get', 'features.list');
    const moved = { authorization: await world.sign('GET', url(account())) };
    expect((await world.fetch(elsewhere, { headers: moved })).status).toBe(401);
    expect((await world.fetch(url(account()), { headers: moved })).status).toBe(200);
  });

  test('a stranger learns nothing about the input', async () => {
    const nobody = clientOf('sandbox', 'nobody');
    const { data } = await failure(nobody.campaigns.get.query({ account_id: 'nowhere', campaign_id: '' }));
    expect(data?.errors).toMatchObject([{ code: 'UNAUTHORIZED_ACCESS' }]);
    const garbled = await world.fetch(`${origins.sandbox}/trpc/campaigns.get?input=%7B`);
    expect(garbled.status).toBe(401);
  });
});

describe('what a listener offers', () => {
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
        const answer = await world.fetch(url, isRead(operation) ? {} : post);
        expect([operation.id, answer.status]).toEqual([operation.id, names.has(operation.id) ? 401 : 404]);
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
  ])('%s is refused even with the token', async (_, headers) => {
    const answer = await world.fetch(target, { headers: { ...headers, authorization } });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('a name that was made to point here is no origin of ours', async () => {
    const headers = { host: 'evil.example:8002', origin: 'http://evil.example:8002', authorization };
    const answer = await world.apps.sandbox.inject({ url: '/trpc/admin.users.list', headers });
    expect(answer.statusCode).toBe(403);
  });

  test.each([
    ['the same origin', { origin: origins.sandbox, 'sec-fetch-site': 'same-origin' }],
    ['an address typed by a person', { 'sec-fetch-site': 'none' }],
    ['a program', {}],
  ])('%s is let in', async (_, headers) => {
    expect((await world.fetch(target, { headers: { ...headers, authorization } })).status).toBe(200);
  });

  test('a preflight gets no leave', async () => {
    const answer = await world.fetch(target, {
      method: 'OPTIONS',
      headers: { 'access-control-request-method': 'POST' },
    });
    expect(answer.status).toBe(405);
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('what is not taken', () => {
  const url = `${origins.sandbox}/trpc/accounts.create`;

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
  ])('a body of type %j', async (type) => {
    const answer = await world.fetch(url, { method: 'POST', headers: { 'content-type': type }, body: '{}' }, true);
    expect(answer.status).toBe(415);
    expect(await answer.json()).toMatchObject({ error: { data: { errors: [{ code: 'UNSUPPORTED_CONTENT_TYPE' }] } } });
  });

  test('a body without a type', async () => {
    const answer = await world.apps.sandbox.inject({ method: 'POST', url: '/trpc/accounts.create', payload: '{}' });
    expect(answer.statusCode).toBe(415);
  });

  test('a body that is too large', async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await world.fetch(url, { method: 'POST', headers, body: `"${'x'.repeat(5_000_000)}"` }, true);
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ error: { data: { errors: [{ code: 'REQUEST_TOO_LARGE' }] } } });
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
    [`${'['.repeat(5000)}${']'.repeat(5000)}`, 'levels deep'],
  ])('the input %s', async (input, reason) => {
    const answer = await world.fetch(
      `${origins.sandbox}/trpc/accounts.list?input=${encodeURIComponent(input)}`,
      {},
      true,
    );
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: { data: { errors: [{ code: 'INVALID_PARAMETER', message: expect.stringContaining(reason) }] } },
    });
  });

  test('a whole number that JSON has already rounded', async () => {
    const body = '{"account_id":"x","count":9007199254740993}'.replace('x', account());
    const target = `${origins.sandbox}/trpc/campaigns.list?input=${encodeURIComponent(body)}`;
    expect((await world.fetch(target, {}, true)).status).toBe(400);
  });

  test('a streamed batch, in words that its client shows', async () => {
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
    const answer = await world.fetch(`${origins.sandbox}/trpc/campaigns.list`, {}, true);
    expect(await answer.json()).toMatchObject({
      error: { data: { httpStatus: 400, errors: [{ code: 'MISSING_PARAMETER', parameter: 'account_id' }] } },
    });
  });

  test("a stranger's account and one that is not there answer alike", async () => {
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

  test('a value that was refused comes back exactly', async () => {
    const amount = -(2n ** 60n) - 1n;
    const error = await failure(createCampaign('Negative', amount));
    expect(error.data?.errors).toMatchObject([{ parameter: 'daily_budget_amount_local_micro', value: amount }]);
  });

  test('what nobody foresaw is told to the log, not to the caller', async () => {
    await using broken = await AdapterWorld.open({
      handlerOf: () => async () => {
        throw new TypeError('secret detail');
      },
    });
    const answer = await broken.fetch(`${origins.sandbox}/trpc/accounts.list`, {}, true);
    const text = await answer.text();
    expect(answer.status).toBe(500);
    expect(JSON.parse(text)).toMatchObject({
      error: { data: { code: 'INTERNAL_SERVER_ERROR', httpStatus: 500, errors: [{ code: 'INTERNAL_ERROR' }] } },
    });
    expect(text).not.toContain('secret');
    expect(text).not.toContain('stack');
    expect(JSON.stringify(broken.log)).toContain('secret detail');
  });

  test('a result that is not what the contract says is a bug, not a leak', async () => {
    await using broken = await AdapterWorld.open({ handlerOf: () => async () => 'secret' });
    const answer = await broken.fetch(`${origins.sandbox}/trpc/accounts.list`, {}, true);
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('secret');
    expect(JSON.stringify(broken.log)).toContain('gave no page');
  });
});

test('results hold the members of the contract only', async () => {
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
    const answer = await leaky.fetch(
      `${origins.sandbox}/trpc/${path}?input=${input}`.replace('accounts.list?input='.concat(input), 'accounts.list'),
      {},
      true,
    );
    expect([path, answer.status]).toEqual([path, 200]);
    expect(await answer.text()).not.toContain('hidden');
  }
});

test('an operation that fails with an error of the catalogue keeps its status', async () => {
  await using limited = await AdapterWorld.open({
    handlerOf: () => async () => {
      throw new ApiError('TOO_MANY_REQUESTS');
    },
  });
  const answer = await limited.fetch(`${origins.sandbox}/trpc/accounts.list`, {}, true);
  expect(answer.status).toBe(429);
  expect(await answer.json()).toMatchObject({ error: { data: { code: 'TOO_MANY_REQUESTS' } } });
});
