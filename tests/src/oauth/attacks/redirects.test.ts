/** Nobody is sent anywhere but to an address that the app's owner has registered, letter by letter. */
import { createTrpcClient } from '@broadside/client/trpc';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type KeyedApp, Provider, rejected, verifierIn } from './provider.ts';
import type { Visitor } from './visitor.ts';

const OPERATOR_TOKEN = 'operator-token-of-at-least-24-characters';
const REGISTERED = [
  'https://app.example.com/callback',
  'https://app.example.com/callback?from=a%20friend&x=1',
  'https://app.example.com:8443/',
  'http://127.0.0.1:48731/callback',
  'myapp://cb',
  'com.example.app:/oauth',
];

let provider: Provider;
let app: KeyedApp;
let anna: Visitor;

beforeAll(async () => {
  provider = await Provider.open({ operatorToken: OPERATOR_TOKEN });
  app = await provider.app({ callback_urls: REGISTERED, oob_enabled: false });
  anna = await provider.signedIn(provider.world.credentials);
});
afterAll(() => provider[Symbol.asyncDispose]());

/** Ways in which an address is made to look like a registered one. */
const mutation = fc.oneof(
  fc.constantFrom<(url: string) => string>(
    (url) => url.toUpperCase(),
    (url) => url.replace('app', 'App'),
    (url) => url.replace(/^https:/, 'http:'),
    (url) => url.replace(/^\w+:/, 'javascript:'),
    (url) => url.replace(/^\w+:/, ' JaVaScRiPt:'),
    (url) => url.replace(/^\w+:/, 'java\tscript:'),
    (url) => url.replace(/^\w+:/, 'VbScript:'),
    (url) => url.replace(/^\w+:/, 'data:text/html,'),
    (url) => url.replace(/^\w+:/, ''),
    (url) => url.replace('//', '//evil.example/'),
    (url) => url.replace('//', '//evil.example@'),
    (url) => url.replace('//', '//user:password@'),
    (url) => url.replace('//', '////'),
    (url) => url.replace('//', '\\\\'),
    (url) => url.replace('//', '/\\'),
    (url) => url.replace('//', '//evil.example\\@'),
    (url) => url.replace('//', '//evil.example#@'),
    (url) => url.replace('//', '//evil.example?'),
    (url) => url.replace('.example.com', '.example.com.evil.example'),
    (url) => url.replace('.example.com', '.example.com@evil.example'),
    (url) => url.replace('.example.com', '.example.com.'),
    (url) => url.replace('.example.com', '.exampIe.com'),
    (url) => url.replace('app.', 'xn--pp-7kc.'),
    (url) => url.replace('a', 'а'),
    (url) => url.replace('e', 'е'),
    (url) => url.replace('.', '。'),
    (url) => url.replace('c', 'ⓒ'),
    (url) => url.replace('127.0.0.1', 'localhost'),
    (url) => url.replace('127.0.0.1', '2130706433'),
    (url) => url.replace('127.0.0.1', '127.0.0.1.evil.example'),
    (url) => url.replace(/:\d+/, ''),
    (url) => url.replace(/(\.\w+)(?=\/)/, '$1:443'),
    (url) => url.replace(/(\.\w+)(?=\/)/, '$1:8080'),
    (url) => url.replace('/callback', '/callback/'),
    (url) => url.replace('/callback', '//callback'),
    (url) => url.replace('/callback', '/%63allback'),
    (url) => url.replace('/callback', '/%2563allback'),
    (url) => url.replace('/callback', '/x/../callback'),
    (url) => url.replace('/callback', '/x/%2e%2e/callback'),
    (url) => url.replace('/callback', '/./callback'),
    (url) => url.replace('/callback', '/callback;x'),
    (url) => url.replace('/callback', '/callback%00'),
    (url) => url.replace('%20', '+'),
    (url) => url.replace('%20', ' '),
    (url) => url.replace('x=1', 'x=2'),
    (url) => url.replace('?', '?&'),
    (url) => `${url}/`,
    (url) => `${url}?`,
    (url) => `${url}#`,
    (url) => `${url}#https://evil.example`,
    (url) => `${url}?next=https://evil.example`,
    (url) => `${url}&x=2`,
    (url) => `${url} `,
    (url) => ` ${url}`,
    (url) => `\t${url}`,
    (url) => `${url}\r\nLocation: https://evil.example`,
    (url) => `${url}\n`,
    (url) => `${url}\0`,
    (url) => `${url}%0d%0aSet-Cookie:%20a=b`,
    (url) => encodeURIComponent(url.toWellFormed()),
    (url) => `https://evil.example/?${url}`,
    (url) => `//${url}`,
    (url) => url.slice(0, -1),
    (url) => url.slice(1),
    () => 'oob',
    () => 'OOB',
    () => '//evil.example',
    () => '/settings',
    () => '',
  ),
  fc.tuple(fc.nat(60), fc.string({ unit: 'binary', minLength: 1, maxLength: 2 })).map(
    ([at, text]) =>
      (url: string) =>
        url.slice(0, at) + text + url.slice(at),
  ),
  fc.nat(60).map((at) => (url: string) => url.slice(0, at) + url.slice(at + 1)),
);
const callback = fc
  .tuple(fc.constantFrom(...REGISTERED), fc.array(mutation, { maxLength: 3, size: 'max' }))
  .map(([url, mutations]) => mutations.reduce((text, mutate) => mutate(text), url).toWellFormed());

const TRIES = process.env['BROADSIDE_TEST_LONG'] === undefined ? 1_000 : 10_000;

test(`of ${TRIES} hostile callback URLs, exactly those are accepted that are registered letter by letter`, async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(callback, async (oauth_callback) => {
      const { status, body, text } = await provider.askRequestToken(app, oauth_callback);
      if (REGISTERED.includes(oauth_callback)) {
        expect(status, text).toBe(200);
        accepted += 1;
      } else if (oauth_callback === 'oob') expect({ status, body }).toMatchObject(rejected(403, 417));
      else if (oauth_callback === '' || oauth_callback.includes('\0')) {
        expect({ status, body }).toMatchObject(rejected(400, 215));
      } else expect({ status, body }, oauth_callback).toMatchObject(rejected(403, 415));
    }),
    { numRuns: TRIES },
  );
  expect(accepted).toBeGreaterThan(TRIES / 50);
});

describe('an address that is dangerous cannot be registered', () => {
  const dangerous = [
    'javascript:alert(1)',
    'JavaScript://app.example.com/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'file:///etc/passwd',
    '//evil.example/',
    '/settings',
    'https://app.example.com@evil.example/',
    'https://app.example.com\\@evil.example/',
    'https:\\\\evil.example/',
    'https://app.example.com/#fragment',
    'https://app.example.com/a b',
    'https://bücher.example/',
    'myapp://[x]',
    'oob',
  ];

  test.for(dangerous)('%s: by the operator', async (url) => {
    const { admin } = createTrpcClient(provider.world.credentials, {
      ...provider.world.clientOptions,
      operatorToken: OPERATOR_TOKEN,
    });
    const { consumer_key } = app;
    const before = provider.snapshot();
    for (const attempt of [
      admin.apps.update.mutate({ consumer_key, callback_urls: [...REGISTERED, url] }),
      admin.apps.create.mutate({ name: 'Dangerous', owner_user_id: app.owner_user_id, callback_urls: [url] }),
    ]) {
      await expect(attempt).rejects.toMatchObject({
        data: { httpStatus: 400, errors: [{ parameter: 'callback_urls' }] },
      });
    }
    expect(provider.snapshot()).toEqual(before);
  });

  test.for(dangerous)('%s: by the owner', async (url) => {
    const path = `/settings/apps/${app.id}`;
    const { csrf } = await anna.get(path);
    const before = provider.snapshot();
    const fields = { csrf, name: app.name, description: '', access_level: 'write' };
    const answer = await anna.post(path, { ...fields, callback_urls: `${REGISTERED.join('\n')}\n${url}` });
    expect([answer.status, answer.location]).toEqual([400, undefined]);
    expect(provider.snapshot()).toEqual(before);
  });

  test('a line break in what the owner types separates two addresses, each of which is judged', async () => {
    const path = `/settings/apps/${app.id}`;
    const { csrf } = await anna.get(path);
    const fields = { csrf, name: app.name, description: '', access_level: 'write' };
    const answer = await anna.post(path, {
      ...fields,
      callback_urls: 'https://app.example.com/\r\njavascript:alert(1)',
    });
    expect(answer.status).toBe(400);
  });
});

describe('the response is sent to the registered address exactly', () => {
  test.for([
    'https://app.example.com/callback',
    'https://app.example.com',
    'https://app.example.com/callback?',
    'https://app.example.com/callback?x=1&',
    'https://app.example.com/callback?from=a%20friend&x=1',
    'https://app.example.com/callback?next=https://evil.example/%0d%0aX:1',
    'HTTPS://App.Example.com:443/Callback',
    'http://127.0.0.1:48731/callback',
    'http://[::1]:8080/cb',
    'myapp://cb',
    'com.example.app:/oauth',
  ])('%s', async (url) => {
    const itsApp = await provider.app({ callback_urls: [url] });
    const pair = await provider.requestToken(itsApp, url);
    const approval = await anna.decide(pair.token, 'approve');
    const verifier = verifierIn(approval);
    const joint = !url.includes('?') ? '?' : /[?&]$/.test(url) ? '' : '&';
    expect(approval).toMatchObject({
      status: 303,
      location: `${url}${joint}oauth_token=${pair.token}&oauth_verifier=${verifier}`,
    });
    expect(verifier).toMatch(/^\w{42}$/);
    const [sent, registered] = [new URL(approval.location ?? ''), new URL(url)];
    expect([sent.origin, sent.protocol, sent.host, sent.pathname]).toEqual([
      registered.origin,
      registered.protocol,
      registered.host,
      registered.pathname,
    ]);
    const added = [...sent.searchParams].slice([...registered.searchParams].length);
    expect(added).toEqual([
      ['oauth_token', pair.token],
      ['oauth_verifier', verifier],
    ]);
    expect([...sent.searchParams].slice(0, -2)).toEqual([...registered.searchParams]);

    const second = await provider.requestToken(itsApp, url);
    const cancelled = await anna.decide(second.token, 'cancel');
    expect(cancelled).toMatchObject({ status: 303, location: `${url}${joint}denied=${second.token}` });
  });

  test('whatever callback the page or its form is given beside', async () => {
    for (const page of ['authorize', 'authenticate'] as const) {
      const pair = await provider.requestToken(app, 'myapp://cb');
      const evil = 'oauth_callback=https%3A%2F%2Fevil.example&callback=//evil.example&redirect_uri=//evil.example';
      const shown = await anna.get(`/oauth/${page}?oauth_token=${pair.token}&${evil}`);
      expect(shown.text).not.toContain('evil.example');
      const fields = { csrf: shown.csrf, oauth_token: pair.token, decision: 'approve' };
      const answer = await anna.post(`/oauth/${page}?${evil}`, { ...fields, oauth_callback: 'https://evil.example' });
      expect(answer.location).toMatch(/^myapp:\/\/cb\?oauth_token=/);
    }
  });

  test('not any more when the owner has taken the address out', async () => {
    const url = 'https://app.example.com/old';
    const itsApp = await provider.app({ callback_urls: [url], sign_in_enabled: true });
    await provider.accessToken(itsApp, anna, url);
    const pair = await provider.requestToken(itsApp, url);
    const { csrf } = await anna.get(`/oauth/authorize?oauth_token=${pair.token}`);
    await provider.change(itsApp, { callback_urls: ['https://app.example.com/new'] });
    for (const page of ['authorize', 'authenticate']) {
      expect(await anna.get(`/oauth/${page}?oauth_token=${pair.token}`)).toMatchObject({
        status: 403,
        location: undefined,
      });
      for (const decision of ['approve', 'cancel']) {
        const answer = await anna.post(`/oauth/${page}`, { csrf, oauth_token: pair.token, decision });
        expect(answer).toMatchObject({ status: 403, location: undefined });
      }
    }
  });
});

describe('signing in leads to this server', () => {
  const evil = {
    return_to: '//evil.example',
    next: 'https://evil.example',
    redirect: '/\\evil.example',
    oauth_callback: 'https://evil.example',
  };

  test('whatever the address or the form says beside', async () => {
    const query = new URLSearchParams(evil);
    const visitor = provider.visitor();
    const { screen_name, password } = provider.world.credentials;
    const { csrf, text } = await visitor.get(`/sign-in?${query}`);
    expect(text).not.toContain('evil.example');
    expect(await visitor.post(`/sign-in?${query}`, { csrf, screen_name, password, ...evil })).toMatchObject({
      status: 303,
      location: '/settings',
    });
    expect(await visitor.get(`/sign-in?${query}`)).toMatchObject({ status: 303, location: '/settings' });
    expect(await visitor.get(`/?${query}`)).toMatchObject({ status: 303, location: '/settings' });
    expect(await provider.visitor().get(`/settings?${query}`)).toMatchObject({ status: 303, location: '/sign-in' });
  });

  test('in the flow, back to the page with the same token', async () => {
    const { screen_name, password } = provider.world.credentials;
    const visitor = provider.visitor();
    const pair = await provider.requestToken(app, 'myapp://cb');
    const { csrf } = await visitor.get(`/oauth/authorize?oauth_token=${pair.token}`);
    const fields = { csrf, oauth_token: pair.token, screen_name, password, ...evil };
    expect((await visitor.post('/oauth/authorize', fields)).location).toBe(
      `/oauth/authorize?oauth_token=${pair.token}`,
    );
  });

  test('with a token that holds more than a token, nowhere', async () => {
    for (const token of ['x&next=//evil.example', '//evil.example', 'x\r\nLocation: //evil.example', '../evil']) {
      const answer = await provider.visitor().get(`/oauth/authorize?oauth_token=${encodeURIComponent(token)}`);
      expect(answer).toMatchObject({ status: 403, location: undefined });
      expect(answer.text).not.toContain('evil');
    }
  });

  test.for([
    '//evil.example',
    '//evil.example/%2e%2e',
    '/\\evil.example',
    '/%5cevil.example',
    '/oauth/authorize//evil.example',
    '/settings/..//evil.example',
  ])('%s leads nowhere', async (path) => {
    const answer = await anna.send('GET', path, {});
    expect([400, 404]).toContain(answer.status);
    expect(answer.location).toBeUndefined();
  });
});
