/** Forms that another site makes a browser send change nothing (CSRF), and neither do forms of other people. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type KeyedApp, Provider } from './provider.ts';
import { type Arrival, type Fields, type Person, Visitor } from './visitor.ts';

let provider: Provider;
let anna: Person;
/** Anna's browser, in which she is signed in; she owns the app. */
let browser: Visitor;
let app: KeyedApp;
let oauth_token: string;

beforeAll(async () => {
  provider = await Provider.open();
  anna = await provider.person('anna');
  browser = await provider.signedIn(anna);
  app = await provider.app({ owner_user_id: anna.user_id, callback_urls: ['https://app.example.com/cb'] });
  await provider.accessToken(app, browser, 'https://app.example.com/cb');
});
afterAll(() => provider[Symbol.asyncDispose]());

interface Action {
  readonly title: string;
  readonly path: () => string;
  /** Path of the page that contains the form. */
  readonly page: () => string;
  readonly fields: () => Fields;
  /** The browser: Anna's, or one that is not signed in. */
  readonly who?: 'stranger';
}

const decide = (decision: string): Action => ({
  title: decision,
  path: () => '/oauth/authorize',
  page: () => `/oauth/authorize?oauth_token=${oauth_token}`,
  fields: () => ({ oauth_token, decision }),
});
const settings = () => `/settings/apps/${app.id}`;
const credentials = () => ({ screen_name: anna.screen_name, password: anna.password });

const actions: readonly Action[] = [
  decide('approve'),
  decide('cancel'),
  decide('switch'),
  { title: 'sign in', path: () => '/sign-in', page: () => '/sign-in', fields: credentials, who: 'stranger' },
  {
    title: 'sign in on the way to an app',
    path: () => '/oauth/authorize',
    page: () => `/oauth/authorize?oauth_token=${oauth_token}`,
    fields: () => ({ oauth_token, ...credentials() }),
    who: 'stranger',
  },
  {
    title: 'sign in again, as force_login asks',
    path: () => '/oauth/authorize',
    page: () => `/oauth/authorize?oauth_token=${oauth_token}&force_login=true`,
    fields: () => ({ oauth_token, ...credentials() }),
  },
  { title: 'sign out', path: () => '/sign-out', page: () => '/settings', fields: () => ({}) },
  { title: 'revoke', path: () => '/settings/revoke', page: () => '/settings', fields: () => ({ app_id: app.id }) },
  {
    title: 'change identifiers',
    path: () => '/settings/identifiers',
    page: () => '/settings',
    fields: () => ({ email: `changed${++changes}@example.com`, phone_numbers: '', devices: '' }),
  },
  {
    title: 'change the settings of an app',
    path: settings,
    page: settings,
    fields: () => ({
      name: `Changed ${++changes}`,
      description: '',
      callback_urls: 'https://app.example.com/cb',
      access_level: 'write',
      oob_enabled: 'true',
    }),
  },
  { title: 'regenerate keys', path: () => `${settings()}/keys`, page: settings, fields: () => ({}) },
  { title: 'revoke the bearer token', path: () => `${settings()}/bearer`, page: settings, fields: () => ({}) },
];
let changes = 0;

/** The stores and the browser's own cookies: all that a forged form could change. */
const stateOf = (visitor: Visitor) => ({ stores: provider.snapshot(), session: visitor.session });

describe.for(actions.map((action) => [action.title, action] as const))('%s', ([, action]) => {
  async function victim(): Promise<Visitor> {
    await provider.world.platform.bearerTokens.tokenOf({ user_id: null, platform: 'SERVER' }, app.id);
    oauth_token = (await provider.requestToken(await provider.app())).token;
    return action.who ? provider.visitor() : browser;
  }

  async function expectRejected(visitor: Visitor, attack: () => Promise<Arrival>, status = 403): Promise<void> {
    const before = stateOf(visitor);
    const answer = await attack();
    expect([answer.status, answer.location]).toEqual([status, undefined]);
    expect(answer.setCookies.filter((line) => line.includes('session'))).toEqual([]);
    expect(stateOf(visitor)).toEqual(before);
  }

  test('is rejected without a token, and with an invalid one', async () => {
    const visitor = await victim();
    await visitor.get(action.page());
    const fields = action.fields();
    await expectRejected(visitor, () => visitor.post(action.path(), fields));
    for (const csrf of ['', 'undefined', 'x'.repeat(43), [...visitor.cookies.values()][0] ?? '']) {
      await expectRejected(visitor, () => visitor.post(action.path(), { ...fields, csrf }));
    }
  });

  test('is rejected with the token of another session of the same person, and of another person', async () => {
    const visitor = await victim();
    await visitor.get(action.page());
    for (const other of [await provider.signedIn(anna), await provider.signedIn(provider.world.credentials)]) {
      const { csrf } = await other.get('/settings');
      expect(csrf).toMatch(/^[\w-]{43}$/);
      await expectRejected(visitor, () => visitor.post(action.path(), { ...action.fields(), csrf }));
    }
  });

  test('is rejected with the token of another visitor', async () => {
    const visitor = await victim();
    await visitor.get(action.page());
    const { csrf } = await provider.visitor().get('/sign-in');
    expect(csrf).toMatch(/^[\w-]{43}$/);
    await expectRejected(visitor, () => visitor.post(action.path(), { ...action.fields(), csrf }));
  });

  test('is rejected without the cookies that go with the token', async () => {
    const visitor = await victim();
    const { csrf } = await visitor.get(action.page());
    const bare = provider.visitor();
    await expectRejected(bare, () => bare.post(action.path(), { ...action.fields(), csrf }));
  });

  test('is rejected when the browser says that another site sent it, whatever token it carries', async () => {
    const visitor = await victim();
    const { csrf } = await visitor.get(action.page());
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { origin: 'null', 'sec-fetch-site': undefined },
      { origin: 'https://api.test.evil.example' },
      { origin: 'https://api.test:8443' },
      { origin: 'https://evil.api.test', 'sec-fetch-site': undefined },
      { origin: '' },
    ]) {
      await expectRejected(visitor, () => visitor.post(action.path(), { ...action.fields(), csrf }, headers));
    }
  });

  test('is rejected as any other body than a form, with the token in the address, or with a field twice', async () => {
    const visitor = await victim();
    const { csrf } = await visitor.get(action.page());
    const fields = { ...action.fields(), csrf };
    const text = new URLSearchParams(fields).toString();
    for (const [type, body] of [
      ['text/plain', text],
      ['application/json', JSON.stringify(fields)],
      ['multipart/form-data; boundary=x', text],
      ['application/x-www-form-urlencoded', `${text}&csrf=${csrf}`],
    ] as const) {
      const headers = { 'content-type': type, origin: provider.world.urls.api };
      await expectRejected(visitor, () => visitor.send('POST', action.path(), headers, body), 400);
    }
    const { csrf: _, ...rest } = fields;
    await expectRejected(visitor, () => visitor.post(`${action.path()}?csrf=${csrf}`, rest));
  });

  test('is not done by GET', async () => {
    const visitor = await victim();
    const { csrf } = await visitor.get(action.page());
    const before = stateOf(visitor);
    await visitor.get(`${action.path()}?${new URLSearchParams({ ...action.fields(), csrf })}`);
    expect(stateOf(visitor)).toEqual(before);
  });

  test('works from its own page', async () => {
    const visitor = await victim();
    const { csrf } = await visitor.get(action.page());
    const before = stateOf(visitor);
    const answer = await visitor.post(action.path(), { ...action.fields(), csrf });
    expect(answer.status).toBeLessThan(400);
    expect(stateOf(visitor)).not.toEqual(before);
    if (visitor === browser && browser.session === undefined) browser = await provider.signedIn(anna);
  });
});

describe('a cookie that somebody planted', () => {
  const NAME = '__Host-broadside_visitor';

  test('has a token that is not valid for forms of a person who is signed in', async () => {
    // Mallory knows the token of a visitor's cookie of her own, and plants the cookie in Anna's browser.
    const mallory = provider.visitor();
    const { csrf } = await mallory.get('/sign-in');
    const victim = await provider.signedIn(anna);
    victim.cookies.set(NAME, mallory.cookies.get(NAME) ?? '');
    const { token } = await provider.requestToken(await provider.app());
    for (const [path, fields] of [
      ['/oauth/authorize', { oauth_token: token, decision: 'approve' }],
      ['/oauth/authorize', { oauth_token: token, decision: 'switch' }],
      ['/sign-out', {}],
      ['/settings/revoke', { app_id: app.id }],
      ['/settings/identifiers', { email: 'mallory@example.com' }],
      [`/settings/apps/${app.id}/keys`, {}],
    ] as const) {
      const before = stateOf(victim);
      expect((await victim.post(path, { ...fields, csrf })).status).toBe(403);
      expect(stateOf(victim)).toEqual(before);
    }
  });

  test('under the name without the prefix means nothing behind HTTPS', async () => {
    const signedIn = await provider.signedIn(anna);
    const victim = provider.visitor();
    victim.cookies.set('broadside_session', signedIn.session ?? '');
    expect(await victim.get('/settings')).toMatchObject({ status: 303, location: '/sign-in' });
  });

  test('that is empty, long or of odd characters is not of anybody', async () => {
    for (const value of ['', ' ', 'x'.repeat(4000), '%00', '%zz', '"quoted"', '__proto__', 'ü']) {
      const victim = new Visitor(provider.world);
      victim.cookies.set(NAME, value);
      victim.cookies.set('__Host-broadside_session', value);
      const { status, csrf } = await victim.get('/sign-in');
      expect(status).toBe(200);
      expect((await victim.post('/sign-in', { csrf: '', ...credentials() })).status).toBe(403);
      expect(csrf).toMatch(/^[\w-]{43}$/);
    }
  });
});

describe('somebody else’s', () => {
  test('app does not exist for a person who does not own it', async () => {
    const stranger = await provider.signedIn(provider.world.credentials);
    const { csrf } = await stranger.get('/settings');
    const before = stateOf(stranger);
    expect((await stranger.get(settings())).status).toBe(404);
    const unknown = await stranger.get('/settings/apps/123');
    expect((await stranger.get(settings())).text).toBe(unknown.text);
    for (const path of [settings(), `${settings()}/keys`, `${settings()}/bearer`]) {
      const fields = { csrf, name: 'Stolen', callback_urls: 'https://evil.example/', access_level: 'write' };
      expect((await stranger.post(path, fields)).status).toBe(404);
    }
    expect(stateOf(stranger)).toEqual(before);
  });

  test('approval is not revoked', async () => {
    const approved = await provider.app();
    const token = await provider.accessToken(approved, await provider.signedIn(anna));
    const stranger = await provider.signedIn(provider.world.credentials);
    const { csrf } = await stranger.get('/settings');
    await stranger.post('/settings/revoke', { csrf, app_id: approved.id });
    expect((await provider.use(approved, token)).status).toBe(200);
  });
});
