/** The rules of faults as the operator makes them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { worldsServer } from '../worlds/testing/worlds-server.ts';

const path = '/worlds/default/faults';

test('are created, listed with their counts, and deleted; a restart keeps them', async () => {
  const directory = temporaryDirectory();
  const first = await worldsServer(directory);
  const effect = { status: 503, retry_after: 7 };
  const made = await first.control('POST', path, { match: { operation: 'features.list' }, effect, times: 3 });
  expect(made).toMatchObject({
    status: 200,
    body: {
      data: {
        id: 'f1',
        match: { operation: ['features.list'] },
        effect,
        times: 3,
        until: null,
        matched: 0,
        fired: 0,
        active: true,
      },
    },
  });
  // Of a proxy, before anybody is asked who calls.
  const url = `${first.server.urls.ads}/12/accounts/abc/features`;
  const answer = await fetch(url);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '7']);
  const second = await first.control('POST', path, {
    effect: { latency: { p50_ms: 1, p99_ms: 20 } },
    ttl_seconds: 3600,
  });
  expect(second.body.data).toMatchObject({ id: 'f2', match: {}, effect: { latency: { p50_ms: 1, p99_ms: 20 } } });
  await first.server.close();

  const { control, server } = await worldsServer(directory);
  const listed = await control('GET', path);
  expect(listed.body.data).toMatchObject([{ id: 'f1', matched: 1, fired: 1 }, { id: 'f2' }]);
  expect((await fetch(`${server.urls.ads}/12/accounts/abc/features`)).status).toBe(503);
  expect((await control('GET', `${path}/f1`)).body.data).toMatchObject({ fired: 2 });
  expect((await control('DELETE', `${path}/f1`)).body.data).toMatchObject({ id: 'f1', active: false });
  expect(await control('DELETE', `${path}/f1`)).toMatchObject({
    status: 404,
    body: { errors: [{ code: 'FAULT_NOT_FOUND', parameter: 'fault_id', value: 'f1' }] },
  });
  expect((await control('DELETE', path)).body.data).toMatchObject([{ id: 'f2' }]);
  expect((await control('GET', path)).body.data).toEqual([]);
  expect((await fetch(`${server.urls.ads}/12/accounts/abc/features`)).status).toBe(401);
});

test('are active until they have met the first calls that they are for, fired or not', async () => {
  const { control, server } = await worldsServer();
  const match = { operation: 'features.list', every: 2, first: 3 };
  await control('POST', path, { match, effect: { status: 503 } });
  for (const [n, [active, fired]] of [[true, 0] as const, [true, 1] as const, [false, 1] as const].entries()) {
    await fetch(`${server.urls.ads}/12/accounts/abc/features`);
    expect((await control('GET', `${path}/f1`)).body.data).toMatchObject({ matched: n + 1, fired, active });
  }
});

test('end with the window of their rate limit, whichever clock limits pass by afterwards', async () => {
  const { control, server } = await worldsServer();
  const world = (await control('POST', '/worlds', { from: { demo: true } })).body.data;
  const rules = `/worlds/${world.id}/faults`;
  const clock = `/worlds/${world.id}/clock`;
  const headers = { authorization: `Bearer ${world.credentials.bearer_token}` };
  const status = async () => (await fetch(`${server.urls.api}/2/posts?ids=1`, { headers })).status;
  const active = async () => (await control('GET', `${rules}/f1`)).body.data.active;
  await control('PUT', clock, { limits: 'world', frozen: true });
  await control('POST', rules, { effect: { rate_limit: { seconds: 60 } } });
  expect(await status()).toBe(429);
  await control('POST', `${clock}/advance`, { by: 'PT30S' });
  await control('PUT', clock, { limits: 'wall' });
  expect([await active(), await status()], 'half of it is left').toEqual([true, 429]);
  await control('PUT', clock, { limits: 'world' });
  await control('POST', `${clock}/advance`, { by: 'PT1H' });
  expect([await active(), await status()]).toEqual([false, 200]);
  await control('PUT', clock, { limits: 'wall' });
  await control('POST', rules, { effect: { latency: 1 } });
  expect([await active(), await status()]).toEqual([false, 200]);
});

test('concern one world only', async () => {
  const { control, server } = await worldsServer();
  const world = (await control('POST', '/worlds', { from: { demo: true } })).body.data;
  await control('POST', `/worlds/${world.id}/faults`, { effect: { status: 500 } });
  expect((await control('GET', path)).body.data).toEqual([]);
  expect((await control('GET', `/worlds/${world.id}/faults`)).body.data).toMatchObject([{ id: 'f1' }]);
  const bearer = (token: string) =>
    fetch(`${server.urls.api}/2/posts?ids=1`, { headers: { authorization: `Bearer ${token}` } });
  expect((await bearer(world.credentials.bearer_token)).status).toBe(500);
  expect((await bearer('no such token')).status).toBe(401);
});

test('do not keep a server or a world from closing', async () => {
  const { control, server } = await worldsServer();
  const world = (await control('POST', '/worlds', { from: { demo: true } })).body.data;
  for (const id of ['default', world.id]) {
    await control('POST', `/worlds/${id}/faults`, { effect: { latency: 300_000 } });
  }
  const authorization = `Bearer ${world.credentials.bearer_token}`;
  const waiting = [fetch(`${server.urls.api}/2/posts?ids=1`, { headers: { authorization } })];
  await expect.poll(async () => (await control('GET', `/worlds/${world.id}/faults/f1`)).body.data.fired).toBe(1);
  expect((await control('DELETE', `/worlds/${world.id}`)).status).toBe(200);
  expect((await waiting[0])?.status).toBe(200);
  waiting.push(fetch(`${server.urls.ads}/12/accounts`));
  await expect.poll(async () => (await control('GET', `${path}/f1`)).body.data.fired).toBe(1);
  await server.close();
  expect((await waiting[1])?.status).toBe(401);
});

test('are rejected where they make no sense, with what would', async () => {
  const { control } = await worldsServer();
  const effect = { status: 500 };
  const of = (operation: unknown) => ({ match: { operation }, effect });
  const cases: [rule: unknown, parameter: string, message: RegExp][] = [
    [of('campaign.create'), 'match.operation', /no operation "campaign\.create".*; did you mean campaigns\.create\?/],
    [of(['campaigns.*', 'campains.*']), 'match.operation', /did you mean campaigns\.\*\?/],
    [of('admin.users.create'), 'match', /of the operator/],
    [of('control.worlds.create'), 'match', /of the operator/],
    [{ match: { path: '/2/nothing' }, effect }, 'match', /No operation matches/],
    [{ match: { path: '12/accounts' }, effect }, 'match.path', /Expected a path such as/],
    [{ match: { kind: 'reads' }, effect }, 'match.kind', /one of read, write/],
    [
      { match: { operations: 'campaigns.list' }, effect },
      'match',
      /^"operations" is no member of match; did you mean "operation"\?$/,
    ],
    [{ match: { probability: 2 }, effect }, 'match.probability', /a number from 0 to 1/],
    [{ effect: { latency: { p50: 100 } } }, 'effect.latency', /did you mean "p50_ms"/],
    [{}, 'effect', /effect/],
    [{ effect: {} }, 'effect', /^effect is missing: expected \{"status": 503\} or another of error, status/],
    [{ effect: { status: 501 } }, 'effect.status', /one of 500, 502, 503/],
    [{ effect: { status: 500, error: 'INTERNAL_ERROR' } }, 'effect.status', /cannot be used together/],
    [{ effect: { body: 'cut', drop: 'mid_body' } }, 'effect.body', /cannot be used together/],
    [{ effect: { latency: 100, retry_after: 3 } }, 'effect.retry_after', /beside a failure/],
    [{ effect: { latency: { p99_ms: 1, p50_ms: 3 } } }, 'effect.latency', /do not fall/],
    [{ effect: { latency: { min_ms: 1 } } }, 'effect.latency', /percentiles/],
    [
      { effect: { latency: { p51_ms: 1 } } },
      'effect.latency',
      /^"p51_ms" is no member of effect.latency; did you mean "p50_ms"\?$/,
    ],
    [{ effect: { rate_limit: {} } }, 'effect.rate_limit.until', /it or seconds/],
    [{ effect: { media_processing: { fail: true }, status: 500 } }, 'effect.media_processing', /together/],
    [{ effect: { media_processing: {} } }, 'effect.media_processing.fail', /it, delay_seconds or hold/],
    [
      { effect: { media_processing: { hold: true, fail: true } } },
      'effect.media_processing.hold',
      /media_processing.fail/,
    ],
    [
      { effect: { media_processing: { hold: true, delay_seconds: 1 } } },
      'effect.media_processing.hold',
      /media_processing.delay_seconds/,
    ],
    [{ match: { operation: 'media.append' }, effect: { media_processing: { fail: true } } }, 'match.operation', /./],
    [{ effect, ttl_seconds: 5, until: '2030-01-01T00:00:00Z' }, 'ttl_seconds', /together/],
    [{ effect, times: 0 }, 'times', /greater than zero|from 1/],
    [{ effect, until: '2001-01-01T00:00:00Z' }, 'until', /a time after the world’s, /],
    [
      { effect: { rate_limit: { until: '2001-01-01T00:00:00Z' } } },
      'effect.rate_limit.until',
      /a time after that of rate limits, /,
    ],
  ];
  for (const [rule, parameter, message] of cases) {
    const { status, body } = await control('POST', path, rule);
    const said = JSON.stringify({ rule, body });
    expect.soft(status, said).toBe(400);
    expect.soft(body.errors[0].parameter, said).toBe(parameter.split('.')[0]);
    expect.soft(body.errors[0].message, said).toContain(parameter);
    expect.soft(body.errors[0].message, said).toMatch(message);
  }
  const { body } = await control('POST', path, {
    match: { operation: 'campaigns.create' },
    effect: { error: 'CAMPAIGN_NOT_FOUND' },
  });
  expect(body.errors[0].message).toMatch(
    /campaigns\.create does not answer "CAMPAIGN_NOT_FOUND"\. It answers .*TOO_MANY_CAMPAIGNS.*INTERNAL_ERROR/,
  );
  const near = await control('POST', path, {
    match: { operation: 'campaigns.get' },
    effect: { error: 'campaign_not_found' },
  });
  expect(near.body.errors[0].message).toContain('"campaign_not_found"; did you mean CAMPAIGN_NOT_FOUND? It answers');
  const wrongLatency = await control('POST', path, { effect: { latency: { p50_ms: 'x' } } });
  expect(wrongLatency.body.errors).toMatchObject([{ message: expect.stringContaining('effect.latency.p50_ms') }]);
  const several = await control('POST', path, {
    match: { operation: 'campaigns.*' },
    effect: { error: 'CAMPAIGN_NOT_FOUND' },
  });
  expect(several.body.errors[0].message).toMatch(/campaigns\.\w+ does not answer.*All \d operations answer/);
  expect((await control('GET', path)).body.data).toEqual([]);
});

test('are rejected on an account that no call can be let into and on callers that there are not, and taken on any other', async () => {
  const { control, directory } = await worldsServer();
  const { account_id, sandbox_account_id, user_id } = JSON.parse(
    readFileSync(join(directory, 'credentials.json'), 'utf8'),
  );
  const rule = (match: object) => control('POST', path, { match, effect: { status: 500 } });
  for (const [match, message] of [
    [{ account: 'nothere' }, 'The account nothere for match.account does not exist in production or sandbox'],
    [
      { account: account_id, environment: 'sandbox' },
      `The account ${account_id} for match.account does not exist in sandbox; it is one of production: give match.environment=production`,
    ],
  ] as const) {
    expect(await rule(match)).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'INVALID_PARAMETER', parameter: 'match', value: match.account, message }] },
    });
  }
  // Nor by an app or a user that there is not.
  for (const caller of ['app', 'user']) {
    const message = `The ${caller} "99" for match.${caller} does not exist in this world`;
    expect(await rule({ [caller]: '99' })).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'INVALID_PARAMETER', parameter: 'match', value: '99', message }] },
    });
  }
  expect((await rule({ user: user_id })).status).toBe(200);
  for (const account of [account_id, sandbox_account_id]) expect((await rule({ account })).status).toBe(200);
  expect((await rule({ account: account_id, environment: 'production' })).status).toBe(200);
});
