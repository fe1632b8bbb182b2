/** The client against a real world: what its own tests say of a scripted server holds for the true one. */
import {
  ApiResponseError,
  type ClientOptions,
  createClient,
  RateLimitError,
  SandboxOnlyError,
} from '@broadside/client';
import { createTrpcClient } from '@broadside/client/trpc';
import { createWorld, type TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const OPERATOR = 'operator-token-of-at-least-24-characters';
const LARGE = 9_007_199_254_740_993n;
let world: TestWorld;

beforeAll(async () => {
  world = await createWorld({ operatorToken: OPERATOR });
});
afterAll(() => world.close());

function connect(options: ClientOptions = {}, to: TestWorld = world) {
  const { fetch, wallClock, credentials } = to;
  return createClient(credentials, { fetch, now: () => wallClock.now(), environment: 'sandbox', ...options });
}

/** An account that can pay, without campaigns. */
async function freshAccount() {
  const account_id = await world.createAccount();
  return { account_id, funding_instrument_id: await world.createFundingInstrument(account_id) };
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function rejectionOf(call: PromiseLike<unknown>): Promise<ApiResponseError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiResponseError) return error;
    throw error;
  }
  throw new TypeError('the call was not rejected');
}

describe('the client', () => {
  test.each(['HMAC-SHA1', 'HMAC-SHA256'] as const)(
    'signs with %s so that the server believes it',
    async (signatureMethod) => {
      const client = connect({ signatureMethod });
      const { account_id, funding_instrument_id } = await freshAccount();
      // Everything that encodings are known to stumble over: in a form, in a query and in the path.
      const name = `a b+c&d=e%20f~!*'()"ü€😀/?#[]@,;:|\\^\`{}<>`;
      const made = await client.campaigns.create({ account_id, funding_instrument_id, name });
      expect(made.name).toBe(name);
      const found = await client.campaigns.list({ account_id, q: name, campaign_ids: [made.id, 'none'] });
      expect(found.data.map(({ id }) => id)).toEqual([made.id]);
      const lost = await rejectionOf(client.campaigns.get({ account_id, campaign_id: `ü '/${made.id}` }));
      expect(lost.has('CAMPAIGN_NOT_FOUND')).toBe(true);
    },
  );

  test('takes a campaign from its creation to its end', async () => {
    const client = connect();
    const { account_id, funding_instrument_id } = await freshAccount();
    const made = await client.campaigns.create({
      account_id,
      funding_instrument_id,
      name: 'Summer',
      daily_budget_amount_local_micro: 5_000_000,
      total_budget_amount_local_micro: LARGE,
      purchase_order_number: 'PO-1',
      standard_delivery: false,
    });
    expect(made).toMatchObject({ total_budget_amount_local_micro: LARGE, purchase_order_number: 'PO-1' });
    expect(made).toMatchObject({ daily_budget_amount_local_micro: 5_000_000n, standard_delivery: false });
    const campaign_id = made.id;
    const changed = await client.campaigns.update({
      account_id,
      campaign_id,
      name: 'Autumn',
      purchase_order_number: null,
    });
    expect(changed).toMatchObject({
      name: 'Autumn',
      purchase_order_number: null,
      total_budget_amount_local_micro: LARGE,
    });
    expect(await client.campaigns.get({ account_id, campaign_id })).toEqual(changed);
    expect((await client.campaigns.delete({ account_id, campaign_id })).deleted).toBe(true);
    const again = await rejectionOf(client.campaigns.delete({ account_id, campaign_id }));
    expect([again.status, again.has('CAMPAIGN_NOT_FOUND')]).toEqual([404, true]);
  });

  test('makes line items with times, lists and numbers', async () => {
    const client = connect();
    const { account_id, funding_instrument_id } = await freshAccount();
    const campaign = await client.campaigns.create({ account_id, funding_instrument_id, name: 'c' });
    const start = world.clock.now();
    const item = await client.line_items.create({
      account_id,
      campaign_id: campaign.id,
      name: 'One',
      objective: 'ENGAGEMENTS',
      product_type: 'PROMOTED_POSTS',
      placements: ['ALL_ON_PLATFORM'],
      bid_amount_local_micro: 1_400_000n,
      start_time: new Date(start),
      end_time: new Date(start + 86_400_000),
    });
    expect(item).toMatchObject({ bid_amount_local_micro: 1_400_000n, placements: ['ALL_ON_PLATFORM'] });
    expect([item.start_time, item.end_time]).toEqual(['2026-01-15T08:00:00Z', '2026-01-16T08:00:00Z']);
  });

  test('pages through everything once, and stops at a limit', async () => {
    const seen: string[] = [];
    const client = connect({ onResponse: ({ operation }) => seen.push(operation ?? '') });
    const { account_id, funding_instrument_id } = await freshAccount();
    const names = Array.from({ length: 7 }, (_, index) => `Campaign ${index}`);
    const made = await client.campaigns.batch({
      account_id,
      operations: names.map((name) => ({ operation_type: 'Create', params: { funding_instrument_id, name } })),
    });
    expect(made.map(({ name }) => name)).toEqual(names);
    seen.length = 0;
    const list = client.campaigns.list({ account_id, count: 3, sort_by: ['name-asc'], with_total_count: true });
    expect((await collect(list)).map(({ name }) => name)).toEqual(names);
    expect(seen).toHaveLength(3);
    expect((await list).total_count).toBe(7);
    seen.length = 0;
    expect((await collect(list.limit(6))).map(({ name }) => name)).toEqual(names.slice(0, 6));
    expect(seen).toHaveLength(2);
  });

  test('reports the errors of a batch by item, and nothing of it was applied', async () => {
    const client = connect();
    const { account_id, funding_instrument_id } = await freshAccount();
    const error = await rejectionOf(
      client.campaigns.batch({
        account_id,
        operations: [
          { operation_type: 'Create', params: { funding_instrument_id, name: 'kept out' } },
          { operation_type: 'Delete', params: { campaign_id: 'none' } },
        ],
      }),
    );
    expect(error.operation_errors?.map((errors) => errors.length)).toEqual([0, 1]);
    expect(error.message).toContain('operations[1]');
    expect((await client.campaigns.list({ account_id })).data).toEqual([]);
  });

  test('adds and removes features and lists values', async () => {
    const client = connect();
    const { account_id } = await freshAccount();
    expect(await client.features.add({ account_id, feature_keys: ['AGE_TARGETING', 'DR_TAP'] })).toContain('DR_TAP');
    expect(await client.features.remove({ account_id, feature_keys: ['DR_TAP'] })).not.toContain('DR_TAP');
    expect(await client.features.list({ account_id, feature_keys: ['AGE_TARGETING'] })).toEqual(['AGE_TARGETING']);
  });

  test('says what is wrong with a parameter, in the words of the server', async () => {
    const error = await rejectionOf(
      connect().campaigns.list({ account_id: world.credentials.sandbox_account_id, count: 0 }),
    );
    expect(error.status).toBe(400);
    expect(error.message).toMatch(/^campaigns\.list was rejected with 400: Expected a whole number .*count/);
  });

  test('keeps production and sandbox apart', async () => {
    const client = connect({ environment: 'production' });
    const { data } = await client.accounts.list();
    expect(data.map(({ id }) => id)).toEqual([world.credentials.account_id]);
    await expect(client.accounts.create()).rejects.toThrow(SandboxOnlyError);
  });

  test('is distinguished from others by its secret', async () => {
    const { fetch, wallClock, credentials } = world;
    const client = createClient(
      { ...credentials, access_token_secret: 'wrong' },
      { fetch, now: () => wallClock.now() },
    );
    expect((await rejectionOf(client.accounts.list())).has('UNAUTHORIZED_ACCESS')).toBe(true);
  });

  test('sends raw requests of every kind', async () => {
    const client = connect();
    const accounts = await client.request({ method: 'GET', path: '/12/accounts?count=1' });
    expect([accounts.status, accounts.ok]).toEqual([200, true]);
    const { account_id, funding_instrument_id } = await freshAccount();
    const path = `/12/accounts/${account_id}/campaigns`;
    const form = await client.request({ method: 'POST', path, form: { funding_instrument_id, name: 'by form' } });
    expect(form.body).toMatchObject({ data: { name: 'by form' } });
    const params = { funding_instrument_id, name: 'by JSON', total_budget_amount_local_micro: LARGE };
    const json = await client.request({ method: 'POST', path, json: params });
    expect(json.body).toMatchObject({ data: { name: 'by JSON', total_budget_amount_local_micro: LARGE } });
    const health = await client.request({ method: 'GET', path: '/health', host: 'base', auth: 'none' });
    expect(health.status).toBe(200);
    const bearer = await client.request({ method: 'GET', path: '/12/accounts', auth: 'bearer' });
    expect(bearer.status).toBe(401);
  });
});

test('a client waits for the reset of a used-up limit and goes on, with a signature of that time', async () => {
  await using limited = await createWorld({ rateLimits: { 'ads.write': { limit: 1, window_ms: 60_000 } } });
  const waits: number[] = [];
  const options: ClientOptions = {
    sleep: async (ms) => {
      waits.push(ms);
      limited.wallClock.advance(ms);
    },
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  };
  const client = connect(options, limited);
  await client.accounts.create();
  expect(client.rateLimits.user).toMatchObject({ limit: 1, remaining: 0 });
  await client.accounts.create();
  expect(waits).toHaveLength(1);
  expect(waits[0]).toBeGreaterThanOrEqual(60_000);
  expect(waits[0]).toBeLessThanOrEqual(60_500);
  const error = await rejectionOf(client.accounts.create(undefined, { retry: false }));
  expect(error).toBeInstanceOf(RateLimitError);
  // The headers have whole seconds, rounded up.
  const reset = limited.wallClock.now() + 60_000;
  expect(error.retry_at?.getTime()).toBeGreaterThanOrEqual(reset);
  expect(error.retry_at?.getTime()).toBeLessThanOrEqual(reset + 1000);
});

describe('the tRPC client', () => {
  test('calls as the user, with exact amounts', async () => {
    const { fetch, wallClock, credentials } = world;
    const trpc = createTrpcClient(credentials, { fetch, now: () => wallClock.now(), environment: 'sandbox' });
    const { account_id, funding_instrument_id } = await freshAccount();
    const name = "it's (a) *test*! ü";
    const made = await trpc.campaigns.create.mutate({
      account_id,
      funding_instrument_id,
      name,
      total_budget_amount_local_micro: LARGE,
    });
    expect(made).toMatchObject({ name, total_budget_amount_local_micro: LARGE });
    const found = await trpc.campaigns.list.query({ account_id, q: name });
    expect(found.data).toEqual([made]);
  });

  test('calls as the operator', async () => {
    const { fetch, credentials } = world;
    const operator = createTrpcClient({ ads_base_url: credentials.ads_base_url }, { fetch, operatorToken: OPERATOR });
    const user = await operator.admin.users.create.mutate({ screen_name: 'byoperator', password: 'correct horse' });
    expect((await operator.admin.users.list.query({})).data).toContainEqual(user);
  });
});
