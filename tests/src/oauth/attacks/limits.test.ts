/** Endpoints of authentication count their calls, and require HTTPS in production. */
import { rateBuckets } from '@broadside/core';
import { createApp, createLogger, createServices } from '@broadside/server';
import type { TestRequest } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { about } from '../../support/scenario.ts';
import { basic, CALLBACK, type KeyedApp, type Pair, Provider, rejected } from './provider.ts';

const QUARTER_HOUR_MS = 15 * 60_000;

describe('rate limits', () => {
  test('have the figures of the contract: 1,500 calls and 100 bearer tokens for an app, 300 pages for an address', () => {
    expect(rateBuckets['auth.token']).toMatchObject({ limit: 1500, window_ms: QUARTER_HOUR_MS, scope: 'endpoint' });
    expect(rateBuckets['auth.bearer']).toMatchObject({ limit: 100, window_ms: QUARTER_HOUR_MS, scope: 'endpoint' });
    expect(rateBuckets['auth.page']).toMatchObject({ limit: 300, window_ms: QUARTER_HOUR_MS, scope: 'category' });
  });

  test('of bearer tokens answer 403 with code 99, for this app alone, until the window ends', async () => {
    await using provider = await Provider.open({ rateLimits: {} });
    const [app, other] = [await provider.app(), await provider.app()];
    const ask = (by: KeyedApp = app) => provider.askBearer(basic(by.consumer_key, by.consumer_secret));
    const first = await ask();
    expect(first).toMatchObject({
      status: 200,
      headers: { 'x-rate-limit-limit': '100', 'x-rate-limit-remaining': '99' },
    });
    for (let i = 1; i < 100; i++) expect((await ask()).status).toBe(200);
    expect(await ask()).toMatchObject({
      ...rejected(403, 99, { label: 'authenticity_token_error' }),
      headers: { 'x-rate-limit-remaining': '0' },
    });
    expect((await ask(other)).status).toBe(200);
    provider.world.wallClock.advance(QUARTER_HOUR_MS - 1);
    expect(await ask()).toMatchObject(rejected(403, 99));
    provider.world.wallClock.advance(1);
    expect((await ask()).text).toBe(first.text);
  });

  test('of the other endpoints answer 429 with code 88, or with their only error, each counted for itself', async () => {
    const limits = { 'auth.token': { limit: 3 } };
    await using provider = await Provider.open({ rateLimits: limits });
    const app = await provider.app();
    const token = await provider.issued(app, provider.world.user);
    const exchange = (pair: Pair) => provider.exchange(app, pair, 'x');
    const [pair, second, third] = [
      await provider.requestToken(app),
      await provider.requestToken(app),
      await provider.requestToken(app),
    ];
    expect(await provider.askRequestToken(app)).toMatchObject({
      ...rejected(429, 88),
      headers: { 'x-rate-limit-remaining': '0' },
    });
    // Rejected calls count like others.
    for (const asked of [pair, second, third]) expect(await exchange(asked)).toMatchObject(rejected(401, 32));
    expect(await exchange(pair)).toMatchObject(rejected(429, 88));
    for (let i = 0; i < 3; i++)
      expect(await provider.invalidateBearer(app, token, 'x')).toMatchObject(rejected(403, 99));
    expect(await provider.invalidateBearer(app, token, await provider.bearer(app))).toMatchObject(rejected(403, 99));
    for (let i = 0; i < 3; i++) {
      const fresh = await provider.issued(app, provider.world.user);
      expect((await provider.call('/1.1/oauth/invalidate_token', app, fresh)).status).toBe(200);
    }
    expect(await provider.call('/1.1/oauth/invalidate_token', app, token)).toMatchObject(rejected(429, 88));
    expect((await provider.use(app, token)).status).toBe(200);
    // Somebody without the keys cannot use up the calls of the app.
    const other = await provider.app();
    const forged = { ...other, consumer_secret: 'guessed' };
    for (let i = 0; i < 5; i++) expect((await provider.askRequestToken(forged)).status).toBe(401);
    expect((await provider.askRequestToken(other)).status).toBe(200);
  });

  test('of the pages count an address, whichever of the pages and whatever comes of it', async () => {
    await using provider = await Provider.open({ rateLimits: { 'auth.page': { limit: 6 } } });
    const visitor = provider.visitor();
    for (const page of ['authorize', 'authenticate']) {
      for (const query of ['', '?oauth_token=x'])
        expect((await visitor.get(`/oauth/${page}${query}`)).status).toBeLessThan(404);
      expect((await visitor.post(`/oauth/${page}`, {})).status).toBe(403);
    }
    for (const page of ['authorize', 'authenticate']) {
      expect((await visitor.get(`/oauth/${page}`)).status).toBe(429);
      expect((await visitor.post(`/oauth/${page}`, {})).status).toBe(429);
      expect((await visitor.get(`/oauth/${page}`, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(429);
    }
    provider.world.wallClock.advance(QUARTER_HOUR_MS);
    expect((await visitor.get('/oauth/authorize')).status).toBe(400);
  });
});

describe(about('A-HTTPS'), () => {
  let provider: Provider;
  let app: KeyedApp;
  let token: Pair;
  beforeAll(async () => {
    provider = await Provider.open({ mode: 'development' });
    app = await provider.app();
    token = await provider.issued(app, provider.world.user);
  });
  afterAll(() => provider[Symbol.asyncDispose]());

  /** A listener of the same world in the given mode, reached by an address. */
  function listener(mode: 'production' | 'development', baseUrl?: string) {
    const services = createServices(provider.world.platform, { rateLimits: 'off', operatorToken: undefined, mode });
    return createApp({
      services,
      listener: 'api',
      baseUrl,
      logger: createLogger({ logLevel: 'silent', logFormat: 'json' }),
    });
  }

  const endpoints: readonly (readonly [string, () => TestRequest, number])[] = [
    [
      'request_token',
      () => provider.request('/oauth/request_token', app, undefined, { query: { oauth_callback: CALLBACK } }),
      400,
    ],
    [
      'access_token',
      () => provider.request('/oauth/access_token', app, token, { query: { oauth_verifier: 'x' } }),
      400,
    ],
    ['invalidate_token', () => provider.request('/1.1/oauth/invalidate_token', app, token), 400],
    [
      'oauth2/token',
      () => ({
        listener: 'api',
        method: 'POST',
        path: '/oauth2/token',
        as: null,
        form: { grant_type: 'client_credentials' },
        headers: { authorization: basic(app.consumer_key, app.consumer_secret) },
      }),
      403,
    ],
    [
      'oauth2/invalidate_token',
      () => provider.request('/oauth2/invalidate_token', app, token, { query: { access_token: 'x' } }),
      403,
    ],
  ];

  test.for(endpoints)(
    'POST %s is rejected on plain HTTP in production, whatever is right about it',
    async ([, make, status]) => {
      const plain = listener('production');
      const before = provider.snapshot();
      const { method, url, headers, body } = await provider.world.sign(make());
      const answer = await plain.inject({
        method: method === 'POST' ? 'POST' : 'GET',
        url,
        headers: { ...headers, 'x-forwarded-proto': 'https', forwarded: 'proto=https' },
        payload: body ?? '',
      });
      expect(answer.statusCode).toBe(status);
      expect(answer.payload).toContain('HTTPS');
      expect(provider.snapshot()).toEqual(before);
      await plain.close();
    },
  );

  test.for([
    '/oauth/authorize?oauth_token=x',
    '/oauth/authenticate?oauth_token=x',
    '/sign-in',
    '/settings',
    '/settings/apps/1',
    '/',
  ])('GET %s asks for nothing on plain HTTP in production', async (url) => {
    const plain = listener('production');
    const answer = await plain.inject({ url, headers: { host: 'api.test', 'x-forwarded-proto': 'https' } });
    expect(answer.statusCode).toBe(403);
    expect(answer.payload).toContain('HTTPS');
    expect(answer.payload).not.toContain('type="password"');
    expect(answer.headers['set-cookie']).toBeUndefined();
    await plain.close();
  });

  test('no password is taken on plain HTTP in production', async () => {
    const plain = listener('production');
    const payload = 'csrf=x&screen_name=demo&password=x';
    for (const url of [
      '/sign-in',
      '/oauth/authorize',
      '/sign-out',
      '/settings/revoke',
      '/settings/identifiers',
      '/settings/apps/1',
    ]) {
      const headers = { host: 'api.test', 'content-type': 'application/x-www-form-urlencoded' };
      expect((await plain.inject({ method: 'POST', url, headers, payload })).payload).toContain('HTTPS');
    }
    await plain.close();
  });

  test.for([
    ['production', 'https://api.example.com', 200],
    ['production', 'http://api.example.com', 403],
    ['production', 'http://127.0.0.1:8000', 200],
    ['production', 'http://localhost:8000', 200],
    ['production', 'http://[::1]:8000', 200],
    ['production', 'http://127.0.0.1.evil.example', 403],
    ['production', 'http://localhost.evil.example', 403],
    ['production', 'http://128.0.0.1', 403],
    ['production', 'http://10.0.0.1:8000', 403],
    ['development', 'http://api.example.com', 200],
  ] as const)('in %s mode, %s gets %i for the page that asks for a password', async ([mode, base, status]) => {
    const configured = listener(mode, base);
    expect((await configured.inject({ url: '/sign-in' })).statusCode).toBe(status);
    await configured.close();
    const named = listener(mode);
    if (!base.startsWith('https:'))
      expect((await named.inject({ url: '/sign-in', headers: { host: base.slice(7) } })).statusCode).toBe(status);
    await named.close();
  });

  test('is not asked for in development: the whole flow works on plain HTTP', async () => {
    const anna = await provider.signedIn(provider.world.credentials);
    expect((await provider.use(app, await provider.accessToken(app, anna))).status).toBe(200);
    expect(await provider.bearer(app)).toMatch(/^A{20}/);
  });
});
