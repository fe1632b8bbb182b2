/** Faults as requests meet them, in process: which calls a rule concerns, what they are answered with, and how it is counted. */
import type { FaultRule } from '@broadside/core/resources/control/faults';
import { beforeAll, describe, expect, test } from 'vitest';
import { origins } from '../adapters/testing/world.ts';
import { faultStage } from './testing/fault-stage.ts';

const stage = faultStage();

const faults = () => stage().world.faults;
const inject = (rule: FaultRule) => faults().create(rule);
const campaigns = () => `${origins.ads}/12/accounts/${stage().credentials.account_id}/campaigns`;
const list = () => stage().fetch(campaigns(), {}, true);
const create = (
  name: string,
  fetchFrom = campaigns(),
  funding_instrument_id = funding[stage().credentials.account_id] ?? '',
) => {
  const query = new URLSearchParams({
    name,
    funding_instrument_id,
    daily_budget_amount_local_micro: '5000000',
  });
  return stage().fetch(`${fetchFrom}?${query}`, { method: 'POST' }, true);
};
const funding: Record<string, string> = {};
beforeAll(async () => {
  const { account_id } = stage().credentials;
  const answer = await stage().fetch(`${origins.ads}/12/accounts/${account_id}/funding_instruments`, {}, true);
  const { data } = (await answer.json()) as { data: { id: string }[] };
  funding[account_id] = data[0]?.id ?? '';
});

async function names(): Promise<string[]> {
  const answer = await stage().fetch(`${campaigns()}?count=1000`, {}, true);
  const { data } = (await answer.json()) as { data: { name: string }[] };
  return data.map(({ name }) => name);
}

/** Headers of an answer but for those that differ from one request to the next. */
function headersOf({ headers }: Response): Record<string, string> {
  const own = [
    'date',
    'x-request-id',
    'content-length',
    'connection',
    'keep-alive',
    'x-rate-limit-remaining',
    'x-account-rate-limit-remaining',
  ];
  return Object.fromEntries([...headers].filter(([name]) => !own.includes(name)));
}

describe('the failure of a server', () => {
  test.each([
    [500, 'INTERNAL_ERROR'],
    [503, 'SERVICE_UNAVAILABLE'],
  ] as const)('%s is answered in place of the work, with the time to wait', async (status, code) => {
    const rule = await inject({
      match: { operation: ['campaigns.create'] },
      effect: { status, retry_after: 7 },
      times: 1,
    });
    const answer = await create(`failed ${status}`);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('retry-after')).toBe('7');
    expect(await answer.json()).toMatchObject({
      errors: [{ code }],
      request: { params: { name: `failed ${status}` } },
    });
    expect(rule).toMatchObject({ matched: 1, fired: 1 });
    expect((await create(`after ${status}`)).status).toBe(200);
    expect(rule).toMatchObject({ matched: 1, fired: 1 });
    const stored = await names();
    expect(stored).toContain(`after ${status}`);
    expect(stored).not.toContain(`failed ${status}`);
    expect(stage().log).toEqual([]);
  });

  test('502 is that of a proxy, which knows nothing of the interface', async () => {
    await inject({ effect: { status: 502 } });
    const answer = await list();
    expect(answer.status).toBe(502);
    expect(answer.headers.get('content-type')).toBe('text/html');
    expect(await answer.text()).toContain('502 Bad Gateway');
  });

  test('503 without a time says to wait as real ones do', async () => {
    await inject({ effect: { status: 503 } });
    expect((await list()).headers.get('retry-after')).toBe('5');
  });
});

describe('an error of the catalogue', () => {
  test('is answered exactly as the real one', async () => {
    const url = `${campaigns()}/nothere`;
    const real = await stage().fetch(url, {}, true);
    await inject({ match: { operation: ['campaigns.get'] }, effect: { error: 'CAMPAIGN_NOT_FOUND' } });
    const id = (await (await create('for an error')).json()) as { data: { id: string } };
    const injected = await stage().fetch(`${campaigns()}/${id.data.id}`, {}, true);
    expect(injected.status).toBe(real.status);
    expect(headersOf(injected)).toEqual(headersOf(real));
    expect((await injected.text()).replaceAll(id.data.id, 'nothere')).toBe(await real.text());
  });

  test('names a parameter of the body too, and on the account that of the path', async () => {
    await inject({ match: { operation: ['campaigns.create'] }, effect: { error: 'FUNDING_INSTRUMENT_NOT_FOUND' } });
    await inject({ match: { operation: ['campaigns.list'] }, effect: { error: 'ACCOUNT_NOT_FOUND' } });
    const errorOf = async (answer: Response) => {
      const { errors } = (await answer.json()) as { errors: unknown[] };
      return errors;
    };
    const parameter = 'funding_instrument_id';
    expect(await errorOf(await create('without money'))).toMatchObject([
      { code: 'FUNDING_INSTRUMENT_NOT_FOUND', parameter, value: funding[stage().credentials.account_id] },
    ]);
    expect(await errorOf(await list())).toMatchObject([
      { code: 'ACCOUNT_NOT_FOUND', parameter: 'account_id', value: stage().credentials.account_id },
    ]);
  });

  test('of the account is answered with the headers of the caller alone, like the real one', async () => {
    const real = await stage().fetch(`${origins.ads}/12/accounts/nothere/campaigns`, {}, true);
    await inject({ match: { operation: ['campaigns.list'] }, effect: { error: 'ACCOUNT_NOT_FOUND' } });
    const injected = await list();
    expect(headersOf(injected)).toEqual(headersOf(real));
    expect(((await injected.json()) as { errors: unknown[] }).errors).toMatchObject([{ code: 'ACCOUNT_NOT_FOUND' }]);
  });

  test('of authentication is answered before anything is counted', async () => {
    await inject({ match: { user: stage().credentials.user_id }, effect: { error: 'UNAUTHORIZED_ACCESS' } });
    const injected = await list();
    expect(injected.status).toBe(401);
    expect(injected.headers.get('x-rate-limit-limit')).toBeNull();
  });

  test('does not take the place of what is wrong with a call', async () => {
    const rule = await inject({ match: { operation: ['campaigns.create'] }, effect: { error: 'TOO_MANY_CAMPAIGNS' } });
    const answer = await stage().fetch(campaigns(), { method: 'POST' }, true);
    expect(await answer.json()).toMatchObject({ errors: [{ code: 'MISSING_PARAMETER' }, {}] });
    expect(rule).toMatchObject({ matched: 0, fired: 0 });
  });
});

test('a rate limit is used up until a time, with which the rule ends', async () => {
  const ends_s = Math.ceil(stage().world.wallClock.now() / 1000) + 3600;
  const until = new Date(ends_s * 1000).toISOString();
  const rule = await inject({ match: { operation: ['campaigns.list'] }, effect: { rate_limit: { until } } });
  const answer = await list();
  expect(answer.status).toBe(429);
  expect(answer.headers.get('x-rate-limit-remaining')).toBe('0');
  expect(answer.headers.get('x-rate-limit-reset')).toBe(`${ends_s}`);
  const wait_s = Number(answer.headers.get('retry-after'));
  expect(wait_s).toBeGreaterThan(3000);
  expect(wait_s).toBeLessThanOrEqual(3601);
  expect(rule.isActive(0, ends_s * 1000 - 1)).toBe(true);
  expect(rule.isActive(0, ends_s * 1000)).toBe(false);
});

test('a rate limit is used up for so many seconds from when it is met', async () => {
  await inject({ effect: { rate_limit: { seconds: 900 } } });
  const [one, other] = [await list(), await list()];
  expect([one.status, other.status]).toEqual([429, 429]);
  expect(other.headers.get('x-rate-limit-reset')).toBe(one.headers.get('x-rate-limit-reset'));
});

describe('the calls that a rule concerns', () => {
  const failing = { status: 500 } as const;

  test.each<[string, NonNullable<FaultRule['match']>, read: number, write: number]>([
    ['all', {}, 500, 500],
    ['one operation', { operation: ['campaigns.list'] }, 500, 200],
    ['several', { operation: ['campaigns.list', 'campaigns.create'] }, 500, 500],
    ['a family', { operation: ['campaigns.*'] }, 500, 500],
    ['another family', { operation: ['line_items.*'] }, 200, 200],
    ['reads', { kind: 'read' }, 500, 200],
    ['writes', { kind: 'write' }, 200, 500],
    ['the sandbox', { environment: 'sandbox' }, 200, 200],
    ['a path', { path: '/12/accounts/:account_id/campaigns' }, 500, 500],
    ['paths below', { path: '/12/accounts/*' }, 500, 500],
    ['another path', { path: '/12/accounts/:account_id/campaigns/:campaign_id' }, 200, 200],
    ['another account', { account: 'nothere' }, 200, 200],
    ['another user', { user: '1' }, 200, 200],
    ['another app', { app: '1' }, 200, 200],
  ])('are %s', async (_, match, read, write) => {
    await inject({ match, effect: failing });
    expect([(await list()).status, (await create('some call')).status]).toEqual([read, write]);
  });

  test('are those of an account, a user and an app', async () => {
    const { account_id: account, user_id: user, consumer_key } = stage().credentials;
    const app = (await stage().world.identity.signing.find(consumer_key, undefined))?.app_id ?? '';
    const rule = await inject({ match: { account, user, app }, effect: failing });
    expect((await list()).status).toBe(500);
    expect((await stage().fetch(`${origins.ads}/12/accounts`, {}, true)).status).toBe(200);
    expect(rule.fired).toBe(1);
  });

  test.each<[string, NonNullable<FaultRule['match']>, statuses: number[]]>([
    ['every third', { every: 3 }, [200, 200, 500, 200, 200, 500]],
    ['the first two', { first: 2 }, [500, 500, 200, 200]],
    ['those after two', { after: 2 }, [200, 200, 500, 500]],
    ['every second of the first three', { every: 2, first: 3 }, [200, 500, 200, 200]],
    ['none by chance', { probability: 0 }, [200, 200, 200]],
    ['all by chance', { probability: 1 }, [500, 500, 500]],
  ])('are %s', async (_, match, statuses) => {
    await inject({ match, effect: failing });
    const seen: number[] = [];
    for (const _status of statuses) seen.push((await list()).status);
    expect(seen).toEqual(statuses);
  });

  test('are a part by chance, which a restart does not change', async () => {
    const rule = await inject({ match: { operation: ['campaigns.list'], probability: 0.3 }, effect: failing });
    const seen: number[] = [];
    for (let i = 0; i < 60; i++) seen.push((await list()).status);
    expect(rule.fired).toBe(seen.filter((status) => status === 500).length);
    expect(rule.fired).toBeGreaterThan(4);
    expect(rule.fired).toBeLessThan(40);
    await faults().load();
    expect(faults().get(rule.id)).toMatchObject({ matched: 60, fired: rule.fired });
  });
});

describe('several rules', () => {
  test('are tried in the order of their creation, also where the later one could be decided earlier', async () => {
    const [one, other] = [
      await inject({ match: { operation: ['campaigns.list'] }, effect: { error: 'INVALID_PARAMETER' }, times: 1 }),
      await inject({ effect: { status: 503 } }),
    ];
    expect((await list()).status).toBe(400);
    expect([one.fired, other.fired]).toEqual([1, 0]);
    expect((await list()).status).toBe(503);
    expect([one.fired, other.fired]).toEqual([1, 1]);
  });

  test('add up their latencies, beside the one that decides', async () => {
    const rules = [
      await inject({ effect: { status: 500, latency: { ms: 30 } } }),
      await inject({ effect: { latency: { ms: 30 } } }),
      await inject({ effect: { latency: { min_ms: 30, max_ms: 40 } } }),
    ];
    // Timers count from the beginning of the turn of the event loop in which they are set.
    await new Promise((resolve) => setImmediate(resolve));
    const began = performance.now();
    expect((await list()).status).toBe(500);
    expect(performance.now() - began).toBeGreaterThan(80);
    expect(rules.map(({ fired }) => fired)).toEqual([1, 1, 1]);
  });
});

describe('the end of a rule', () => {
  test('is the last of its times, also among calls at once', async () => {
    const rule = await inject({ match: { operation: ['campaigns.list'] }, effect: { status: 500 }, times: 5 });
    const answers = await Promise.all(Array.from({ length: 20 }, list));
    expect(answers.filter(({ status }) => status === 500)).toHaveLength(5);
    expect(rule).toMatchObject({ fired: 5, matched: 5 });
    await faults().load();
    expect(faults().get(rule.id)).toMatchObject({ fired: 5, matched: 5 });
    expect(faults().armed).toBe(false);
  });

  test('is a time of the world', async () => {
    const rule = await inject({ effect: { status: 500 }, ttl_seconds: 3600 });
    expect(rule.row.until_ms).toBe(rule.row.created_ms + 3_600_000);
    expect((await list()).status).toBe(500);
    await faults().clear();
    await inject({ effect: { status: 500 }, ttl_seconds: 1 });
    await expect.poll(async () => (await list()).status).toBe(200);
  });

  test('is its deletion', async () => {
    const rule = await inject({ effect: { status: 500 } });
    expect(faults().armed).toBe(true);
    await faults().delete(rule.id);
    expect(faults().armed).toBe(false);
    expect((await list()).status).toBe(200);
    expect(await faults().delete(rule.id)).toBeUndefined();
    expect(await inject({ effect: { status: 500 } })).not.toMatchObject({ id: rule.id });
  });
});

test('a body that is cut is whole as a message', async () => {
  await inject({ effect: { body: 'cut' }, times: 1 });
  const answer = await list();
  expect(answer.status).toBe(200);
  const text = await answer.text();
  expect(answer.headers.get('content-length')).toBe(`${Buffer.byteLength(text)}`);
  expect(() => JSON.parse(text)).toThrow(SyntaxError);
  expect(text.startsWith('{"request"')).toBe(true);
});

test('a body that is no JSON has the type of one', async () => {
  await inject({ effect: { body: 'not_json' }, times: 1 });
  const answer = await list();
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await answer.text()).toContain('<!doctype html>');
});

test('a fault of answers to work that is done waits for a call that does it', async () => {
  const rule = await inject({ match: { operation: ['campaigns.create'] }, effect: { drop: 'after_commit' }, times: 1 });
  expect((await create('', campaigns())).status).toBe(400);
  expect(rule).toMatchObject({ matched: 0, fired: 0 });
  await expect(create('done, and not said')).rejects.toThrow();
  expect(await names()).toContain('done, and not said');
  expect(rule).toMatchObject({ matched: 1, fired: 1 });
});

test.each<[NonNullable<FaultRule['match']>, fired: boolean[]]>([
  [{ every: 2 }, [false, true, false, true]],
  [{ after: 1 }, [false, true, true, true]],
  [{ first: 1 }, [true, false, false, false]],
])('the calls among which %j chooses answers are those that do their work', async (match, fired) => {
  const rule = await inject({ match: { operation: ['campaigns.create'], ...match }, effect: { body: 'not_json' } });
  const seen: boolean[] = [];
  for (const [at] of fired.entries()) {
    expect((await create('rejected in its write', campaigns(), 'nothere')).status).toBe(404);
    seen.push((await (await create(`done ${at}`)).text()).startsWith('<'));
  }
  expect(seen).toEqual(fired);
  // Once it has met its first calls it is over, and counts no more of them.
  const matched = match.first ?? fired.length;
  expect(rule.matched).toBe(matched);
  await faults().load();
  expect(faults().get(rule.id)).toMatchObject({ matched, fired: rule.fired });
});

test.each<FaultRule['effect']>([{ drop: 'after_commit' }, { drop: 'mid_body' }, { body: 'not_json' }])(
  'the last fault of answers to work that is done, %j, waits for the next call where the write of one is rejected',
  async (effect) => {
    const rule = await inject({ match: { operation: ['campaigns.create'] }, effect, times: 1 });
    const answer = await create('rejected in its write', campaigns(), 'nothere');
    expect(await answer.json()).toMatchObject({ errors: [{ parameter: 'funding_instrument_id' }] });
    expect(rule).toMatchObject({ matched: 0, fired: 0 });
    expect([faults().isActive(rule), faults().armed]).toEqual([true, true]);
    await create(`done with ${JSON.stringify(effect)}`).catch(() => {});
    expect(rule).toMatchObject({ matched: 1, fired: 1 });
    expect(faults().armed).toBe(false);
  },
);

test('a connection that is dropped before the work leaves nothing', async () => {
  await inject({ match: { operation: ['campaigns.create'] }, effect: { drop: 'before_work' }, times: 1 });
  await expect(create('not done')).rejects.toThrow();
  expect(await names()).not.toContain('not done');
});
