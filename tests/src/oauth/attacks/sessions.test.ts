/** A session is of one browser, under an id that nobody else can choose, until it ends. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Provider } from './provider.ts';
import type { Person, Visitor } from './visitor.ts';

const SESSION = '__Host-broadside_session';
const FOURTEEN_DAYS = 14 * 86_400_000;

let provider: Provider;
let anna: Person;
let bert: Person;

beforeAll(async () => {
  provider = await Provider.open();
  [anna, bert] = [await provider.person('anna'), await provider.person('bert')];
});
afterAll(() => provider[Symbol.asyncDispose]());

/** Another browser that got hold of a cookie. */
function thief(session: string | undefined): Visitor {
  const visitor = provider.visitor();
  visitor.cookies.set(SESSION, session ?? '');
  return visitor;
}

const isSignedIn = async (visitor: Visitor) => (await visitor.get('/settings')).status === 200;

describe('fixation', () => {
  test('an id that was planted before signing in is not taken over', async () => {
    const planted = 'p'.repeat(43);
    const victim = thief(planted);
    await victim.signIn(anna);
    expect(victim.session).toMatch(/^\w{43}$/);
    expect(victim.session).not.toBe(planted);
    expect(await isSignedIn(thief(planted))).toBe(false);
  });

  test('signing in over the session of somebody else ends it, and begins another', async () => {
    const mallory = await provider.signedIn(bert);
    const planted = mallory.session;
    const victim = thief(planted);
    const pair = await provider.requestToken(await provider.app());
    const { csrf } = await victim.get(`/oauth/authorize?oauth_token=${pair.token}&force_login=true`);
    const { screen_name, password } = anna;
    expect(
      await victim.post('/oauth/authorize', { csrf, oauth_token: pair.token, screen_name, password }),
    ).toMatchObject({ status: 303 });
    expect(victim.session).not.toBe(planted);
    expect((await victim.get('/settings')).text).toMatch(/anna/);
    expect((await victim.get('/settings')).text).not.toMatch(/bert/);
    expect(await isSignedIn(thief(planted))).toBe(false);
    expect(await isSignedIn(mallory)).toBe(false);
  });

  test('the cookie of a visitor ends with signing in', async () => {
    const victim = provider.visitor();
    const { csrf } = await victim.get('/sign-in');
    const planted = new Map(victim.cookies);
    await victim.post('/sign-in', { csrf, screen_name: anna.screen_name, password: anna.password });
    expect([...victim.cookies.keys()]).toEqual([SESSION]);
    // Whoever knows it can do nothing with it in the signed-in browser.
    for (const [name, value] of planted) victim.cookies.set(name, value);
    expect((await victim.post('/sign-out', { csrf })).status).toBe(403);
    expect(await isSignedIn(victim)).toBe(true);
  });

  test('ids are long, never the same, and not in the store as they are', async () => {
    const ids = new Set<string>();
    for (let i = 0; i < 5; i++) ids.add((await provider.signedIn(anna)).session ?? '');
    expect(ids.size).toBe(5);
    const stored = JSON.stringify(provider.rows('SELECT * FROM "sessions"'));
    for (const id of ids) {
      expect(id).toMatch(/^\w{43}$/);
      expect(stored).not.toContain(id);
    }
  });
});

describe('a session ends', () => {
  test('with signing out, for whoever has a copy of the cookie too', async () => {
    const browser = await provider.signedIn(anna);
    const copy = thief(browser.session);
    expect(await isSignedIn(copy)).toBe(true);
    const { csrf } = await browser.get('/settings');
    expect((await browser.post('/sign-out', { csrf })).status).toBe(200);
    expect(browser.session).toBeUndefined();
    expect(await isSignedIn(copy)).toBe(false);
  });

  test('with "Not you?" on the page that asks', async () => {
    const browser = await provider.signedIn(anna);
    const copy = thief(browser.session);
    const pair = await provider.requestToken(await provider.app());
    const { csrf } = await browser.get(`/oauth/authorize?oauth_token=${pair.token}`);
    await browser.post('/oauth/authorize', { csrf, oauth_token: pair.token, decision: 'switch' });
    expect(browser.session).toBeUndefined();
    expect(await isSignedIn(copy)).toBe(false);
  });

  test('with a new password, in every browser of this person and of nobody else', async () => {
    const [first, second, other] = [
      await provider.signedIn(anna),
      await provider.signedIn(anna),
      await provider.signedIn(bert),
    ];
    const { identity } = provider.world.platform;
    await identity.users.update({ user_id: null, platform: 'OPERATOR' }, anna.user_id, { name: 'Anna A.' });
    expect(await isSignedIn(first)).toBe(true);
    await identity.users.update({ user_id: null, platform: 'OPERATOR' }, anna.user_id, {
      password: 'another password',
    });
    expect([await isSignedIn(first), await isSignedIn(second), await isSignedIn(other)]).toEqual([false, false, true]);
    expect((await provider.visitor().signIn(anna)).status).toBe(401);
    anna = { ...anna, password: 'another password' };
    expect((await provider.visitor().signIn(anna)).status).toBe(303);
  });

  test('14 days after it began, on the wall clock, and not on the clock of the world', async () => {
    const browser = await provider.signedIn(anna);
    provider.world.clock.advance(FOURTEEN_DAYS * 2);
    expect(await isSignedIn(browser)).toBe(true);
    provider.world.wallClock.advance(FOURTEEN_DAYS - 1);
    expect(await isSignedIn(browser)).toBe(true);
    provider.world.wallClock.advance(1);
    expect(await isSignedIn(browser)).toBe(false);
    // It ends when a person signs in.
    await provider.signedIn(bert);
    expect(provider.rows('SELECT * FROM "sessions"')).toHaveLength(1);
  });

  test('not with a restart', async () => {
    const browser = await provider.signedIn(anna);
    await provider.world.reopen();
    expect(await isSignedIn(browser)).toBe(true);
  });
});
