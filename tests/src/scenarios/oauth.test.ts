/** The endpoints of authentication: specification A, Authentication endpoints, States and transitions, Errors, Limits. */
import type { Answer, TestRequest } from '@broadside/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  basic,
  CALLBACK,
  formOf,
  type KeyedApp,
  type Pair,
  Provider,
  pairOf,
  refused,
  signing,
  verifierIn,
} from '../oauth/attacks/provider.ts';
import type { Person, Visitor } from '../oauth/attacks/visitor.ts';
import { about } from '../support/scenario.ts';

const QUARTER_HOUR_MS = 15 * 60_000;

let provider: Provider;
let app: KeyedApp;
let anna: Person;
/** Anna's browser, signed in. */
let browser: Visitor;

beforeAll(async () => {
  provider = await Provider.open();
  anna = await provider.person('anna');
  browser = await provider.signedIn(anna);
  app = await provider.app({ owner_user_id: anna.user_id, callback_urls: [CALLBACK, 'myapp://cb'] });
});
afterAll(async () => {
  expect(provider.world.failures).toEqual([]);
  await provider[Symbol.asyncDispose]();
});

const page = (token: string, more = '', name = 'authorize') => `/oauth/${name}?oauth_token=${token}${more}`;
const asksPassword = ({ text }: Answer) => text.includes('type="password"');
const asksApproval = ({ text }: Answer) => text.includes('value="approve"');

/** Writes with a token: what a token for reading cannot. */
const write = (by: KeyedApp, token: Pair) =>
  provider.world.request({ method: 'POST', path: '/12/accounts', as: null, sign: signing(by, token) });

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
  expect(await provider.world.request(unsigned)).toMatchObject(refused(400, 215));
  const token = await provider.issued(app, anna);
  expect(await provider.call('/oauth/request_token', app, token, { query })).toMatchObject(
    refused(400, 215, { parameter: 'oauth_token' }),
  );
  expect(await provider.askRequestToken({ ...app, consumer_secret: 'wrong' })).toMatchObject(refused(401, 32));
});

test(about('A-REQUEST-TOKEN-NONCE'), async () => {
  const query = { oauth_callback: CALLBACK };
  expect((await provider.askRequestToken(app, CALLBACK, { query, sign: { nonce: 'Word_1' } })).status).toBe(200);
  expect(await provider.askRequestToken(app, CALLBACK, { query, sign: { nonce: 'wörd' } })).toMatchObject(
    refused(401, 32, { parameter: 'oauth_nonce' }),
  );
});

test(about('A-REQUEST-TOKEN-FRESH'), async () => {
  const pairs = [await provider.requestToken(app), await provider.requestToken(app)];
  expect(new Set(pairs.flatMap(({ token, secret }) => [token, secret])).size).toBe(4);
});

test(about('A-CALLBACK-REQUIRED'), async () => {
  for (const query of [{}, { oauth_callback: '' }]) {
    expect(await provider.call('/oauth/request_token', app, undefined, { query })).toMatchObject(
      refused(400, 215, { parameter: 'oauth_callback' }),
    );
  }
});

test(about('A-CALLBACK-REGISTERED'), async () => {
  expect(await provider.askRequestToken(app, `${CALLBACK}/`)).toMatchObject(
    refused(403, 415, { message: 'Callback URL not approved for this client application.' }),
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
  // With all of the protocol's parameters in one place, it stands among them.
  for (const place of ['query', 'form'] as const) {
    expect((await ask({ [place]: { oauth_callback }, sign: { in: place } })).status).toBe(200);
  }
});

test(about('A-CALLBACK-OOB'), async () => {
  expect((await provider.askRequestToken(app, 'oob')).status).toBe(200);
  const other = await provider.app({ oob_enabled: false });
  expect(await provider.askRequestToken(other, 'oob')).toMatchObject(refused(403, 417));
});

test(about('A-ACCESS-TYPE'), async () => {
  const levelOf = async (its: KeyedApp, query: Record<string, string>) => {
    const visitor = await provider.signedIn(anna);
    const pair = await provider.requestToken(its, CALLBACK, query);
    const verifier = verifierIn(await visitor.decide(pair.token, 'approve'));
    const { status } = await write(its, pairOf(await provider.exchange(its, pair, verifier)));
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
      refused(400, 215, { parameter: 'platform_auth_access_type' }),
    );
  }
});

test(about('A-AUTHORIZE-CALLBACK'), async () => {
  const callback = 'https://app.example.com/cb?from=a%20friend&x=1';
  const its = await provider.app({ callback_urls: [callback] });
  const { token } = await provider.requestToken(its, callback);
  expect(await browser.decide(token, 'approve')).toMatchObject({
    status: 303,
    location: expect.stringMatching(
      /^https:\/\/app\.example\.com\/cb\?from=a%20friend&x=1&oauth_token=\w{42}&oauth_verifier=\w{42}$/,
    ),
  });
});

test(about('A-AUTHORIZE-PIN'), async () => {
  const approved = await provider.approved(app, browser, 'oob');
  expect(approved.verifier).toMatch(/^\d{7}$/);
  expect((await provider.exchange(app, approved, approved.verifier)).status).toBe(200);
});

test(about('A-AUTHORIZE-DENIED'), async () => {
  const pair = await provider.requestToken(app);
  expect(await browser.decide(pair.token, 'cancel')).toMatchObject({
    status: 303,
    location: `${CALLBACK}?denied=${pair.token}`,
  });
  expect(await provider.exchange(app, pair, 'x')).toMatchObject(refused(401, 89));
  expect((await browser.get(page(pair.token))).status).toBe(403);
  const oob = await provider.requestToken(app, 'oob');
  expect(await browser.decide(oob.token, 'cancel')).toMatchObject({ status: 200, location: undefined });
});

test(about('A-AUTHORIZE-SIGN-IN'), async () => {
  const { token } = await provider.requestToken(app);
  const visitor = provider.visitor();
  const shown = await visitor.get(page(token));
  expect([asksPassword(shown), asksApproval(shown)]).toEqual([true, false]);
  expect(shown.text).toContain(app.name);
  const { screen_name, password } = anna;
  const fields = { csrf: shown.csrf, oauth_token: token, screen_name };
  const wrong = await visitor.post('/oauth/authorize', { ...fields, password: 'wrong' });
  expect([wrong.status, asksPassword(wrong)]).toEqual([401, true]);
  const right = await visitor.post('/oauth/authorize', { ...fields, password });
  expect(right).toMatchObject({ status: 303, location: page(token) });
  const asked = await visitor.get(right.location ?? '');
  expect([asksPassword(asked), asksApproval(asked)]).toEqual([false, true]);
  expect(asked.text).toContain('anna');
});

test(about('A-AUTHORIZE-ASKS'), async () => {
  const its = await provider.app({ sign_in_enabled: true });
  await provider.accessToken(its, browser);
  const { token } = await provider.requestToken(its);
  const again = await browser.get(page(token));
  expect([again.status, asksApproval(again)]).toEqual([200, true]);
});

test(about('A-AUTHORIZE-NO-CALLBACK'), async () => {
  const { token } = await provider.requestToken(app);
  const { csrf, text } = await browser.get(page(token, '&oauth_callback=myapp%3A%2F%2Fcb'));
  expect(text).not.toContain('myapp');
  const answer = await browser.post('/oauth/authorize', {
    csrf,
    oauth_token: token,
    decision: 'approve',
    oauth_callback: 'myapp://cb',
  });
  expect(answer.location).toMatch(/^https:\/\/app\.example\.com\/callback\?/);
});

test(about('A-AUTHORIZE-TOKEN'), async () => {
  for (const name of ['authorize', 'authenticate']) {
    expect((await browser.get(`/oauth/${name}`)).status).toBe(400);
    expect((await browser.get(page('unknown', '', name))).status).toBe(403);
    const { token } = await provider.approved(app, browser);
    expect((await browser.get(page(token, '', name))).status).toBe(403);
  }
});

test(about('A-FORCE-LOGIN'), async () => {
  for (const name of ['authorize', 'authenticate']) {
    const { token } = await provider.requestToken(app);
    for (const absent of ['', '&force_login=false', '&force_login=']) {
      expect(asksPassword(await browser.get(page(token, absent, name)))).toBe(false);
    }
    const visitor = await provider.signedIn(provider.world.credentials);
    const forced = await visitor.get(page(token, '&force_login=true', name));
    expect([forced.status, asksPassword(forced), asksApproval(forced)]).toEqual([200, true, false]);
    const { screen_name, password } = anna;
    await visitor.post(`/oauth/${name}`, { csrf: forced.csrf, oauth_token: token, screen_name, password });
    // The right account: the one whose password was typed.
    const answer = await visitor.decide(token, 'approve');
    expect(answer.location).toMatch(/oauth_verifier=/);
  }
  const its = await provider.app({ sign_in_enabled: true });
  await provider.accessToken(its, browser);
  const { token } = await provider.requestToken(its);
  expect(asksPassword(await browser.get(page(token, '&force_login=true', 'authenticate')))).toBe(true);
});

test(about('A-SCREEN-NAME'), async () => {
  for (const name of ['authorize', 'authenticate']) {
    const { token } = await provider.requestToken(app);
    const { text } = await provider.visitor().get(page(token, '&screen_name=harbourbooks', name));
    expect(text).toMatch(/<input[^>]*value="harbourbooks"/);
  }
});

test(about('A-AUTHENTICATE-REPEAT'), async () => {
  const its = await provider.app({ sign_in_enabled: true });
  const first = await provider.accessToken(its, browser);
  const pair = await provider.requestToken(its);
  const answer = await browser.get(page(pair.token, '', 'authenticate'));
  expect(answer).toMatchObject({
    status: 303,
    location: expect.stringContaining(`${CALLBACK}?oauth_token=${pair.token}&oauth_verifier=`),
  });
  expect(pairOf(await provider.exchange(its, pair, verifierIn(answer)))).toEqual(first);
  // Taking the approval back brings the question back.
  const { csrf } = await browser.get('/settings');
  await browser.post('/settings/revoke', { csrf, app_id: its.id });
  const { token } = await provider.requestToken(its);
  expect(asksApproval(await browser.get(page(token, '', 'authenticate')))).toBe(true);
});

test(about('A-AUTHENTICATE-FIRST'), async () => {
  const its = await provider.app({ sign_in_enabled: true, access_level: 'write' });
  const { token } = await provider.requestToken(its, CALLBACK, { platform_auth_access_type: 'read' });
  expect(asksApproval(await browser.get(page(token, '', 'authenticate')))).toBe(true);
  expect((await browser.decide(token, 'approve', 'authenticate')).status).toBe(303);
  const repeated = await provider.requestToken(its, CALLBACK, { platform_auth_access_type: 'read' });
  // Approved is not yet granted: that the exchange does.
  expect(asksApproval(await browser.get(page(repeated.token, '', 'authenticate')))).toBe(true);
  await provider.exchange(its, repeated, verifierIn(await browser.decide(repeated.token, 'approve')));
  const reading = await provider.requestToken(its, CALLBACK, { platform_auth_access_type: 'read' });
  expect((await browser.get(page(reading.token, '', 'authenticate'))).status).toBe(303);
  // Who has let the app read has not let it write.
  const writing = await provider.requestToken(its);
  expect(asksApproval(await browser.get(page(writing.token, '', 'authenticate')))).toBe(true);
});

test(about('A-AUTHENTICATE-SETTING'), async () => {
  const its = await provider.app({ sign_in_enabled: false });
  await provider.accessToken(its, browser);
  const { token } = await provider.requestToken(its);
  expect(asksApproval(await browser.get(page(token, '', 'authenticate')))).toBe(true);
  await provider.change(its, { sign_in_enabled: true });
  expect((await browser.get(page(token, '', 'authenticate'))).status).toBe(303);
});

test(about('A-AUTHENTICATE-USER'), async () => {
  const its = await provider.app({ sign_in_enabled: true });
  await provider.accessToken(its, browser);
  // Somebody else in another browser has approved nothing.
  const other = await provider.signedIn(provider.world.credentials);
  const { token } = await provider.requestToken(its);
  expect(asksApproval(await other.get(page(token, '', 'authenticate')))).toBe(true);
  const pair = await provider.requestToken(its);
  const answer = await browser.get(page(pair.token, '', 'authenticate'));
  expect(formOf(await provider.exchange(its, pair, verifierIn(answer)))).toMatchObject({ user_id: anna.user_id });
});

test(about('A-ACCESS-TOKEN'), async () => {
  const approved = await provider.approved(app, browser);
  const answer = await provider.exchange(app, approved, approved.verifier);
  expect(answer).toMatchObject({
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  });
  const { user_id } = anna;
  expect(answer.text).toMatch(
    new RegExp(`^oauth_token=${user_id}-\\w{40}&oauth_token_secret=\\w{40,50}&user_id=${user_id}&screen_name=anna$`),
  );
  expect((await provider.use(app, pairOf(answer))).status).toBe(200);
});

test(about('A-ACCESS-TOKEN-PLACES'), async () => {
  for (const options of [
    (oauth_verifier: string) => ({ query: { oauth_verifier } }),
    (oauth_verifier: string) => ({ query: {}, form: { oauth_verifier } }),
    (oauth_verifier: string) => ({ query: { oauth_verifier }, sign: { in: 'query' } }) as const,
    (oauth_verifier: string) => ({ query: {}, form: { oauth_verifier }, sign: { in: 'form' } }) as const,
  ]) {
    const approved = await provider.approved(app, browser);
    const answer = await provider.exchange(app, approved, approved.verifier, options(approved.verifier));
    expect(answer.status, answer.text).toBe(200);
  }
});

test(about('A-ACCESS-TOKEN-TOKEN'), async () => {
  const approved = await provider.approved(app, browser);
  const query = { oauth_verifier: approved.verifier };
  expect(await provider.call('/oauth/access_token', app, undefined, { query })).toMatchObject(
    refused(400, 215, { parameter: 'oauth_token' }),
  );
  expect(await provider.exchange(app, { ...approved, token: 'unknown' }, approved.verifier)).toMatchObject(
    refused(401, 32),
  );
  // The least that clients sign with: the keys of the app.
  expect((await provider.exchange(app, { token: approved.token, secret: '' }, approved.verifier)).status).toBe(200);
});

test(about('A-ACCESS-TOKEN-VERIFIER'), async () => {
  const approved = await provider.approved(app, browser);
  for (const query of [{}, { oauth_verifier: '' }]) {
    expect(await provider.exchange(app, approved, '', { query })).toMatchObject(
      refused(400, 215, { parameter: 'oauth_verifier' }),
    );
  }
  expect(await provider.exchange(app, approved, 'wrong')).toMatchObject(
    refused(401, 32, { parameter: 'oauth_verifier' }),
  );
  expect((await provider.exchange(app, approved, approved.verifier)).status).toBe(200);
});

test(about('A-ACCESS-TOKEN-APPROVED'), async () => {
  const pair = await provider.requestToken(app);
  expect(await provider.exchange(app, pair, 'x')).toMatchObject(refused(401, 32));
});

test(about('A-ACCESS-TOKEN-ONCE'), async () => {
  const approved = await provider.approved(app, browser);
  expect((await provider.exchange(app, approved, approved.verifier)).status).toBe(200);
  expect(await provider.exchange(app, approved, approved.verifier)).toMatchObject(refused(401, 89));
});

test(about('A-REQUEST-TOKEN-EXPIRES'), async () => {
  const [waiting, approved] = [await provider.requestToken(app), await provider.approved(app, browser)];
  provider.world.clock.advance(QUARTER_HOUR_MS);
  expect((await browser.get(page(waiting.token))).status).toBe(403);
  expect(await provider.exchange(app, approved, approved.verifier)).toMatchObject(refused(401, 89));
});

test(about('A-ACCESS-TOKEN-SAME'), async () => {
  const first = await provider.accessToken(app, browser);
  expect(await provider.accessToken(app, browser)).toEqual(first);
  const other = await provider.app();
  expect(await provider.accessToken(other, browser)).not.toEqual(first);
  expect(await provider.accessToken(app, await provider.signedIn(provider.world.credentials))).not.toEqual(first);
});

test(about('A-ACCESS-TOKEN-LASTS'), async () => {
  const token = await provider.accessToken(app, browser);
  provider.world.clock.advance(10 * 365 * 86_400_000);
  expect((await provider.use(app, token)).status).toBe(200);
});

test(about('A-APP-SUSPENDED'), async () => {
  const its = await provider.app();
  await provider.change(its, { suspended: true });
  expect(await provider.askRequestToken(its)).toMatchObject(refused(403, 416));
});

test(about('A-INVALIDATE'), async () => {
  const token = await provider.accessToken(app, browser);
  expect(await provider.call('/1.1/oauth/invalidate_token', app, token)).toMatchObject({
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: { access_token: token.token },
  });
  expect(await provider.use(app, token)).toMatchObject({
    status: 401,
    body: { errors: [{ code: 89, message: expect.stringMatching(/invalid or expired token/i) }] },
  });
  expect(await provider.call('/1.1/oauth/invalidate_token', app, token)).toMatchObject(refused(401, 89));
});

test(about('A-INVALIDATE-PATH'), async () => {
  const token = await provider.accessToken(app, browser);
  expect(await provider.call('/1.1/oauth/invalidate_token.json', app, token)).toMatchObject({
    status: 200,
    body: { access_token: token.token },
  });
});

test(about('A-INVALIDATE-ANEW'), async () => {
  const token = await provider.accessToken(app, browser);
  await provider.call('/1.1/oauth/invalidate_token', app, token);
  const next = await provider.accessToken(app, browser);
  expect([next.token === token.token, next.secret === token.secret]).toEqual([false, false]);
  // A token for reading can revoke itself too.
  const reader = await provider.issued(app, anna, 'read');
  expect((await provider.call('/1.1/oauth/invalidate_token', app, reader)).status).toBe(200);
});

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
    expect(await provider.world.request({ ...request, form })).toMatchObject(refused(403, 99));
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
    expect(await provider.askBearer(authorization)).toMatchObject(refused(403, 99, { label, message }));
  }
});

test(about('A-BEARER-FREQUENT'), async () => {
  await using limited = await Provider.open({ rateLimits: { 'auth.bearer': { limit: 2 } } });
  const its = await limited.app();
  await limited.bearer(its);
  await limited.bearer(its);
  expect(await limited.askBearer(basic(its.consumer_key, its.consumer_secret))).toMatchObject(refused(403, 99));
});

test(about('A-BEARER-INVALIDATE'), async () => {
  const owners = await provider.issued(app, anna);
  const bearer = await provider.bearer(app);
  expect(await provider.invalidateBearer(app, owners, bearer)).toMatchObject({
    status: 200,
    body: { access_token: bearer },
  });
  expect(await provider.invalidateBearer(app, owners, bearer)).toMatchObject(refused(403, 99));
  expect(await provider.bearer(app)).not.toBe(bearer);
});

test(about('A-BEARER-INVALIDATE-OWNER'), async () => {
  const bearer = await provider.bearer(app);
  const other = await provider.issued(app, provider.world.user);
  expect(await provider.invalidateBearer(app, other, bearer)).toMatchObject(refused(403, 99));
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
    expect(await provider.call('/oauth2/invalidate_token', app, owners, { query })).toMatchObject(refused(403, 99));
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
  expect(await limited.askRequestToken(its)).toMatchObject(refused(429, 88));
  expect(await limited.exchange(its, pair, 'x')).toMatchObject(refused(401, 32));
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
      expect(answer).toMatchObject({ ...refused(405, 34), headers: { allow: 'POST' } });
    }
  }
  for (const path of ['/oauth/authorize', '/oauth/authenticate']) {
    expect((await provider.world.request({ listener: 'api', method: 'PUT', path, as: null })).status).toBe(404);
  }
});
