/** Bearer tokens of apps, and what holds for all endpoints: specification A, Authentication endpoints, Errors, Limits. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { basic, type KeyedApp, Provider, rejected } from '../../oauth/attacks/provider.ts';
import type { Person } from '../../oauth/attacks/visitor.ts';
import { about } from '../../support/scenario.ts';
import { closeSetting, openSetting, type Setting } from './setting.ts';

let setting: Setting;
let provider: Provider;
let app: KeyedApp;
let anna: Person;

beforeAll(async () => {
  setting = await openSetting();
  ({ provider, app, anna } = setting);
});
afterAll(() => closeSetting(setting));

test(about('A-BEARER'), async () => {
  const answer = await provider.askBearer(basic(app.consumer_key, app.consumer_secret));
  expect(answer).toMatchObject({
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  });
  expect(answer.body).toEqual({ token_type: 'bearer', access_token: expect.stringMatching(/^A{20,}[\w%]{80,}$/) });
});

test(about('A-BEARER-ENCODED'), async () => {
  const encoded = (text: string) =>
    [...text].map((char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`).join('');
  const value = `${encoded(app.consumer_key)}:${encoded(app.consumer_secret)}`;
  expect((await provider.askBearer(`Basic ${Buffer.from(value).toString('base64')}`)).status).toBe(200);
});

test(about('A-BEARER-GRANT'), async () => {
  const authorization = basic(app.consumer_key, app.consumer_secret);
  const request = {
    listener: 'api',
    method: 'POST',
    path: '/oauth2/token',
    as: null,
    headers: { authorization },
  } as const;
  expect((await provider.world.request({ ...request, form: { grant_type: 'client_credentials' } })).status).toBe(200);
  expect((await provider.world.request({ ...request, query: { grant_type: 'client_credentials' } })).status).toBe(200);
  for (const form of [{}, { grant_type: '' }, { grant_type: 'password' }, { grant_type: 'CLIENT_CREDENTIALS' }]) {
    expect(await provider.world.request({ ...request, form })).toMatchObject(rejected(403, 99));
  }
});

test(about('A-BEARER-ONE'), async () => {
  const its = await provider.app();
  const token = await provider.bearer(its);
  provider.world.clock.advance(86_400_000);
  expect(await provider.bearer(its)).toBe(token);
  await provider.world.reopen();
  expect(await provider.bearer(its)).toBe(token);
  expect(await provider.bearer(app)).not.toBe(token);
});

test(about('A-BEARER-REFUSED'), async () => {
  const label = 'authenticity_token_error';
  const message = 'Unable to verify your credentials';
  for (const authorization of [
    basic(app.consumer_key, 'wrong'),
    basic('unknown', 'x'),
    'Basic',
    'Basic ***',
    `Bearer ${app.consumer_secret}`,
    undefined,
  ]) {
    expect(await provider.askBearer(authorization)).toMatchObject(rejected(403, 99, { label, message }));
  }
});

test(about('A-BEARER-FREQUENT'), async () => {
  await using limited = await Provider.open({ rateLimits: { 'auth.bearer': { limit: 2 } } });
  const its = await limited.app();
  await limited.bearer(its);
  await limited.bearer(its);
  expect(await limited.askBearer(basic(its.consumer_key, its.consumer_secret))).toMatchObject(rejected(403, 99));
});

test(about('A-BEARER-INVALIDATE'), async () => {
  const owners = await provider.issued(app, anna);
  const bearer = await provider.bearer(app);
  expect(await provider.invalidateBearer(app, owners, bearer)).toMatchObject({
    status: 200,
    body: { access_token: bearer },
  });
  expect(await provider.invalidateBearer(app, owners, bearer)).toMatchObject(rejected(403, 99));
  expect(await provider.bearer(app)).not.toBe(bearer);
});

test(about('A-BEARER-INVALIDATE-OWNER'), async () => {
  const bearer = await provider.bearer(app);
  const other = await provider.issued(app, provider.world.user);
  expect(await provider.invalidateBearer(app, other, bearer)).toMatchObject(rejected(403, 99));
  expect(await provider.bearer(app)).toBe(bearer);
});

test(about('A-BEARER-INVALIDATE-BASIC'), async () => {
  const bearer = await provider.bearer(app);
  const headers = { authorization: basic(app.consumer_key, app.consumer_secret) };
  const request = { listener: 'api', method: 'POST', path: '/oauth2/invalidate_token', as: null, headers } as const;
  expect(await provider.world.request({ ...request, form: { access_token: bearer } })).toMatchObject({
    status: 200,
    body: { access_token: bearer },
  });
  expect(await provider.bearer(app)).not.toBe(bearer);
});

test(about('A-BEARER-INVALIDATE-TOKEN'), async () => {
  const owners = await provider.issued(app, anna);
  const bearer = await provider.bearer(app);
  for (const query of [{}, { access_token: '' }, { access_token: `${bearer}x` }]) {
    expect(await provider.call('/oauth2/invalidate_token', app, owners, { query })).toMatchObject(rejected(403, 99));
  }
  expect(await provider.bearer(app)).toBe(bearer);
});

test(about('A-AUTH-ERRORS'), async () => {
  for (const answer of [
    await provider.askRequestToken(app, 'https://evil.example'),
    await provider.exchange(app, await provider.requestToken(app), 'x'),
    await provider.askBearer(undefined),
    await provider.world.request({ listener: 'api', method: 'POST', path: '/1.1/oauth/invalidate_token', as: null }),
    await provider.world.request({ listener: 'api', path: '/oauth/nothing', as: null }),
  ]) {
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.body).toEqual({
      errors: [expect.objectContaining({ code: expect.any(Number), message: expect.stringMatching(/./) })],
    });
  }
});

test(about('A-AUTH-RATE'), async () => {
  await using limited = await Provider.open({ rateLimits: { 'auth.token': { limit: 2 } } });
  const its = await limited.app();
  const pair = await limited.requestToken(its);
  expect((await limited.askRequestToken(its)).headers).toMatchObject({
    'x-rate-limit-limit': '2',
    'x-rate-limit-remaining': '0',
  });
  expect(await limited.askRequestToken(its)).toMatchObject(rejected(429, 88));
  expect(await limited.exchange(its, pair, 'x')).toMatchObject(rejected(401, 32));
});

test(about('A-AUTH-METHOD'), async () => {
  for (const path of [
    '/oauth/request_token',
    '/oauth/access_token',
    '/1.1/oauth/invalidate_token',
    '/oauth2/token',
    '/oauth2/invalidate_token',
  ]) {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await provider.world.request({ listener: 'api', method, path, as: null });
      expect(answer).toMatchObject({ ...rejected(405, 34), headers: { allow: 'POST' } });
    }
  }
  for (const path of ['/oauth/authorize', '/oauth/authenticate']) {
    const answer = await provider.world.request({ listener: 'api', method: 'PUT', path, as: null });
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, POST' } });
  }
});
