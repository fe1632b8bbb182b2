/** Verifiers and PINs cannot be guessed, used twice, or used late; and what happens at the same time happens once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CALLBACK, formOf, type KeyedApp, Provider, rejected, verifierIn } from './provider.ts';
import type { Visitor } from './visitor.ts';

const LIFETIME_MS = 15 * 60_000;

let provider: Provider;
let app: KeyedApp;
let anna: Visitor;

beforeAll(async () => {
  provider = await Provider.open();
  app = await provider.app();
  anna = await provider.signedIn(provider.world.credentials);
});
afterAll(() => provider[Symbol.asyncDispose]());

describe.for([
  ['a verifier', CALLBACK],
  ['a PIN', 'oob'],
] as const)('%s', ([, callback]) => {
  const wrong = callback === 'oob' ? '1234567' : 'x'.repeat(42);

  test('is rejected even when it is right, once five wrong ones came before it', async () => {
    const approved = await provider.approved(app, anna, callback);
    for (let i = 0; i < 5; i++) expect(await provider.exchange(app, approved, wrong)).toMatchObject(rejected(401, 32));
    expect(await provider.exchange(app, approved, approved.verifier)).toMatchObject(rejected(401, 89));
    expect(await provider.exchange(app, approved, wrong)).toMatchObject(rejected(401, 89));
  });

  test('is taken after four wrong ones', async () => {
    const approved = await provider.approved(app, anna, callback);
    for (let i = 0; i < 4; i++) expect(await provider.exchange(app, approved, wrong)).toMatchObject(rejected(401, 32));
    expect((await provider.exchange(app, approved, approved.verifier)).status).toBe(200);
  });

  test('is not found by 100 guesses at once: five are judged', async () => {
    const approved = await provider.approved(app, anna, callback);
    const guesses = Array.from({ length: 100 }, (_, i) => String(2_000_000 + i));
    const answers = await Promise.all(guesses.map((guess) => provider.exchange(app, approved, guess)));
    const codes = Map.groupBy(answers, ({ text }) => /"code":(\d+)/.exec(text)?.[1]);
    expect([codes.get('32')?.length, codes.get('89')?.length]).toEqual([5, 95]);
    expect(await provider.exchange(app, approved, approved.verifier)).toMatchObject(rejected(401, 89));
  });

  test('guessed before the person has approved counts too', async () => {
    const pair = await provider.requestToken(app, callback);
    for (let i = 0; i < 5; i++) expect(await provider.exchange(app, pair, wrong)).toMatchObject(rejected(401, 32));
    expect((await anna.decide(pair.token, 'approve')).status).toBe(403);
  });

  test('works once', async () => {
    const approved = await provider.approved(app, anna, callback);
    expect((await provider.exchange(app, approved, approved.verifier)).status).toBe(200);
    expect(await provider.exchange(app, approved, approved.verifier)).toMatchObject(rejected(401, 89));
  });

  test('is compared as it is, not almost', async () => {
    const approved = await provider.approved(app, anna, callback);
    const { verifier } = approved;
    const grouped = `${verifier.slice(0, 3)} ${verifier.slice(3)}`;
    for (const almost of [verifier.slice(0, -1), `${verifier}0`, ` ${verifier}`, grouped]) {
      expect((await provider.exchange(app, approved, almost)).status).toBe(401);
    }
    expect((await provider.exchange(app, approved, verifier)).status).toBe(200);
  });

  test('lapses 15 minutes after the request token was issued, to the second of the world’s clock', async () => {
    const [early, late] = [await provider.requestToken(app, callback), await provider.requestToken(app, callback)];
    provider.world.wallClock.advance(LIFETIME_MS);
    provider.world.clock.advance(LIFETIME_MS - 1000);
    const verifiers = [
      verifierIn(await anna.decide(early.token, 'approve')),
      verifierIn(await anna.decide(late.token, 'approve')),
    ];
    expect((await provider.exchange(app, early, verifiers[0] ?? '')).status).toBe(200);
    const undecided = await provider.requestToken(app, callback);
    provider.world.clock.advance(1000);
    expect(await provider.exchange(app, late, verifiers[1] ?? '')).toMatchObject(rejected(401, 89));
    provider.world.clock.advance(LIFETIME_MS - 1000);
    expect((await anna.decide(undecided.token, 'approve')).status).toBe(403);
    expect((await anna.get(`/oauth/authorize?oauth_token=${undecided.token}`)).status).toBe(403);
  });
});

test('a PIN has seven digits, each as likely in each place', async () => {
  const { requestTokens } = provider.world.platform;
  const pins: string[] = [];
  for (let i = 0; i < 400; i++) {
    const { oauth_token } = await requestTokens.issue(app.id, 'oob', 'read');
    pins.push((await requestTokens.approve(oauth_token, provider.world.user.user_id)) ?? '');
  }
  expect(pins.filter((pin) => !/^\d{7}$/.test(pin))).toEqual([]);
  expect(new Set(pins).size).toBeGreaterThan(398);
  for (let place = 0; place < 7; place++) {
    const counts = Array.from({ length: 10 }, (_, digit) => pins.filter((pin) => pin[place] === String(digit)).length);
    // 40 of each are to be expected; the source is seeded, so this holds always or never.
    expect(Math.min(...counts), `place ${place}: ${counts}`).toBeGreaterThan(15);
    expect(Math.max(...counts), `place ${place}: ${counts}`).toBeLessThan(70);
  }
});

describe('at the same time', () => {
  test('100 exchanges of one request token give one access token, and 99 report that it is used', async () => {
    const approved = await provider.approved(app, await provider.signedIn(await provider.person('fresh')));
    const before = provider.rows('SELECT * FROM "access_tokens"').length;
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => provider.exchange(app, approved, approved.verifier)),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(formOf(won[0] ?? { text: '' })).toMatchObject({ screen_name: 'fresh' });
    for (const answer of answers) if (answer.status !== 200) expect(answer).toMatchObject(rejected(401, 89));
    expect(provider.rows('SELECT * FROM "access_tokens"')).toHaveLength(before + 1);
  });

  test.for([CALLBACK, 'oob'])('50 approvals of one request token give one verifier (%s)', async (callback) => {
    const pair = await provider.requestToken(app, callback);
    const { csrf } = await anna.get(`/oauth/authorize?oauth_token=${pair.token}`);
    const fields = { csrf, oauth_token: pair.token, decision: 'approve' };
    const answers = await Promise.all(Array.from({ length: 50 }, () => anna.post('/oauth/authorize', fields)));
    const won = answers.filter(({ status }) => status < 400);
    expect(won).toHaveLength(1);
    expect(new Set(answers.filter((answer) => !won.includes(answer)).map(({ status }) => status))).toEqual(
      new Set([403]),
    );
    const verifier = won[0] ? verifierIn(won[0]) : '';
    expect((await provider.exchange(app, pair, verifier)).status).toBe(200);
  });

  test('of approving and cancelling, one happens', async () => {
    for (let i = 0; i < 10; i++) {
      const pair = await provider.requestToken(app);
      const { csrf } = await anna.get(`/oauth/authorize?oauth_token=${pair.token}`);
      const press = (decision: string) => anna.post('/oauth/authorize', { csrf, oauth_token: pair.token, decision });
      const answers = await Promise.all(
        i % 2 ? [press('approve'), press('cancel')] : [press('cancel'), press('approve')],
      );
      const verifiers = answers.flatMap(({ location }) => location?.match(/oauth_verifier=(\w+)/)?.[1] ?? []);
      const exchanged = await provider.exchange(app, pair, verifiers[0] ?? 'x');
      expect(exchanged.status === 200).toBe(verifiers.length === 1);
      expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    }
  });

  test('the calls of one app for its bearer token give one token', async () => {
    const fresh = await provider.app();
    const tokens = await Promise.all(Array.from({ length: 50 }, () => provider.bearer(fresh)));
    expect(new Set(tokens).size).toBe(1);
    expect(provider.rows(`SELECT * FROM "bearer_tokens" WHERE "app_id" = '${fresh.id}'`)).toHaveLength(1);
  });

  test('of 20 revocations of one access token by itself, the first counts', async () => {
    const token = await provider.issued(app, provider.world.user);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => provider.call('/1.1/oauth/invalidate_token', app, token)),
    );
    expect(answers.filter(({ status }) => status !== 200 && status !== 401)).toEqual([]);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(await provider.call('/1.1/oauth/invalidate_token', app, token)).toMatchObject(rejected(401, 89));
  });
});
