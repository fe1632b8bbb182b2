/** A signature covers the host that a request names; a listener without a configured base URL takes its own hosts only. */
import { createHmac } from 'node:crypto';
import { request as send } from 'node:http';
import { signRequest } from '@broadside/core/auth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Listening, listening } from '../../support/listening.ts';

let running: Listening;

beforeAll(async () => {
  running = await listening();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

let nonces = 0;

/** Signs a request for one address and sends it to a listener. */
async function ask(
  listener: 'ads' | 'sandbox',
  signedFor: string,
  path = '/12/accounts',
  host = new URL(signedFor).host,
) {
  const { consumer_key, consumer_secret, access_token, access_token_secret } = running.credentials;
  const { authorization } = await signRequest({
    method: 'GET',
    url: `${signedFor}${path}`,
    credentials: {
      consumerKey: consumer_key,
      consumerSecret: consumer_secret,
      token: access_token,
      tokenSecret: access_token_secret,
    },
    nonce: `hosts${nonces++}`,
    timestamp: Math.floor(Date.now() / 1000),
    hmac: (algorithm, key, text) => createHmac(algorithm, key).update(text).digest('base64'),
  });
  const { hostname, port } = new URL(running.server.urls[listener]);
  const headers = { authorization, ...(host === '' ? {} : { host }) };
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    send({ hostname, port, path, headers, setHost: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () => resolve({ status: response.statusCode, text }));
    })
      .on('error', reject)
      .end();
  });
}

test('its own hosts are accepted', async () => {
  const { ads } = running.server.urls;
  for (const base of [ads, ads.replace('127.0.0.1', 'localhost')]) expect((await ask('ads', base)).status).toBe(200);
});

test('a request signed for the sandbox is rejected in production, with the way out', async () => {
  const { ads, sandbox } = running.server.urls;
  expect((await ask('sandbox', sandbox)).status).toBe(200);
  const { status, text } = await ask('ads', sandbox);
  expect(status).toBe(401);
  expect(text).toContain('the address of another listener of this server');
  // Which would make signatures for the sandbox valid in production.
  expect(text).not.toContain('BROADSIDE_ADS_BASE_URL');
  expect((await ask('ads', sandbox.replace('127.0.0.1', 'localhost'))).text).toContain('another listener');
  expect((await ask('sandbox', ads)).status).toBe(401);
});

test.each(['http://evil.example', 'http://evil.example:8001', 'http://localhost', 'http://10.1.2.3:8001'])(
  'a request signed for %s is rejected',
  async (base) => {
    const { status, text } = await ask('ads', base);
    expect(status).toBe(401);
    expect(text).toContain('not an address of this listener');
    expect(text).toContain(`BROADSIDE_ADS_BASE_URL=${base}`);
  },
);

test('a request that names no host is told so', async () => {
  const { status, text } = await ask('ads', running.server.urls.ads, '/12/accounts', '');
  expect(status).toBe(401);
  expect(text).toContain('names no host');
});
