/** Access tokens: specification A, Authentication endpoints, States and transitions. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type KeyedApp, type Provider, pairOf, rejected } from '../../oauth/attacks/provider.ts';
import type { Person, Visitor } from '../../oauth/attacks/visitor.ts';
import { about } from '../../support/scenario.ts';
import { closeSetting, openSetting, page, QUARTER_HOUR_MS, type Setting } from './setting.ts';

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
    rejected(400, 215, { parameter: 'oauth_token' }),
  );
  expect(await provider.exchange(app, { ...approved, token: 'unknown' }, approved.verifier)).toMatchObject(
    rejected(401, 32),
  );
  // The least that clients sign with: the keys of the app.
  expect((await provider.exchange(app, { token: approved.token, secret: '' }, approved.verifier)).status).toBe(200);
});

test(about('A-ACCESS-TOKEN-VERIFIER'), async () => {
  const approved = await provider.approved(app, browser);
  for (const query of [{}, { oauth_verifier: '' }]) {
    expect(await provider.exchange(app, approved, '', { query })).toMatchObject(
      rejected(400, 215, { parameter: 'oauth_verifier' }),
    );
  }
  expect(await provider.exchange(app, approved, 'wrong')).toMatchObject(
    rejected(401, 32, { parameter: 'oauth_verifier' }),
  );
  expect((await provider.exchange(app, approved, approved.verifier)).status).toBe(200);
});

test(about('A-ACCESS-TOKEN-APPROVED'), async () => {
  const pair = await provider.requestToken(app);
  expect(await provider.exchange(app, pair, 'x')).toMatchObject(rejected(401, 32));
});

test(about('A-ACCESS-TOKEN-ONCE'), async () => {
  const approved = await provider.approved(app, browser);
  expect((await provider.exchange(app, approved, approved.verifier)).status).toBe(200);
  expect(await provider.exchange(app, approved, approved.verifier)).toMatchObject(rejected(401, 89));
});

test(about('A-REQUEST-TOKEN-EXPIRES'), async () => {
  const [waiting, approved] = [await provider.requestToken(app), await provider.approved(app, browser)];
  provider.world.clock.advance(QUARTER_HOUR_MS);
  expect((await browser.get(page(waiting.token))).status).toBe(403);
  expect(await provider.exchange(app, approved, approved.verifier)).toMatchObject(rejected(401, 89));
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
  expect(await provider.askRequestToken(its)).toMatchObject(rejected(403, 416));
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
  expect(await provider.call('/1.1/oauth/invalidate_token', app, token)).toMatchObject(rejected(401, 89));
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
