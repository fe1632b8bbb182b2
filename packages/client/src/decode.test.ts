import { expect, test } from 'vitest';
import { createClient } from './client.ts';
import { UnexpectedResponseError } from './errors.ts';
import { answer, campaign, page } from './testing/campaign.ts';
import { credentials, type FakeAnswer, fakeServer, rejection } from './testing/fake-server.ts';

const target = { account_id: 'abc1', campaign_id: '8wku2' };

function clientOf(...script: FakeAnswer[]) {
  return createClient(credentials, { fetch: fakeServer(...script).fetch, retry: false });
}

test('amounts are bigint regardless of size, with every digit', async () => {
  const client = clientOf(
    answer(campaign({ daily_budget_amount_local_micro: 5, total_budget_amount_local_micro: 9_007_199_254_740_993n })),
  );
  const { daily_budget_amount_local_micro, total_budget_amount_local_micro } = await client.campaigns.get(target);
  expect(daily_budget_amount_local_micro).toBe(5n);
  expect(total_budget_amount_local_micro).toBe(9_007_199_254_740_993n);
});

test('whole numbers that are not amounts remain numbers', async () => {
  const client = clientOf(page([], null, { total_count: 12 }));
  expect((await client.campaigns.list({ account_id: 'abc1', with_total_count: true })).total_count).toBe(12);
});

test('additions by a newer server do not break an older client', async () => {
  const client = clientOf(
    answer(
      campaign({
        effective_status: 'DREAMING',
        reasons_not_servable: ['PAUSED_BY_ADVERTISER', 'FULL_MOON'],
        daily_budget_amount_local_micro: 0,
        mood: { colour: 'blue' },
      }),
    ),
  );
  expect(await client.campaigns.get(target)).toMatchObject({
    effective_status: 'DREAMING',
    reasons_not_servable: ['PAUSED_BY_ADVERTISER', 'FULL_MOON'],
    daily_budget_amount_local_micro: 0n,
    mood: { colour: 'blue' },
  });
});

test('an optional member may be absent, and is then absent', async () => {
  const { industry_type: _, ...account } = {
    industry_type: null,
    id: 'abc1',
    name: 'A',
    business_name: null,
    business_id: null,
    timezone: 'UTC',
    timezone_switch_at: null,
    approval_status: 'ACCEPTED',
    created_at: '2026-01-15T08:00:00Z',
    updated_at: '2026-01-15T08:00:00Z',
    deleted: false,
  };
  expect(await clientOf(answer(account)).accounts.get({ account_id: 'abc1' })).toStrictEqual(account);
});

const { name: _, ...nameless } = campaign();

test.each<[string, FakeAnswer, RegExp]>([
  ['an HTML page from a proxy', { body: '<html>Welcome</html>' }, /not a JSON object with "data".*<html>Welcome/],
  ['an empty body', { body: '' }, /an empty body/],
  ['a list in place of an entity', answer([campaign()]), /"data" is not what the contract says/],
  ['a missing member', answer(nameless), /"data\.name" is missing/],
  [
    'an amount that is not a whole number',
    answer(campaign({ daily_budget_amount_local_micro: 1.5 })),
    /daily_budget_amount/,
  ],
  ['null for a member that is not nullable', answer(campaign({ name: null })), /"data\.name" is not/],
  ['no data', { body: '{"request":{}}' }, /"data"/],
  ['a response with status 301', { status: 301, headers: { location: 'http://elsewhere.test/' }, body: '' }, /301/],
])('%s is reported as an unexpected response', async (_, script, message) => {
  const error = await rejection(UnexpectedResponseError, clientOf(script).campaigns.get(target));
  expect(error.message).toMatch(message);
  expect(error.text).toBe(script.body);
  expect(error.sent.operation).toBe('campaigns.get');
});
