import { coveredParameters, parseRequest } from '@broadside/core/auth';
import { wireTransformer } from '@broadside/core/trpc';
import { describe, expect, test } from 'vitest';
import { CredentialsError } from './errors.ts';
import { campaign } from './testing/campaign.ts';
import { credentials, fakeServer, only } from './testing/fake-server.ts';
import { createTrpcClient, type TrpcOptions, trpcLinks } from './trpc.ts';

function reply(data: unknown) {
  return { body: JSON.stringify({ result: { data: wireTransformer.serialize(data) } }) };
}

function setUp(data: unknown, options: TrpcOptions = {}) {
  const { fetch, sent } = fakeServer(reply(data), reply(data));
  return { sent, trpc: createTrpcClient(credentials, { fetch, environment: 'sandbox', ...options }) };
}

describe('a tRPC client', () => {
  test('signs the method, address and query of each call anew', async () => {
    const { sent, trpc } = setUp({ data: [], next_cursor: null });
    const query = { account_id: "it's (a) *test*!", q: 'ü' };
    await trpc.campaigns.list.query(query);
    await trpc.campaigns.list.query(query);
    const [first, second] = sent;
    expect(first?.method).toBe('GET');
    expect(first?.url.origin).toBe('http://sandbox.test');
    expect(first?.url.pathname).toBe('/trpc/campaigns.list');
    // The signed text is the sent text: the apostrophe as written by fetch.
    expect(first?.address).toContain('it%27s');
    expect(first?.address).toBe(first?.url.href);
    expect(first?.headers.get('authorization')).toMatch(/^OAuth .*oauth_token="at"/);
    expect(second?.headers.get('authorization')).not.toBe(first?.headers.get('authorization'));
    const parsed = parseRequest({
      method: 'GET',
      target: `${first?.url.pathname}${first?.url.search}`,
      authorization: first?.headers.get('authorization') ?? undefined,
    });
    expect(parsed.problems).toEqual([]);
    expect(coveredParameters(parsed.covered).map(([name]) => name)).toContain('input');
  });

  test('carries 64-bit numbers exactly, in both directions', async () => {
    const amount = 9_007_199_254_740_993n;
    const { sent, trpc } = setUp(campaign({ daily_budget_amount_local_micro: amount }));
    const made = await trpc.campaigns.create.mutate({
      account_id: 'abc1',
      funding_instrument_id: 'lygyi',
      name: 'One',
      daily_budget_amount_local_micro: amount,
    });
    expect(made.daily_budget_amount_local_micro).toBe(amount);
    const { method, headers, json } = only(sent);
    expect([method, headers.get('content-type')]).toEqual(['POST', 'application/json']);
    expect(wireTransformer.deserialize(json)).toMatchObject({ daily_budget_amount_local_micro: amount });
  });

  test('calls the operator’s procedures with the operator’s token', async () => {
    const { sent, trpc } = setUp([], { operatorToken: 'operator', environment: 'production' });
    await trpc.admin.users.list.query({});
    const { url, headers } = only(sent);
    expect(`${url.origin}${url.pathname}`).toBe('http://ads.test/trpc/admin.users.list');
    expect(headers.get('authorization')).toBe('Bearer operator');
  });

  test('needs no keys when it has the operator’s token', async () => {
    const { fetch, sent } = fakeServer(reply([]));
    const trpc = createTrpcClient({ ads_base_url: 'http://ads.test' }, { fetch, operatorToken: 'operator' });
    await trpc.admin.users.list.query({});
    expect(sent).toHaveLength(1);
  });

  test('stops a call whose signal is aborted', async () => {
    const { fetch } = fakeServer('hang');
    const controller = new AbortController();
    const trpc = createTrpcClient(credentials, {
      fetch: (url, init) =>
        new Promise((_, reject) => {
          // A busy machine may sign for longer than the call may take.
          init.signal?.throwIfAborted();
          init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
          fetch(url, init).catch(reject);
        }),
    });
    const call = trpc.accounts.list.query(undefined, { signal: controller.signal });
    setTimeout(() => controller.abort(), 10);
    await expect(call).rejects.toThrow(/abort/i);
  });

  test('without an address is rejected on creation', () => {
    expect(() => trpcLinks({ ...credentials, base_url: undefined, ads_base_url: undefined })).toThrow(CredentialsError);
  });

  test('without the address for a call rejects that call', async () => {
    const { fetch, sent } = fakeServer();
    const reader = createTrpcClient({ ...credentials, ads_base_url: undefined }, { fetch });
    await expect(reader.accounts.list.query()).rejects.toThrow('"ads_base_url"');
    const advertiser = createTrpcClient({ ...credentials, base_url: undefined }, { fetch });
    await expect(advertiser.posts.lookup.query({ ids: ['1'] })).rejects.toThrow('"base_url"');
    expect(sent).toEqual([]);
  });

  test('reads data at the base address, as the app if possible and otherwise as the user', async () => {
    const { sent, trpc } = setUp({ data: [{ id: '1', text: 'One' }] });
    const found = await trpc.posts.lookup.query({ ids: ['1'] });
    expect(found.data?.[0]?.text).toBe('One');
    const { url, headers } = only(sent);
    expect(`${url.origin}${url.pathname}`).toBe('http://api.test/trpc/posts.lookup');
    expect(headers.get('authorization')).toBe('Bearer bt');
    const { fetch, sent: signed } = fakeServer(reply({}));
    await createTrpcClient({ ...credentials, bearer_token: undefined }, { fetch }).posts.lookup.query({ ids: ['1'] });
    expect(only(signed).headers.get('authorization')).toMatch(/^OAuth .*oauth_token="at"/);
  });
});
