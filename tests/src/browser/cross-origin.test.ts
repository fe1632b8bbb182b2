/** Calls by pages of other origins: over sockets, and by the scripts of a page in a browser. */
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { signRequest } from '@broadside/core/auth';
import type { Credentials, ListenerName } from '@broadside/server';
import { readConfig } from '@broadside/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Listening, listening } from '../support/listening.ts';
import { about } from '../support/scenario.ts';
import { executablePath, launch } from './chromium.ts';

const CONFIGURED = 'https://app.example';
let running: Listening;
let site: Server;
let page: string;
/** The directory of a dialect's file. */
let dialects: string;

beforeAll(async () => {
  dialects = mkdtempSync(path.join(tmpdir(), 'broadside-cross-origin-'));
  const dialect = path.join(dialects, 'example.yaml');
  writeFileSync(
    dialect,
    'name: example\ndescription: The words of an example.\nprefix: /example\nnames: { pieces: posts }\n',
  );
  running = await listening({ BROADSIDE_CORS_ORIGINS: `loopback, ${CONFIGURED}`, BROADSIDE_DIALECTS: dialect });
  site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<!doctype html>'));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  page = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  site.close();
  rmSync(dialects, { recursive: true });
  await running[Symbol.asyncDispose]();
});

function urlOf(listener: ListenerName, path: string): string {
  return `${running.server.urls[listener]}${path}`;
}

async function signed(method: string, url: string): Promise<string> {
  const { consumer_key, consumer_secret, access_token, access_token_secret }: Credentials = running.credentials;
  const { authorization } = await signRequest({
    method,
    url,
    credentials: {
      consumerKey: consumer_key,
      consumerSecret: consumer_secret,
      token: access_token,
      tokenSecret: access_token_secret,
    },
    timestamp: Math.floor(Date.now() / 1000),
    nonce: crypto.randomUUID(),
    hmac: (algorithm, key, text) => createHmac(algorithm, key).update(text).digest('base64'),
  });
  return authorization;
}

const corsOf = (headers: Headers) => [...headers].filter(([name]) => name.startsWith('access-control-'));
const ALLOWED = [
  CONFIGURED,
  'http://localhost:3000',
  'http://127.0.0.1:1',
  'https://app.localhost',
  'http://[::1]:8080',
];
const FOREIGN = [
  'https://evil.example',
  'http://app.example',
  'http://localhost.evil.example',
  'null',
  'http://127.0.0.1.evil.example',
];

describe(about('A-CORS'), () => {
  const shared = [
    ['sandbox', '/12/accounts'],
    ['ads', '/12/nothing'],
    ['api', '/2/posts?ids=1'],
    ['api', '/oauth2/token'],
    ['api', '/1.1/media/upload.json?command=STATUS'],
    ['api', '/openapi.json'],
    ['sandbox', '/health'],
    ['sandbox', '/example/12/accounts'],
    ['api', '/example/2/pieces?ids=1'],
    ['api', '/example/openapi.json'],
  ] as const;
  const closed = [
    ['api', '/settings'],
    ['api', '/oauth/authorize'],
    ['api', '/sign-in'],
    ['api', '/nobody'],
    ['api', '/2nobody'],
    ['api', '/7nights/status/1'],
    ['sandbox', '/trpc/accounts.list'],
    ['sandbox', '/trpc/admin.users.list'],
    ['ads', '/docs'],
    ['api', '/example/settings'],
    ['api', '/example/2nobody'],
    ['sandbox', '/example/trpc/accounts.list'],
    ['ads', '/example/docs'],
  ] as const;

  test.for(shared)('%s %s can be read by pages of allowed origins, errors too', async ([listener, path]) => {
    for (const origin of ALLOWED) {
      const { headers } = await fetch(urlOf(listener, path), { headers: { origin } });
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('vary')).toContain('origin');
      for (const name of ['x-rate-limit-remaining', 'x-account-rate-limit-reset', 'x-request-id', 'retry-after']) {
        expect(headers.get('access-control-expose-headers')?.split(', ')).toContain(name);
      }
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
    for (const origin of FOREIGN) {
      expect(corsOf((await fetch(urlOf(listener, path), { headers: { origin } })).headers)).toEqual([]);
    }
    expect(corsOf((await fetch(urlOf(listener, path))).headers)).toEqual([]);
  });

  const preflight = (url: string, origin: string, method: string, wanted = 'authorization,content-type') =>
    fetch(url, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': wanted },
    });

  test(about('A-CORS-PREFLIGHT'), async () => {
    const answer = await preflight(urlOf('sandbox', '/12/accounts/abc/campaigns/def'), CONFIGURED, 'PUT');
    expect(answer.status).toBe(204);
    expect(Object.fromEntries(corsOf(answer.headers))).toMatchObject({
      'access-control-allow-origin': CONFIGURED,
      'access-control-allow-methods': 'GET, HEAD, PUT, DELETE',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-max-age': '600',
    });
    expect((await preflight(urlOf('sandbox', '/12/accounts'), 'https://evil.example', 'POST')).status).toBe(405);
    expect((await preflight(urlOf('api', '/2/posts'), CONFIGURED, 'GET')).status).toBe(204);
    // Below the prefix of a dialect, in its words.
    const prefixed = await preflight(urlOf('api', '/example/2/pieces'), CONFIGURED, 'GET');
    expect(prefixed.status).toBe(204);
    expect(prefixed.headers.get('access-control-allow-methods')).toBe('GET, HEAD');
  });

  test.for(closed)(`${about('A-CORS-CLOSED')}: %s %s`, async ([listener, path]) => {
    for (const origin of ALLOWED) {
      expect(corsOf((await fetch(urlOf(listener, path), { headers: { origin }, redirect: 'manual' })).headers)).toEqual(
        [],
      );
      const asked = await preflight(urlOf(listener, path), origin, 'POST');
      expect(corsOf(asked.headers)).toEqual([]);
    }
  });

  test(about('A-CORS-SETTING'), () => {
    const read = (env: Readonly<Record<string, string>>) => readConfig(env).crossOrigins;
    expect(read({ BROADSIDE_MODE: 'development' })).toEqual({ loopback: true, origins: [] });
    expect(read({ BROADSIDE_MODE: 'production' })).toEqual({ loopback: false, origins: [] });
    expect(read({ BROADSIDE_CORS_ORIGINS: 'none' })).toEqual({ loopback: false, origins: [] });
    expect(read({ BROADSIDE_CORS_ORIGINS: 'https://A.example/, loopback' })).toEqual({
      loopback: true,
      origins: ['https://a.example'],
    });
    for (const wrong of ['*', 'a.example', 'https://a.example/path', 'null', 'https://a.example,']) {
      expect(() => read({ BROADSIDE_CORS_ORIGINS: wrong })).toThrow('BROADSIDE_CORS_ORIGINS has "');
    }
  });
});

test.skipIf(executablePath === undefined)(`${about('A-CORS')}: the script of a page in a browser`, async () => {
  const browser = await launch();
  try {
    const tab = await browser.newPage();
    await tab.goto(page);
    const url = urlOf('sandbox', '/12/accounts');
    const authorization = await signed('GET', url);
    const read = await tab.evaluate(
      async ([address, header]) => {
        const answer = await fetch(`${address}`, { headers: { authorization: `${header}` } });
        return { status: answer.status, id: answer.headers.get('x-request-id'), text: await answer.text() };
      },
      [url, authorization],
    );
    expect(read).toMatchObject({ status: 200, id: expect.stringMatching(/^[0-9a-z]{10}/) });
    expect(read.text).toContain('"data":[');
    const fails = (address: string) =>
      tab.evaluate(
        async (given) =>
          fetch(given, { credentials: 'include' }).then(
            () => 'read',
            ({ name }: Error) => name,
          ),
        address,
      );
    for (const address of [urlOf('api', '/settings'), urlOf('sandbox', '/trpc/accounts.list')]) {
      expect(await fails(address)).toBe('TypeError');
    }
    // Without a token or a signature of its own a page has nothing: with cookies the browser does not let it read.
    expect(await fails(url)).toBe('TypeError');
  } finally {
    await browser.close();
  }
});
