/** One browser in several worlds of a server: signing in to one, authorizing an app there and signing out disturb no other. */
import { createHmac, randomBytes } from 'node:crypto';
import { signRequest } from '@broadside/core/auth';
import { expect, test } from 'vitest';
import { crowdedOut } from '../adapters/pages/cookies.ts';
import type { Credentials } from '../demo/credentials.ts';
import { worldsServer } from './testing/worlds-server.ts';

/** Tests that make several worlds, on slow machines. */
const SLOW_MS = 300_000;

interface VisitedWorld {
  readonly id: string;
  readonly address_prefix: string;
  readonly credentials: Credentials;
}

/** A browser with its cookies. All of them are for all paths. */
class CookieBrowser {
  readonly cookies = new Map<string, string>();
  readonly #api: string;

  constructor(api: string) {
    this.#api = api;
  }

  async visit(target: string, form?: Readonly<Record<string, string>>) {
    const response = await fetch(`${this.#api}${target}`, {
      redirect: 'manual',
      headers: { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      expect(cookie).toContain('Path=/;');
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return { status: response.status, location: response.headers.get('location'), text: await response.text() };
  }

  /** Sends the form of a page with what is filled in. */
  submit({ text }: { readonly text: string }, filled: Readonly<Record<string, string>>, at = '') {
    const [, action = ''] = new RegExp(` action="([^"]*${at})"`).exec(text) ?? [];
    const hidden = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
    return this.visit(action, {
      ...Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])),
      ...filled,
    });
  }

  async signIn({ address_prefix, credentials: { screen_name, password } }: VisitedWorld) {
    return this.submit(await this.visit(`${address_prefix}/sign-in`), { screen_name, password });
  }

  /** Who is signed in to a world. */
  async person({ address_prefix }: VisitedWorld): Promise<string | undefined> {
    const { text } = await this.visit(`${address_prefix}/settings`);
    return /Signed in as .*?@(\w+)/.exec(text)?.[1];
  }
}

/** Asks for a request token, whose PIN the person types in. */
async function requestToken({ base_url, consumer_key, consumer_secret }: Credentials): Promise<string> {
  const url = `${base_url}/oauth/request_token`;
  const { authorization } = await signRequest({
    method: 'POST',
    url,
    credentials: { consumerKey: consumer_key, consumerSecret: consumer_secret },
    extra: [['oauth_callback', 'oob']],
    nonce: randomBytes(12).toString('hex'),
    timestamp: Math.floor(Date.now() / 1000),
    hmac: (algorithm, key, text) => createHmac(algorithm, key).update(text).digest('base64'),
  });
  const answer = await (await fetch(url, { method: 'POST', headers: { authorization } })).text();
  return new URLSearchParams(answer).get('oauth_token') ?? answer;
}

test(
  'a person is signed in to several worlds at once, and authorizes an app in one of them',
  async () => {
    const { server, control } = await worldsServer();
    const standing: VisitedWorld = (await control('GET', '/worlds/default')).body.data;
    const one: VisitedWorld = (await control('POST', '/worlds', {})).body.data;
    const other: VisitedWorld = (await control('POST', '/worlds', {})).body.data;
    const browser = new CookieBrowser(server.urls.api);

    // An address without a world is one of the default world, whatever else the browser is signed in to.
    expect(await browser.signIn(one)).toMatchObject({ status: 303, location: `${one.address_prefix}/settings` });
    expect((await browser.visit('/settings')).location).toBe('/sign-in');
    expect((await browser.visit(`${other.address_prefix}/settings`)).location).toBe(`${other.address_prefix}/sign-in`);

    // The page of a token, whose address names no world, is of that of the token; a form that was open meanwhile stays good.
    const page = await browser.visit(`/oauth/authorize?oauth_token=${await requestToken(other.credentials)}`);
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('name="password"') });
    expect((await browser.signIn(standing)).status).toBe(303);
    const { screen_name, password } = other.credentials;
    const signedIn = await browser.submit(page, { screen_name, password }, '/oauth/authorize');
    expect(signedIn).toMatchObject({ status: 303, location: expect.stringContaining(`${other.address_prefix}/`) });
    expect((await browser.visit(signedIn.location ?? '')).text).toContain(`@${screen_name}`);
    for (const world of [standing, one, other]) {
      expect(await browser.person(world), world.id).toBe(world.credentials.screen_name);
      const prefix = world === standing ? '' : world.id;
      expect(browser.cookies.get(`broadside_session${prefix && `_${prefix}`}`)?.startsWith(prefix)).toBe(true);
    }

    // Who signs out of one stays in the others.
    const settings = await browser.visit(`${one.address_prefix}/settings`);
    expect((await browser.submit(settings, {}, '/sign-out')).status).toBe(200);
    expect((await browser.visit(`${one.address_prefix}/settings`)).location).toBe(`${one.address_prefix}/sign-in`);
    for (const world of [standing, other]) expect(await browser.person(world)).toBe(world.credentials.screen_name);

    // A session counts in its own world alone, whatever name its cookie has.
    const stolen = new CookieBrowser(server.urls.api);
    stolen.cookies.set('broadside_session', browser.cookies.get(`broadside_session_${other.id}`) ?? '');
    stolen.cookies.set(`broadside_session_${one.id}`, browser.cookies.get('broadside_session') ?? '');
    for (const { address_prefix } of [standing, one, other]) {
      expect((await stolen.visit(`${address_prefix}/settings`)).location).toBe(`${address_prefix}/sign-in`);
    }
  },
  SLOW_MS,
);

test('the cookies of the worlds that were visited first go when there are too many, and none of the default world', () => {
  const names = Array.from({ length: 21 }, (_, at) => `broadside_session_w${at}`);
  const sent = ['broadside_session', 'other', 'broadside_visitor_w1', ...names];
  expect(crowdedOut(sent, 'session', 'broadside_session_new', false)).toEqual(names.slice(0, 2));
  expect(crowdedOut(sent, 'session', 'broadside_session_w20', false)).toEqual(names.slice(0, 1));
  expect(crowdedOut(sent, 'session', 'broadside_session', false)).toEqual([]);
  expect(crowdedOut(sent, 'visitor', 'broadside_visitor_new', false)).toEqual([]);
  expect(crowdedOut(sent, 'session', '__Host-broadside_session_new', true)).toEqual([]);
});
