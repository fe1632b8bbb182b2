/** Operations that are known at run time only. */
import { contract } from '@broadside/core';
import { expect, test } from 'vitest';
import { createClient } from './client.ts';
import { CallError } from './errors.ts';
import { answer, campaign, page } from './testing/campaign.ts';
import { credentials, fakeServer, only, rejection, type Step } from './testing/fake-server.ts';

const target = { account_id: 'abc1', campaign_id: '8wku2' };

function setUp(...script: Step[]) {
  const { fetch, sent } = fakeServer(...script);
  return { client: createClient(credentials, { fetch, retry: false }), sent };
}

test.each([
  ['an operation of the contract', contract.campaigns.get],
  ['an id', { id: 'campaigns.get' }],
])('are called by %s', async (_, operation) => {
  const { client, sent } = setUp(answer(campaign()));
  expect(await client.call(operation, target)).toMatchObject({
    id: '8wku2',
    daily_budget_amount_local_micro: 55_000_000n,
  });
  expect(only(sent).url.pathname).toBe('/12/accounts/abc1/campaigns/8wku2');
});

test('may read data or be a step of an upload', async () => {
  const { client, sent } = setUp({ body: '{"data":[{"id":"1","text":"a"}]}' }, { body: '', status: 204 });
  expect(await client.call({ id: 'posts.lookup' }, { ids: ['1'] })).toEqual({ data: [{ id: '1', text: 'a' }] });
  const media = new Uint8Array([1]);
  expect(await client.call({ id: 'media_v1.append' }, { media_id: '1', segment_index: 0, media })).toEqual({});
  expect(sent.map(({ url }) => url.pathname)).toEqual(['/2/posts', '/1.1/media/upload.json']);
});

test('are iterated as lists', async () => {
  const { client } = setUp(page(['a'], 'c2'), page(['b'], null));
  const ids: unknown[] = [];
  for await (const entity of client.list({ id: 'campaigns.list' }, { account_id: 'abc1' })) ids.push(entity);
  expect(ids).toMatchObject([{ id: 'a' }, { id: 'b' }]);
});

test('fail before anything is sent when the client does not know them, or they are of another kind', async () => {
  const { client, sent } = setUp();
  const unknown = { id: 'campaigns.archive' };
  for (const promise of [client.call(unknown, target), client.lookup(unknown, {})]) {
    const { message } = await rejection(CallError, promise);
    expect(message).toBe('This client knows no operation "campaigns.archive".');
  }
  expect(() => client.list(unknown, {})).toThrow(CallError);
  expect(() => client.list(contract.campaigns.get, target)).toThrow('campaigns.get is not a list; use call().');
  const { message } = await rejection(CallError, client.lookup(contract.campaigns.get, target));
  expect(message).toBe('campaigns.get is no lookup; use call().');
  expect(sent).toEqual([]);
});
