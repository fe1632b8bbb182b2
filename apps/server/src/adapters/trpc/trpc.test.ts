import { type AppRouter, wireTransformer } from '@broadside/core/trpc';
import { createTRPCClient, httpBatchLink, httpLink } from '@trpc/client';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type ListenerName } from '../../app.ts';
import { AdapterWorld, OPERATOR_TOKEN, origins } from '../testing/world.ts';
import {
  type Caller,
  clientOf as clientIn,
  createCampaign as createCampaignIn,
  failure,
  options as optionsOf,
} from './testing/clients.ts';

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

const createCampaign = (name: string, daily?: bigint) => createCampaignIn(world, name, daily);

describe('calls', () => {
  test('a query and a mutation return the types of the contract, amounts above 2^53 exactly', async () => {
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

  test('a batch is still one use of its nonce: a replay has every call rejected', async () => {
    const input = encodeURIComponent(JSON.stringify({ 0: {}, 1: {} }));
    const url = `${origins.sandbox}/trpc/accounts.list,accounts.list?batch=1&input=${input}`;
    const headers = { authorization: await world.sign('GET', url) };
    expect((await world.fetch(url, { headers })).status).toBe(200);
    const replay = await world.fetch(url, { headers });
    expect(replay.status).toBe(401);
    expect(await replay.json()).toMatchObject([401, 401].map((httpStatus) => ({ error: { data: { httpStatus } } })));
  });

  test('calls of one request fail independently', async () => {
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
    const response = await world.fetch(`${origins.sandbox}/trpc/accounts.delete?input=${input}`, {}, true);
    expect(response.status).toBe(405);
    expect((await clientOf('sandbox').accounts.get.query({ account_id: account() })).deleted).toBe(false);
  });

  test('a batch operation succeeds as a whole, and its errors are listed by index', async () => {
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
    const rejected = await failure(
      client.campaigns.batch.mutate({
        account_id: account(),
        operations: [
          { operation_type: 'Update', params: { campaign_id: 'none', name: 'x' } },
          { operation_type: 'Delete', params: { campaign_id: 'none' } },
        ],
      }),
    );
    expect(rejected.data).toMatchObject({
      httpStatus: 400,
      code: 'BAD_REQUEST',
      errors: [],
      operation_errors: [[{ code: 'CAMPAIGN_NOT_FOUND' }], [{ code: 'CAMPAIGN_NOT_FOUND' }]],
    });
  });

  test('a response to a user reports the remaining rate limit', async () => {
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
  expect([users.data.length, one.id]).toEqual([1, account()]);
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
    expect((await client.admin.users.list.query()).data.map(({ screen_name }) => screen_name)).toContain('newcomer');
  });

  test('the operator has the operations of users too, without limits', async () => {
    const one = await clientOf('ads', 'operator').accounts.get.query({ account_id: world.credentials.account_id });
    expect(one.id).toBe(world.credentials.account_id);
    expect(world.exchanges.at(-1)?.headers.get('x-rate-limit-limit')).toBeNull();
  });

  test.each(['api', 'ads', 'sandbox'] as const)(
    'the %s listener rejects operator procedures for everyone else',
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

  test('an unauthenticated caller learns nothing about the input', async () => {
    const nobody = clientOf('sandbox', 'nobody');
    const { data } = await failure(nobody.campaigns.get.query({ account_id: 'nowhere', campaign_id: '' }));
    expect(data?.errors).toMatchObject([{ code: 'UNAUTHORIZED_ACCESS' }]);
    const garbled = await world.fetch(`${origins.sandbox}/trpc/campaigns.get?input=%7B`);
    expect(garbled.status).toBe(401);
  });
});
