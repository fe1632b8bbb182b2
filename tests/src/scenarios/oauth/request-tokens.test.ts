/** Request tokens and callbacks: specification A, Authentication endpoints. */
import type { TestRequest } from '@broadside/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLBACK, type KeyedApp, type Provider, pairOf, rejected, verifierIn } from '../../oauth/attacks/provider.ts';
import type { Person, Visitor } from '../../oauth/attacks/visitor.ts';
import { about } from '../../support/scenario.ts';
import { closeSetting, openSetting, type Setting, write } from './setting.ts';

let setting: Setting;
let provider: Provider;
let app: KeyedApp;
let anna: Person;
let browser: Visitor;

beforeAll(async () => {
  setting = await openSetting();
  ({ provider, app, anna, browser } = setting);
});
afterAll(() => closeSetting(setting));

test(about('A-REQUEST-TOKEN'), async () => {
  const answer = await provider.askRequestToken(app);
  expect(answer).toMatchObject({
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  });
  expect(answer.text).toMatch(/^oauth_token=\w{27,42}&oauth_token_secret=\w{27,42}&oauth_callback_confirmed=true$/);
});

test(about('A-REQUEST-TOKEN-SIGNED'), async () => {
  const query = { oauth_callback: CALLBACK };
  expect(
    (await provider.askRequestToken(app, CALLBACK, { query, sign: { signatureMethod: 'HMAC-SHA1' } })).status,
  ).toBe(200);
  const unsigned: TestRequest = { listener: 'api', method: 'POST', path: '/oauth/request_token', query, as: null };
  expect(await provider.world.request(unsigned)).toMatchObject(rejected(400, 215));
  const token = await provider.issued(app, anna);
  expect(await provider.call('/oauth/request_token', app, token, { query })).toMatchObject(
    rejected(400, 215, { parameter: 'oauth_token' }),
  );
  expect(await provider.askRequestToken({ ...app, consumer_secret: 'wrong' })).toMatchObject(rejected(401, 32));
});

test(about('A-REQUEST-TOKEN-NONCE'), async () => {
  const query = { oauth_callback: CALLBACK };
  expect((await provider.askRequestToken(app, CALLBACK, { query, sign: { nonce: 'Word_1' } })).status).toBe(200);
  expect(await provider.askRequestToken(app, CALLBACK, { query, sign: { nonce: 'wörd' } })).toMatchObject(
    rejected(401, 32, { parameter: 'oauth_nonce' }),
  );
});

test(about('A-REQUEST-TOKEN-FRESH'), async () => {
  const pairs = [await provider.requestToken(app), await provider.requestToken(app)];
  expect(new Set(pairs.flatMap(({ token, secret }) => [token, secret])).size).toBe(4);
});

test(about('A-CALLBACK-REQUIRED'), async () => {
  for (const query of [{}, { oauth_callback: '' }]) {
    expect(await provider.call('/oauth/request_token', app, undefined, { query })).toMatchObject(
      rejected(400, 215, { parameter: 'oauth_callback' }),
    );
  }
});

test(about('A-CALLBACK-REGISTERED'), async () => {
  expect(await provider.askRequestToken(app, `${CALLBACK}/`)).toMatchObject(
    rejected(403, 415, { message: 'Callback URL not approved for this client application.' }),
  );
  await provider.change(app, { callback_urls: [CALLBACK, 'myapp://cb', `${CALLBACK}/`] });
  expect((await provider.askRequestToken(app, `${CALLBACK}/`)).status).toBe(200);
});

test(about('A-CALLBACK-SCHEME'), async () => {
  const { token } = await provider.requestToken(app, 'myapp://cb');
  expect((await browser.decide(token, 'approve')).location).toMatch(/^myapp:\/\/cb\?oauth_token=/);
});

test(about('A-CALLBACK-PLACES'), async () => {
  const oauth_callback = CALLBACK;
  const ask = (options: Partial<TestRequest>) => provider.call('/oauth/request_token', app, undefined, options);
  expect((await ask({ query: { oauth_callback } })).status).toBe(200);
  expect((await ask({ form: { oauth_callback } })).status).toBe(200);
  // With all of the protocol's parameters in one place, it is among them.
  for (const place of ['query', 'form'] as const) {
    expect((await ask({ [place]: { oauth_callback }, sign: { in: place } })).status).toBe(200);
  }
});

test(about('A-CALLBACK-OOB'), async () => {
  expect((await provider.askRequestToken(app, 'oob')).status).toBe(200);
  const other = await provider.app({ oob_enabled: false });
  expect(await provider.askRequestToken(other, 'oob')).toMatchObject(rejected(403, 417));
});

test(about('A-ACCESS-TYPE'), async () => {
  const levelOf = async (its: KeyedApp, query: Record<string, string>) => {
    const visitor = await provider.signedIn(anna);
    const pair = await provider.requestToken(its, CALLBACK, query);
    const verifier = verifierIn(await visitor.decide(pair.token, 'approve'));
    const { status } = await write(setting, its, pairOf(await provider.exchange(its, pair, verifier)));
    return status === 200 ? 'write' : status === 403 ? 'read' : status;
  };
  const reader = await provider.app({ access_level: 'read' });
  expect(await levelOf(app, {})).toBe('write');
  expect(await levelOf(app, { platform_auth_access_type: 'write' })).toBe('write');
  expect(await levelOf(app, { platform_auth_access_type: 'read' })).toBe('read');
  expect(await levelOf(reader, {})).toBe('read');
  expect(await levelOf(reader, { platform_auth_access_type: 'write' })).toBe('read');
});

test(about('A-ACCESS-TYPE-VALUES'), async () => {
  for (const type of ['READ', 'readwrite', 'admin']) {
    const query = { oauth_callback: CALLBACK, platform_auth_access_type: type };
    expect(await provider.askRequestToken(app, CALLBACK, { query })).toMatchObject(
      rejected(400, 215, { parameter: 'platform_auth_access_type' }),
    );
  }
});
