/**
 * Third-party clients get their tokens from a running server, use them and revoke them. The person who is asked
 * sits in front of `BrowserUser` and knows only what is on the pages.
 */
import { createServer, type Server } from 'node:http';
import { createTrpcClient } from '@broadside/client/trpc';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { BrowserUser, pinOn } from '../../support/browser-user.ts';
import { type Listening, listening } from '../../support/listening.ts';
import type { Answer, AppKeys, FlowClient, TokenPair } from './client.ts';
import { flowClients } from './libraries.ts';
import { PassportSite, SignedIn } from './passport-site.ts';
import { required, Started } from './started.ts';

const OPERATOR_TOKEN = 'operator-token-of-at-least-24-characters';
const PERSON = { screen_name: 'reader', password: 'correct horse battery' };
const OWNER = { screen_name: 'maker', password: 'staple correct horse' };

let broadside: Listening;
/** Callback of the apps: any web server. */
let elsewhere: Server;
let callback: string;
let person: { readonly id: string };
let owner: { readonly id: string };
let started: Started<FlowClient>;
let apps = 0;

beforeAll(async () => {
  elsewhere = createServer((_, response) => response.end('Thank you.'));
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  const address = elsewhere.address();
  // A callback may have a query of its own, which stays as it is.
  callback = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/callback?from=a%20friend&x=1`;
  [broadside, started] = await Promise.all([
    listening({ BROADSIDE_OPERATOR_TOKEN: OPERATOR_TOKEN }),
    Started.all(flowClients),
  ]);
  person = await operator().users.create.mutate(PERSON);
  owner = await operator().users.create.mutate(OWNER);
});

afterAll(async () => {
  started.close();
  elsewhere.close();
  elsewhere.closeAllConnections();
  await broadside[Symbol.asyncDispose]();
});

function operator() {
  return createTrpcClient(broadside.credentials, { operatorToken: OPERATOR_TOKEN }).admin;
}

function createApp(callback_url: string): Promise<AppKeys> {
  return operator().apps.create.mutate({
    name: `App ${++apps}`,
    owner_user_id: owner.id,
    callback_urls: [callback_url],
    sign_in_enabled: true,
    oob_enabled: true,
  });
}

/** The token of the app's owner, who made it in the app's settings. */
async function ownersToken(app: AppKeys): Promise<TokenPair> {
  const { consumer_key } = app;
  const issued = await operator().tokens.create.mutate({ consumer_key, user_id: owner.id });
  return { token: issued.access_token, token_secret: issued.access_token_secret };
}

const at = (path: string) => broadside.credentials.base_url + path;
const Rejection = z.object({ errors: z.array(z.object({ code: z.union([z.number(), z.string()]) })).min(1) });
const Revoked = z.object({ access_token: z.string() });

function firstCode({ body }: Answer): number | string | undefined {
  return Rejection.parse(JSON.parse(body)).errors[0]?.code;
}

test.runIf(required)('all clients are there in CI', () => {
  expect(started.missing).toEqual([]);
});

describe.each(flowClients.map(({ name }) => name))('%s', (name) => {
  let app: AppKeys;
  beforeEach(async () => {
    app = await createApp(callback);
  });

  /** The flow with a callback. */
  async function comeIn(client: FlowClient, browser: BrowserUser, page: 'authorize' | 'authenticate') {
    const requested = await client.requestToken(at('/oauth/request_token'), app, callback);
    expect(requested.callback_confirmed).toBe('true');
    const { page: end, asked } = await browser.visit(
      await client.authorizationUrl(at(`/oauth/${page}`), app, requested),
    );
    const { searchParams } = new URL(end.url);
    const verifier = searchParams.get('oauth_verifier') ?? '';
    expect(end.url).toBe(`${callback}&oauth_token=${requested.token}&oauth_verifier=${verifier}`);
    const access = await client.accessToken(at('/oauth/access_token'), app, requested, verifier);
    expect(access).toMatchObject({ user_id: person.id, screen_name: PERSON.screen_name });
    return { access, asked };
  }

  /** Reads in production and writes in the sandbox. */
  async function expectUsable(client: FlowClient, token: TokenPair) {
    const { ads_base_url, ads_sandbox_base_url } = broadside.credentials;
    const read = await client.send({ method: 'GET', url: `${ads_base_url}/12/accounts?count=10`, app, token });
    expect(read).toMatchObject({ status: 200 });
    const written = await client.send({
      method: 'POST',
      url: `${ads_sandbox_base_url}/12/accounts`,
      app,
      token,
    });
    expect(written.status, written.body).toBeLessThan(300);
  }

  test('gets a token by way of a callback, and uses it', async (context) => {
    const client = started.get(name, context);
    const { access, asked } = await comeIn(client, new BrowserUser(PERSON), 'authorize');
    expect(asked).toEqual(['sign in', 'approve']);
    await expectUsable(client, access);
  });

  test('learns that the person denied access', async (context) => {
    const client = started.get(name, context);
    const requested = await client.requestToken(at('/oauth/request_token'), app, callback);
    const url = await client.authorizationUrl(at('/oauth/authorize'), app, requested);
    const { page } = await new BrowserUser(PERSON).visit(url, 'cancel');
    expect(page.url).toBe(`${callback}&denied=${requested.token}`);
  });

  test('gets a token by way of a PIN, and uses it', async (context) => {
    const client = started.get(name, context);
    const requested = await client.requestToken(at('/oauth/request_token'), app, 'oob');
    const url = await client.authorizationUrl(at('/oauth/authorize'), app, requested);
    const { page } = await new BrowserUser(PERSON).visit(url);
    const access = await client.accessToken(at('/oauth/access_token'), app, requested, pinOn(page));
    expect(access).toMatchObject({ user_id: person.id, screen_name: PERSON.screen_name });
    await expectUsable(client, access);
  });

  test('signs a person in, the second time without a question', async (context) => {
    const client = started.get(name, context);
    const browser = new BrowserUser(PERSON);
    const first = await comeIn(client, browser, 'authenticate');
    expect(first.asked).toEqual(['sign in', 'approve']);
    const second = await comeIn(client, browser, 'authenticate');
    expect(second.asked).toEqual([]);
    expect(second.access).toEqual(first.access);
    await expectUsable(client, second.access);
    const asked = (await comeIn(client, browser, 'authorize')).asked;
    expect(asked, 'authorize always asks').toEqual(['approve']);
  });

  test('gets the bearer token of its app, the same one each time', async (context) => {
    const client = started.get(name, context);
    const bearer = await client.bearerToken(at('/oauth2/token'), app);
    expect(bearer).toMatch(/^A{10}/);
    expect(await client.bearerToken(at('/oauth2/token'), app)).toBe(bearer);
  });

  test('revokes an access token, which is rejected from then on', async (context) => {
    const client = started.get(name, context);
    const { access } = await comeIn(client, new BrowserUser(PERSON), 'authorize');
    const revoke = () => client.send({ method: 'POST', url: at('/1.1/oauth/invalidate_token'), app, token: access });
    const revoked = await revoke();
    expect(revoked).toMatchObject({ status: 200 });
    expect(Revoked.parse(JSON.parse(revoked.body))).toEqual({ access_token: access.token });
    const again = await revoke();
    expect([again.status, firstCode(again)]).toEqual([401, 89]);
    const url = `${broadside.credentials.ads_base_url}/12/accounts`;
    expect(await client.send({ method: 'GET', url, app, token: access })).toMatchObject({ status: 401 });
    const { access: fresh } = await comeIn(client, new BrowserUser(PERSON), 'authorize');
    expect(fresh.token).not.toBe(access.token);
  });

  test("revokes the bearer token with the token of the app's owner, and with no other", async (context) => {
    const client = started.get(name, context);
    const bearer = await client.bearerToken(at('/oauth2/token'), app);
    const url = at(`/oauth2/invalidate_token?access_token=${encodeURIComponent(bearer)}`);
    const { access } = await comeIn(client, new BrowserUser(PERSON), 'authorize');
    const revoke = (token: TokenPair) => client.send({ method: 'POST', url, app, token });
    const strangers = await revoke(access);
    expect([strangers.status, firstCode(strangers)]).toEqual([403, 99]);
    const owners = await ownersToken(app);
    const revoked = await revoke(owners);
    expect(revoked).toMatchObject({ status: 200 });
    expect(Revoked.parse(JSON.parse(revoked.body))).toEqual({ access_token: bearer });
    const again = await revoke(owners);
    expect([again.status, firstCode(again)]).toEqual([403, 99]);
    expect(await client.bearerToken(at('/oauth2/token'), app)).not.toBe(bearer);
  });
});

/** It is for web sites alone: it knows no PIN, and of tokens only how to get them. */
describe('npm passport-oauth1', () => {
  let site: PassportSite;
  let app: AppKeys;
  beforeAll(async () => {
    site = await PassportSite.open();
  });
  beforeEach(async () => {
    app = await createApp(site.callbackUrl);
  });
  afterAll(() => site.close());

  async function comeIn(browser: BrowserUser, page: 'authorize' | 'authenticate') {
    site.connect({ ...broadside.credentials, page }, app);
    const { page: end, asked } = await browser.visit(site.loginUrl);
    expect(end).toMatchObject({ status: 200, url: expect.stringContaining(site.callbackUrl) });
    return { account: SignedIn.parse(JSON.parse(end.html)), asked };
  }

  /** Requests that the library leaves to its user, who has `fetch`. */
  async function bearerToken(): Promise<string> {
    const basic = Buffer.from(`${app.consumer_key}:${app.consumer_secret}`).toString('base64');
    const answer = await fetch(at('/oauth2/token'), {
      method: 'POST',
      headers: { Authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    return z.object({ token_type: z.literal('bearer'), access_token: z.string() }).parse(await answer.json())
      .access_token;
  }

  test('lets a person in by way of a callback, and reads their profile', async () => {
    const { account, asked } = await comeIn(new BrowserUser(PERSON), 'authorize');
    expect(asked).toEqual(['sign in', 'approve']);
    expect(account).toMatchObject({ user_id: person.id, screen_name: PERSON.screen_name, profile: { status: 200 } });
  });

  test('signs a person in, the second time without a question', async () => {
    const browser = new BrowserUser(PERSON);
    expect((await comeIn(browser, 'authenticate')).asked).toEqual(['sign in', 'approve']);
    const { account, asked } = await comeIn(browser, 'authenticate');
    expect(asked).toEqual([]);
    expect(account.user_id).toBe(person.id);
  });

  test('revokes an access token, which is rejected from then on', async () => {
    const { account } = await comeIn(new BrowserUser(PERSON), 'authorize');
    expect(await site.post(at('/1.1/oauth/invalidate_token'), account)).toMatchObject({ status: 200 });
    const again = await site.post(at('/1.1/oauth/invalidate_token'), account);
    expect([again.status, firstCode(again)]).toEqual([401, 89]);
  });

  test("revokes the bearer token with the token of the app's owner", async () => {
    site.connect({ ...broadside.credentials, page: 'authorize' }, app);
    const bearer = await bearerToken();
    expect(await bearerToken()).toBe(bearer);
    const url = at(`/oauth2/invalidate_token?access_token=${encodeURIComponent(bearer)}`);
    expect(await site.post(url, await ownersToken(app))).toMatchObject({ status: 200 });
    expect(await bearerToken()).not.toBe(bearer);
  });
});
