/** The pages on which people approve an app: specification A, Authentication endpoints, States and transitions. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  CALLBACK,
  formOf,
  type KeyedApp,
  type Provider,
  pairOf,
  rejected,
  verifierIn,
} from '../../oauth/attacks/provider.ts';
import type { Person, Visitor } from '../../oauth/attacks/visitor.ts';
import { about } from '../../support/scenario.ts';
import { asksApproval, asksPassword, closeSetting, openSetting, page, type Setting } from './setting.ts';

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
  expect(await provider.exchange(app, pair, 'x')).toMatchObject(rejected(401, 89));
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
  // Consent to reading is not consent to writing.
  const writing = await provider.requestToken(its);
  expect(asksApproval(await browser.get(page(writing.token, '', 'authenticate')))).toBe(true);
});

test(about('A-AUTHENTICATE-HEAD'), async () => {
  const its = await provider.app({ sign_in_enabled: true });
  const first = await provider.accessToken(its, browser);
  const pair = await provider.requestToken(its);
  const address = page(pair.token, '', 'authenticate');
  for (const name of ['authenticate', 'authorize'] as const) {
    const asked = await browser.send('HEAD', page(pair.token, '', name), { 'sec-fetch-site': 'none' });
    expect([asked.status, asked.location, asked.text]).toEqual([200, undefined, '']);
  }
  // The token still waits, so the visit that follows is the one that approves it.
  const answer = await browser.get(address);
  expect(answer.status).toBe(303);
  expect(pairOf(await provider.exchange(its, pair, verifierIn(answer)))).toEqual(first);
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
