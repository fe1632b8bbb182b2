/** Bearer tokens are accepted in the header only and do not open people's data; a revoked one is rejected at once. */
import { createTrpcClient } from '@broadside/client/trpc';
import type { Answer } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { basic, type KeyedApp, type Pair, Provider, rejected } from './provider.ts';
import type { Person, Visitor } from './visitor.ts';

let provider: Provider;
let app: KeyedApp;
let anna: Person;
let browser: Visitor;

beforeAll(async () => {
  provider = await Provider.open();
  app = await provider.app();
  anna = await provider.person('anna');
  browser = await provider.signedIn(anna);
});
afterAll(() => provider[Symbol.asyncDispose]());

/** Calls with a token in each way that there is: on both listeners over REST, and over tRPC. */
async function uses(by: KeyedApp, token: Pair): Promise<{ rest: Answer[]; trpc: (number | undefined)[] }> {
  const keys = { consumer_key: by.consumer_key, consumer_secret: by.consumer_secret };
  const credentials = {
    ...provider.world.credentials,
    ...keys,
    access_token: token.token,
    access_token_secret: token.secret,
  };
  const trpc = (['production', 'sandbox'] as const).map(async (environment) => {
    const client = createTrpcClient(credentials, { ...provider.world.clientOptions, environment });
    return client.accounts.list.query({}).then(
      () => 200,
      (error: { data?: { httpStatus?: number } }) => error.data?.httpStatus,
    );
  });
  const rest = [provider.use(by, token, 'ads'), provider.use(by, token, 'sandbox')];
  return { rest: await Promise.all(rest), trpc: await Promise.all(trpc) };
}

async function expectWorks(by: KeyedApp, token: Pair): Promise<void> {
  const { rest, trpc } = await uses(by, token);
  expect([...rest.map(({ status }) => status), ...trpc]).toEqual([200, 200, 200, 200]);
}

async function expectDead(by: KeyedApp, token: Pair, status: number, code: number | string): Promise<void> {
  const { rest, trpc } = await uses(by, token);
  for (const answer of rest) expect(answer).toMatchObject({ status, body: { errors: [{ code }] } });
  expect(trpc).toEqual([status, status]);
}

describe('an access token is rejected from the next request on, however warm it was', () => {
  test('when it invalidates itself', async () => {
    const token = await provider.accessToken(app, browser);
    await expectWorks(app, token);
    expect(await provider.call('/1.1/oauth/invalidate_token', app, token)).toMatchObject({
      status: 200,
      body: { access_token: token.token },
    });
    await expectDead(app, token, 401, 89);
    expect(await provider.call('/1.1/oauth/invalidate_token', app, token)).toMatchObject(rejected(401, 89));
    expect(await provider.invalidateBearer(app, token, 'x')).toMatchObject(rejected(403, 99));
    const next = await provider.accessToken(app, browser);
    expect(next.token).not.toBe(token.token);
    await expectWorks(app, next);
    await expectDead(app, token, 401, 89);
  });

  test('when the person takes the approval back', async () => {
    const token = await provider.accessToken(app, browser);
    await expectWorks(app, token);
    const { csrf } = await browser.get('/settings');
    await browser.post('/settings/revoke', { csrf, app_id: app.id });
    await expectDead(app, token, 401, 89);
  });

  test('when the operator revokes it', async () => {
    const token = await provider.issued(app, anna);
    await expectWorks(app, token);
    await provider.world.platform.identity.tokens.revoke({ user_id: null, platform: 'OPERATOR' }, token.token);
    await expectDead(app, token, 401, 89);
  });

  test('while requests with it are under way', async () => {
    const token = await provider.issued(app, anna);
    const calls: Promise<Answer>[] = [];
    for (let i = 0; i < 30; i++) calls.push(provider.use(app, token));
    const revoked = provider.call('/1.1/oauth/invalidate_token', app, token);
    for (let i = 0; i < 30; i++) calls.push(provider.use(app, token));
    await Promise.all([...calls, revoked]);
    await expectDead(app, token, 401, 89);
  });

  test('when its app is suspended, and it works again when that is lifted', async () => {
    const its = await provider.app();
    const token = await provider.accessToken(its, browser);
    const [asked, approved] = [await provider.requestToken(its), await provider.approved(its, browser)];
    await expectWorks(its, token);
    await provider.change(its, { suspended: true });
    await expectDead(its, token, 403, 'UNAUTHORIZED_CLIENT_APPLICATION');
    expect(await provider.askRequestToken(its)).toMatchObject(rejected(403, 416));
    expect(await provider.exchange(its, approved, approved.verifier)).toMatchObject(rejected(403, 416));
    expect(await provider.call('/1.1/oauth/invalidate_token', its, token)).toMatchObject(rejected(403, 416));
    expect(await provider.askBearer(basic(its.consumer_key, its.consumer_secret))).toMatchObject(rejected(403, 99));
    expect(await browser.get(`/oauth/authorize?oauth_token=${asked.token}`)).toMatchObject({ status: 403 });
    expect(await browser.get(`/oauth/authenticate?oauth_token=${asked.token}`)).toMatchObject({ status: 403 });
    await provider.change(its, { suspended: false });
    await expectWorks(its, token);
  });

  test('when the level of its app is lowered, it cannot write any more', async () => {
    const its = await provider.app();
    const token = await provider.accessToken(its, browser);
    const write = () =>
      provider.world.request({
        method: 'POST',
        path: '/12/accounts',
        as: null,
        sign: {
          consumerKey: its.consumer_key,
          consumerSecret: its.consumer_secret,
          token: token.token,
          tokenSecret: token.secret,
        },
      });
    expect((await write()).status).toBe(200);
    await provider.change(its, { access_level: 'read' });
    expect(await write()).toMatchObject({ status: 403, body: { errors: [{ code: 'READONLY_CLIENT_APPLICATION' }] } });
  });
});

describe('new keys of an app', () => {
  test('stop the old ones and the bearer token at once, and keep the approvals', async () => {
    const its = await provider.app({ owner_user_id: anna.user_id });
    const token = await provider.accessToken(its, browser);
    const bearer = await provider.bearer(its);
    const pending = await provider.approved(its, browser);
    await expectWorks(its, token);
    const { csrf } = await browser.get(`/settings/apps/${its.id}`);
    const { text, status } = await browser.post(`/settings/apps/${its.id}/keys`, { csrf });
    expect(status).toBe(200);
    const shown = [...text.matchAll(/<code[^>]*>(\w+)<\/code>/g)];
    const [consumer_key = '', consumer_secret = ''] = shown.map(([, code = '']) => code);
    const renewed = { ...its, consumer_key, consumer_secret };
    await expectDead(its, token, 401, 'UNAUTHORIZED_ACCESS');
    await expectDead({ ...its, consumer_key }, token, 401, 'UNAUTHORIZED_ACCESS');
    await expectDead({ ...its, consumer_secret }, token, 401, 'UNAUTHORIZED_ACCESS');
    expect(await provider.askRequestToken(its)).toMatchObject(rejected(401, 32));
    expect(await provider.exchange(its, pending, pending.verifier)).toMatchObject(rejected(401, 32));
    expect(await provider.askBearer(basic(its.consumer_key, its.consumer_secret))).toMatchObject(rejected(403, 99));
    expect(await provider.invalidateBearer(renewed, token, bearer)).toMatchObject(rejected(403, 99));
    expect(await provider.bearer(renewed)).not.toBe(bearer);
    await expectWorks(renewed, token);
    expect((await provider.exchange(renewed, pending, pending.verifier)).status).toBe(200);
  });
});

describe('a bearer token', () => {
  const asked = { status: 401, body: { errors: [{ code: 'UNAUTHORIZED_ACCESS' }] } };

  test('in the query or in a form is not a credential, of the app or of the operator', async () => {
    const bearer = await provider.bearer(app);
    const user = await provider.issued(app, anna);
    for (const access_token of [bearer, user.token]) {
      const carried = [{ query: { access_token } }, { query: { access_token: `Bearer ${access_token}` } }];
      for (const how of carried) {
        expect(await provider.world.request({ path: '/12/accounts', as: null, ...how })).toMatchObject(asked);
        expect(await provider.world.request({ listener: 'ads', path: '/12/accounts', as: null, ...how })).toMatchObject(
          asked,
        );
      }
      for (const how of [...carried, { form: { access_token } }, { json: { access_token } }]) {
        const post = { method: 'POST', as: null, ...how };
        expect(await provider.world.request({ ...post, path: '/12/accounts' })).toMatchObject(asked);
        const api = { ...post, listener: 'api' } as const;
        expect(await provider.world.request({ ...api, path: '/1.1/oauth/invalidate_token' })).toMatchObject(
          rejected(400, 215),
        );
        expect(await provider.world.request({ ...api, path: '/oauth/request_token' })).toMatchObject(
          rejected(400, 215),
        );
        expect(await provider.world.request({ ...api, path: '/oauth/access_token' })).toMatchObject(rejected(400, 215));
        expect(await provider.world.request({ ...api, path: '/oauth2/token' })).toMatchObject(rejected(403, 99));
        expect(await provider.world.request({ ...api, path: '/oauth2/invalidate_token' })).toMatchObject(
          rejected(403, 99),
        );
      }
    }
    expect(await provider.bearer(app)).toBe(bearer);
    expect((await provider.use(app, user)).status).toBe(200);
  });

  test('is rejected where a person has to sign', async () => {
    const headers = { authorization: `Bearer ${await provider.bearer(app)}` };
    for (const listener of ['ads', 'sandbox'] as const) {
      expect(await provider.world.request({ listener, path: '/12/accounts', as: null, headers })).toMatchObject(asked);
      expect((await provider.world.request({ listener, path: '/trpc/accounts.list', as: null, headers })).status).toBe(
        401,
      );
    }
    for (const path of ['/1.1/oauth/invalidate_token', '/oauth/request_token', '/oauth/access_token']) {
      const request = { listener: 'api', method: 'POST', path, as: null, headers } as const;
      expect(await provider.world.request(request)).toMatchObject(rejected(400, 215));
    }
  });

  test('does not invalidate itself, and neither does knowing it beside no credentials', async () => {
    const access_token = await provider.bearer(app);
    for (const headers of [{ authorization: `Bearer ${access_token}` }, {}]) {
      const request = { listener: 'api', method: 'POST', path: '/oauth2/invalidate_token', as: null, headers } as const;
      expect(await provider.world.request({ ...request, query: { access_token } })).toMatchObject(rejected(403, 99));
    }
    expect(await provider.bearer(app)).toBe(access_token);
  });

  test('that was invalidated is not known any more, and the next one differs', async () => {
    const its = await provider.app({ owner_user_id: anna.user_id });
    const owners = await provider.issued(its, anna);
    const first = await provider.bearer(its);
    expect(await provider.invalidateBearer(its, owners, first)).toMatchObject({
      status: 200,
      body: { access_token: first },
    });
    expect(await provider.invalidateBearer(its, owners, first)).toMatchObject(rejected(403, 99));
    const second = await provider.bearer(its);
    expect(second).not.toBe(first);
    expect(await provider.invalidateBearer(its, owners, first)).toMatchObject(rejected(403, 99));
    expect(await provider.bearer(its)).toBe(second);
  });
});
