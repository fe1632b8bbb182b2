/** A copied request cannot be replayed. */
import { createHmac } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { formEncode, signRequest } from '@broadside/core/auth';
import type { WireRequest } from '@broadside/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Listening, listening } from '../../support/listening.ts';
import { CALLBACK, type KeyedApp, type Pair, Provider, rejected, rowsOf } from './provider.ts';

describe('1,000 concurrent copies of one signed request over sockets', () => {
  const COPIES = 1000;
  let running: Listening;
  let agent: Agent;
  // A server for each test: an address may have as many connections as there are copies, and those of the other test count while they close.
  beforeEach(async () => {
    agent = new Agent({ keepAlive: true, maxSockets: COPIES });
    running = await listening();
  });
  afterEach(async () => {
    agent.destroy();
    await running[Symbol.asyncDispose]();
  });

  function send(url: string, authorization: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const sent = httpRequest(url, { method: 'POST', agent, headers: { authorization } }, (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode ?? 0));
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  async function sendCopies(url: string, asUser: boolean): Promise<Map<number, number>> {
    const { consumer_key, consumer_secret, access_token, access_token_secret } = running.credentials;
    const signed = await signRequest({
      method: 'POST',
      url,
      credentials: {
        consumerKey: consumer_key,
        consumerSecret: consumer_secret,
        ...(asUser && { token: access_token, tokenSecret: access_token_secret }),
      },
      nonce: `copied${asUser}`,
      timestamp: Math.floor(Date.now() / 1000),
      hmac: (algorithm, key, text) => createHmac(algorithm, key).update(text).digest('base64'),
    });
    const statuses = await Promise.all(Array.from({ length: COPIES }, () => send(url, signed.authorization)));
    return new Map([...Map.groupBy(statuses, (status) => status)].map(([status, { length }]) => [status, length]));
  }

  const count = (store: string, table: string) =>
    rowsOf(running.server.world.dataDirectory, store, `SELECT * FROM "${table}"`).length;

  test('writes once to the advertising interface', async () => {
    const before = count('ads-sandbox.db', 'accounts');
    const statuses = await sendCopies(`${running.credentials.ads_sandbox_base_url}/12/accounts`, true);
    expect(statuses).toEqual(
      new Map([
        [200, 1],
        [401, COPIES - 1],
      ]),
    );
    expect(count('ads-sandbox.db', 'accounts')).toBe(before + 1);
  });

  test('gets one request token', async () => {
    const { base_url, callback_url } = running.credentials;
    const url = `${base_url}/oauth/request_token?${formEncode([['oauth_callback', callback_url]])}`;
    expect(await sendCopies(url, false)).toEqual(
      new Map([
        [200, 1],
        [401, COPIES - 1],
      ]),
    );
    expect(count('platform.db', 'request_tokens')).toBe(1);
  });
});

describe('a nonce', () => {
  let provider: Provider;
  let app: KeyedApp;
  let token: Pair;
  beforeAll(async () => {
    provider = await Provider.open();
    app = await provider.app();
    token = await provider.issued(app, provider.world.user);
  });
  afterAll(() => provider[Symbol.asyncDispose]());

  const sign = (nonce: string, by: KeyedApp = app) =>
    provider.world.sign(
      provider.request('/oauth/request_token', by, undefined, { query: { oauth_callback: CALLBACK }, sign: { nonce } }),
    );
  const send = (request: WireRequest) => provider.world.send('api', request);
  /** The request with its nonce written in another way. */
  function rewritten(request: WireRequest, as: string): WireRequest {
    const authorization = (request.headers['authorization'] ?? '').replace(
      /oauth_nonce="[^"]*"/,
      `oauth_nonce="${as}"`,
    );
    return { ...request, headers: { ...request.headers, authorization } };
  }

  test.for([
    ['Apple', '%41pple'],
    ['Apple', '%41%70%70%6C%65'],
    ['lower', '%6cower'],
    ['a+b/c=', 'a+b/c='],
    ['a+b', 'a%2bb'],
    ['~tilde', '%7Etilde'],
  ] as const)('%s is compared after decoding: %s is the same', async ([nonce, written]) => {
    provider.world.wallClock.advance(1000);
    const request = await sign(nonce);
    expect((await send(request)).status).toBe(200);
    expect(await send(rewritten(request, written))).toMatchObject(rejected(401, 32));
    // And the other way round, with the same timestamp still unused by the other spelling.
    provider.world.wallClock.advance(1000);
    const again = await sign(nonce);
    expect((await send(rewritten(again, written))).status).toBe(200);
    expect(await send(again)).toMatchObject(rejected(401, 32));
  });

  test('that differs in case is another one', async () => {
    expect((await send(await sign('case'))).status).toBe(200);
    expect((await send(await sign('CASE'))).status).toBe(200);
  });

  test('is used up by a request that was verified, and by no other', async () => {
    const request = await sign('kept');
    const broken = { ...request, headers: { ...request.headers } };
    broken.headers['authorization'] = (request.headers['authorization'] ?? '').replace(
      /oauth_signature="./,
      'oauth_signature="%41',
    );
    for (let i = 0; i < 3; i++) expect(await send(broken)).toMatchObject(rejected(401, 32));
    // An attacker signs with keys of their own under the app's name.
    const forged = await provider.world.sign(
      provider.request('/oauth/request_token', app, undefined, {
        query: { oauth_callback: CALLBACK },
        sign: { nonce: 'kept', consumerSecret: 'guessed' },
      }),
    );
    expect(await send(forged)).toMatchObject(rejected(401, 32));
    expect((await send(request)).status).toBe(200);
    expect(await send(request)).toMatchObject(rejected(401, 32));
  });

  test('that was used is rejected at another endpoint and on another listener', async () => {
    const options = { query: { oauth_verifier: 'x' }, sign: { nonce: 'elsewhere' } };
    const request = {
      as: null,
      sign: {
        consumerKey: app.consumer_key,
        consumerSecret: app.consumer_secret,
        token: token.token,
        tokenSecret: token.secret,
        nonce: 'elsewhere',
      },
    };
    expect((await provider.world.request({ ...request, listener: 'ads', path: '/12/accounts' })).status).toBe(200);
    expect((await provider.world.request({ ...request, listener: 'sandbox', path: '/12/accounts' })).status).toBe(401);
    expect(await provider.call('/1.1/oauth/invalidate_token', app, token, options)).toMatchObject(rejected(401, 32));
    expect((await provider.use(app, token)).status).toBe(200);
  });

  test('of one app or token can be used by another', async () => {
    const other = await provider.app();
    const second = await provider.issued(app, provider.world.user);
    expect((await send(await sign('shared'))).status).toBe(200);
    expect((await send(await sign('shared', other))).status).toBe(200);
    const use = (pair: Pair) =>
      provider.world.request({
        path: '/12/accounts',
        as: null,
        sign: {
          consumerKey: app.consumer_key,
          consumerSecret: app.consumer_secret,
          token: pair.token,
          tokenSecret: pair.secret,
          nonce: 'shared',
        },
      });
    expect((await use(token)).status).toBe(200);
    expect((await use(second)).status).toBe(200);
    expect((await use(token)).status).toBe(401);
  });

  test('stays used over a restart', async () => {
    const [request, exchange] = [
      await sign('restart'),
      await provider.world.sign(
        provider.request('/oauth/access_token', app, await provider.requestToken(app), {
          query: { oauth_verifier: 'x' },
          sign: { nonce: 'restart' },
        }),
      ),
    ];
    expect((await send(request)).status).toBe(200);
    // Rejected for its verifier, but authenticated all the same.
    expect((await send(exchange)).status).toBe(401);
    await provider.world.reopen();
    expect(await send(request)).toMatchObject({ body: { errors: [{ code: 32, parameter: 'oauth_nonce' }] } });
    expect(await send(exchange)).toMatchObject({ body: { errors: [{ code: 32, parameter: 'oauth_nonce' }] } });
  });

  test('of impossible form is rejected', async () => {
    for (const nonce of ['with space', 'ümlaut', 'x'.repeat(257), 'line\nbreak']) {
      expect((await send(await sign(nonce))).status, nonce).toBe(401);
    }
  });
});
