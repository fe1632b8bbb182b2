import { describe, expect, test } from 'vitest';
import { createClient } from './client.ts';
import { CallError } from './errors.ts';
import { answer, campaign } from './testing/campaign.ts';
import { credentials, fakeServer, only, rejection, type Step } from './testing/fake-server.ts';

const LARGE = 9_007_199_254_740_993n;

function setUp(...script: Step[]) {
  const server = fakeServer(...script);
  return { ...server, client: createClient(credentials, { fetch: server.fetch, environment: 'sandbox' }) };
}

describe('the place of parameters', () => {
  test('a create sends a form, and the account in the path only', async () => {
    const { client, sent } = setUp(answer(campaign()));
    await client.campaigns.create({
      account_id: 'abc1',
      funding_instrument_id: 'lygyi',
      name: 'Früh & spät = 100 %',
      daily_budget_amount_local_micro: LARGE,
      standard_delivery: false,
      purchase_order_number: undefined,
    });
    const { method, url, form, headers } = only(sent);
    expect(method).toBe('POST');
    expect(url.href).toBe('http://sandbox.test/12/accounts/abc1/campaigns');
    expect(headers.get('content-type')).toBe('application/x-www-form-urlencoded');
    expect(form).toEqual([
      ['funding_instrument_id', 'lygyi'],
      ['name', 'Früh & spät = 100 %'],
      ['daily_budget_amount_local_micro', '9007199254740993'],
      ['standard_delivery', 'false'],
    ]);
  });

  test('a read sends a query and no body', async () => {
    const { client, sent } = setUp(answer([], { next_cursor: null }));
    await client.line_items.list({
      account_id: 'abc1',
      campaign_ids: ['8wku2', '8wku3'],
      with_deleted: true,
      q: 'a b+c',
    });
    const { method, url, query, body } = only(sent);
    expect([method, url.pathname, body]).toEqual(['GET', '/12/accounts/abc1/line_items', undefined]);
    expect(query).toEqual([
      ['campaign_ids', '8wku2,8wku3'],
      ['with_deleted', 'true'],
      ['q', 'a b+c'],
    ]);
  });

  test('a DELETE sends a query', async () => {
    const { client, sent } = setUp(answer(['CPI_CHARGING']));
    await client.features.remove({ account_id: 'abc1', feature_keys: ['AGE_TARGETING', 'DR_TAP'] });
    const { method, query, body } = only(sent);
    expect([method, body]).toEqual(['DELETE', undefined]);
    expect(query).toEqual([['feature_keys', 'AGE_TARGETING,DR_TAP']]);
  });

  test('a write without parameters has no body', async () => {
    const { client, sent } = setUp(answer({}), answer({}));
    await client.accounts.create().catch(() => {});
    const { body, headers, url } = only(sent);
    expect([url.pathname, body, headers.get('content-type')]).toEqual(['/12/accounts', undefined, null]);
  });

  test('a batch is a JSON array with exact numbers, dates as text, and null for removed values', async () => {
    const { client, sent } = setUp(answer([campaign(), campaign()]));
    await client.campaigns.batch({
      account_id: 'abc1',
      operations: [
        {
          operation_type: 'Create',
          params: { funding_instrument_id: 'lygyi', name: 'One', daily_budget_amount_local_micro: LARGE },
        },
        { operation_type: 'Update', params: { campaign_id: '8wku2', total_budget_amount_local_micro: null } },
      ],
    });
    const { url, body, headers } = only(sent);
    expect(url.href).toBe('http://sandbox.test/12/batch/accounts/abc1/campaigns');
    expect(headers.get('content-type')).toBe('application/json');
    expect(body).toBe(
      '[{"operation_type":"Create","params":{"funding_instrument_id":"lygyi","name":"One",' +
        '"daily_budget_amount_local_micro":9007199254740993}},' +
        '{"operation_type":"Update","params":{"campaign_id":"8wku2","total_budget_amount_local_micro":null}}]',
    );
  });

  test('dates become ISO text', async () => {
    const { client, sent } = setUp(answer({}));
    const start_time = new Date(Date.UTC(2026, 1, 1, 12));
    await client.line_items.update({ account_id: 'abc1', line_item_id: 'bw2rq', start_time }).catch(() => {});
    expect(only(sent).form).toEqual([['start_time', '2026-02-01T12:00:00.000Z']]);
  });

  test('null is sent as an empty value for a parameter that can be removed', async () => {
    const { client, sent } = setUp(answer(campaign()));
    await client.campaigns.update({ account_id: 'abc1', campaign_id: '8wku2', purchase_order_number: null });
    expect(only(sent).form).toEqual([['purchase_order_number', '']]);
  });

  test('values of the path are encoded, so that they remain one segment', async () => {
    const { client, sent } = setUp(answer(campaign()));
    await client.campaigns.get({ account_id: 'a/b?c', campaign_id: 'ü%2F' });
    expect(only(sent).url.pathname).toBe('/12/accounts/a%2Fb%3Fc/campaigns/%C3%BC%252F');
  });
});

describe('values that cannot be sent exactly are rejected before sending', () => {
  const call = { account_id: 'abc1', funding_instrument_id: 'lygyi', name: 'One' };
  const cases: [string, (client: ReturnType<typeof setUp>['client']) => PromiseLike<unknown>, string, RegExp][] = [
    [
      'an empty part of the path',
      (c) => c.campaigns.get({ account_id: '', campaign_id: 'x' }),
      'account_id',
      /part of the path/,
    ],
    [
      'a dot segment',
      (c) => c.campaigns.get({ account_id: 'a', campaign_id: '..' }),
      'campaign_id',
      /part of the path/,
    ],
    [
      'a number that is not exact',
      (c) => c.campaigns.create({ ...call, daily_budget_amount_local_micro: 2 ** 53 }),
      'daily_budget_amount_local_micro',
      /bigint/,
    ],
    [
      'NaN',
      (c) => c.campaigns.create({ ...call, daily_budget_amount_local_micro: Number.NaN }),
      'daily_budget_amount_local_micro',
      /finite/,
    ],
    [
      'an invalid date',
      (c) => c.line_items.update({ account_id: 'a', line_item_id: 'b', end_time: new Date('soon') }),
      'end_time',
      /valid date/,
    ],
    [
      'a comma inside a list',
      (c) => c.campaigns.list({ account_id: 'a', campaign_ids: ['one,two'] }),
      'campaign_ids',
      /without a comma/,
    ],
    [
      'a number that is not exact inside a batch',
      (c) =>
        c.campaigns.batch({
          account_id: 'a',
          operations: [{ operation_type: 'Create', params: { ...call, total_budget_amount_local_micro: 2 ** 60 } }],
        }),
      'operations[0].params.total_budget_amount_local_micro',
      /bigint/,
    ],
  ];

  test.each(cases)('%s', async (_, run, parameter, message) => {
    const { client, sent } = setUp();
    const error = await rejection(CallError, run(client));
    expect(error.parameter).toBe(parameter);
    expect(error.message).toMatch(message);
    expect(sent).toEqual([]);
  });

  test('null for a parameter that cannot be removed', async () => {
    const { client, sent } = setUp();
    const update: { account_id: string; campaign_id: string } = Object.assign(
      { account_id: 'abc1', campaign_id: '8wku2' },
      { name: null },
    );
    const error = await rejection(CallError, client.campaigns.update(update));
    expect(error.parameter).toBe('name');
    expect(sent).toEqual([]);
  });
});
