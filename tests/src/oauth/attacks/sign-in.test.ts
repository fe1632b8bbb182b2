/** Guessing passwords does not pay, for one account, for one address, or all at once. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Provider } from './provider.ts';
import type { Arrival, Headers, Person, Visitor } from './visitor.ts';

const WINDOW_MS = 15 * 60_000;

let provider: Provider;
let anna: Person;
let guesser: Visitor;
let csrf: string;

beforeAll(async () => {
  provider = await Provider.open();
  anna = await provider.person('anna');
});
afterAll(() => provider[Symbol.asyncDispose]());
beforeEach(async () => {
  // The limits counted by the last test have expired.
  provider.world.wallClock.advance(WINDOW_MS);
  guesser = provider.visitor();
  ({ csrf } = await guesser.get('/sign-in'));
});

function attempt(screen_name: string, password: string, headers: Headers = {}): Promise<Arrival> {
  return guesser.post('/sign-in', { csrf, screen_name, password }, headers);
}

/** The statuses of several attempts, in order. */
async function attempts(count: number, screen_name: (i: number) => string): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) statuses.push((await attempt(screen_name(i), `guess ${i}`)).status);
  return statuses;
}

const times = <Value>(count: number, value: Value) => Array<Value>(count).fill(value);

describe('one account', () => {
  test('takes 10 wrong passwords, and then not even the right one until the window ends', async () => {
    expect(await attempts(12, () => 'anna')).toEqual([...times(10, 401), 429, 429]);
    const rejected = await attempt('anna', anna.password);
    expect([rejected.status, rejected.setCookies.filter((line) => line.includes('session'))]).toEqual([429, []]);
    // Other spellings are the same account.
    for (const name of ['ANNA', ' anna ', '@anna', '@Anna'])
      expect((await attempt(name, anna.password)).status, name).toBe(429);
    provider.world.clock.advance(WINDOW_MS);
    expect((await attempt('anna', anna.password)).status).toBe(429);
    provider.world.wallClock.advance(WINDOW_MS - 1);
    expect((await attempt('anna', anna.password)).status).toBe(429);
    provider.world.wallClock.advance(1);
    expect((await attempt('anna', anna.password)).status).toBe(303);
  });

  test('says how long to wait', async () => {
    await attempts(10, () => 'anna');
    expect((await attempt('anna', 'x')).text).toContain('15 minutes');
  });

  test('is throttled whether or not anybody has the name, with the same words', async () => {
    const pages = async (name: string) => {
      const seen: [number, string][] = [];
      for (let i = 0; i < 11; i++) {
        const { status, text } = await attempt(name, `guess ${i}`);
        seen.push([status, text.replaceAll(name, 'NAME')]);
      }
      return seen;
    };
    expect(await pages('nobody')).toEqual(await pages('anna'));
  });

  test('of somebody else is not affected', async () => {
    const bert = await provider.person('bert');
    await attempts(11, () => 'anna');
    expect((await attempt('bert', bert.password)).status).toBe(303);
  });

  test('is counted by the right password too late: a success before the limit clears what was counted', async () => {
    expect(await attempts(9, () => 'anna')).toEqual(times(9, 401));
    expect((await provider.visitor().signIn(anna)).status).toBe(303);
    expect(await attempts(10, () => 'anna')).toEqual(times(10, 401));
  });

  test('is counted together for all pages with the form', async () => {
    const { token } = await provider.requestToken(await provider.app());
    for (let i = 0; i < 10; i++) {
      const path = i % 2 === 0 ? '/oauth/authorize' : '/oauth/authenticate';
      expect((await guesser.post(path, { csrf, oauth_token: token, screen_name: 'anna', password: 'x' })).status).toBe(
        401,
      );
    }
    expect((await attempt('anna', anna.password)).status).toBe(429);
    const answer = await guesser.post('/oauth/authorize', {
      csrf,
      oauth_token: token,
      screen_name: 'anna',
      password: anna.password,
    });
    expect([answer.status, answer.location]).toEqual([429, undefined]);
  });

  test('takes no more than 10 of 200 guesses that come at the same time, the right one among them or not', async () => {
    const statuses = await Promise.all(times(200, 0).map(async (_, i) => (await attempt('anna', `guess ${i}`)).status));
    expect(Map.groupBy(statuses, (status) => status).get(401)).toHaveLength(10);
    expect(Map.groupBy(statuses, (status) => status).get(429)).toHaveLength(190);
    expect((await attempt('anna', anna.password)).status).toBe(429);
  });
});

describe('one address', () => {
  test('takes 50 wrong passwords under whatever names, and is not believed when it names another', async () => {
    const headers = (i: number) => ({
      'x-forwarded-for': `203.0.113.${i}`,
      forwarded: `for=203.0.113.${i}`,
      'x-real-ip': `203.0.113.${i}`,
      'x-client-ip': `203.0.113.${i}`,
      'cf-connecting-ip': `203.0.113.${i}`,
    });
    const statuses: number[] = [];
    for (let i = 0; i < 60; i++) statuses.push((await attempt(`name${i}`, 'x', headers(i))).status);
    expect(statuses).toEqual([...times(50, 401), ...times(10, 429)]);
    // The right password of another person is rejected from this address, and from no other.
    expect((await attempt('anna', anna.password)).status).toBe(429);
    provider.world.wallClock.advance(WINDOW_MS);
    expect((await attempt('anna', anna.password)).status).toBe(303);
  });
});

test('a form that is not ours counts for nothing: no site can lock people out through the browsers of others', async () => {
  for (let i = 0; i < 20; i++) {
    await guesser.post('/sign-in', { csrf: 'wrong', screen_name: 'anna', password: 'x' });
    await guesser.post('/sign-in', { csrf, screen_name: 'anna', password: 'x' }, { 'sec-fetch-site': 'cross-site' });
  }
  expect((await attempt('anna', anna.password)).status).toBe(303);
});

test('names and passwords of any form are rejected without a failure', async () => {
  for (const odd of ['', '\0', 'anna\0', '%', "' OR 1=1 --", 'a'.repeat(100_000), '🤦', 'аnna', '＠anna']) {
    expect([401, 429]).toContain((await attempt(odd, anna.password)).status);
    expect([401, 429]).toContain((await attempt(`x${odd}`, odd)).status);
  }
  expect(provider.world.failures).toEqual([]);
});

test('a password is compared as people type it, composed or not, and never cut short', async () => {
  const password = `pässwörd ${'x'.repeat(100)}`;
  await provider.world.platform.identity.users.update({ user_id: null, platform: 'OPERATOR' }, anna.user_id, {
    password,
  });
  expect((await attempt('anna', password.slice(0, -1))).status).toBe(401);
  expect((await attempt('anna', `${password}x`)).status).toBe(401);
  expect((await attempt('anna', password.toUpperCase())).status).toBe(401);
  expect((await attempt('anna', password.normalize('NFD'))).status).toBe(303);
});
