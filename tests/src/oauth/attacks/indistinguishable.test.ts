/** No response reveals how much of a guess was right: not by its text, its headers or its timing. */
import type { Answer, TestRequest, WireRequest } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { basic, CALLBACK, type KeyedApp, type Pair, Provider, signing } from './provider.ts';
import type { Person } from './visitor.ts';

let provider: Provider;
let app: KeyedApp;
let stranger: KeyedApp;
let anna: Person;
/** Tokens of the app, of another app, and request tokens of both. */
let own: Pair;
let foreign: Pair;
let asked: Pair;
let foreignAsked: Pair;

beforeAll(async () => {
  provider = await Provider.open();
  const other = await provider.app();
  app = await provider.app();
  stranger = { ...app, consumer_key: 'x'.repeat(25) };
  anna = await provider.person('anna');
  [own, foreign] = [await provider.issued(app, anna), await provider.issued(other, anna)];
  [asked, foreignAsked] = [await provider.requestToken(app), await provider.requestToken(other)];
});
afterAll(() => provider[Symbol.asyncDispose]());

let count = 0;
/** An unknown token of the right form; another each time. */
const invented = (): Pair => ({
  token: `${anna.user_id}-${String(++count).padStart(40, 'x')}`,
  secret: 'x'.repeat(45),
});
const wrongly = { signature: (right: string) => `${right.startsWith('A') ? 'B' : 'A'}${right.slice(1)}` };

const ads = (by: KeyedApp, token: Pair): TestRequest => ({
  listener: 'ads',
  path: '/12/accounts',
  as: null,
  sign: { ...signing(by, token), ...wrongly },
});
const call = (path: string, by: KeyedApp, token: Pair | undefined, query: Record<string, string> = {}) =>
  provider.request(path, by, token, { query, sign: wrongly });
const bearer = (authorization: string): TestRequest => ({
  listener: 'api',
  method: 'POST',
  path: '/oauth2/token',
  as: null,
  form: { grant_type: 'client_credentials' },
  headers: { authorization },
});

/** Requests that a guesser sends, by what is wrong with each. */
const guesses: Readonly<Record<string, Readonly<Record<string, () => TestRequest>>>> = {
  'the advertising interface': {
    'unknown key': () => ads(stranger, own),
    'unknown key and token': () => ads(stranger, invented()),
    'wrong signature': () => ads(app, own),
    'unknown token': () => ads(app, invented()),
    'token of another app': () => ads(app, foreign),
  },
  'POST /oauth/request_token': {
    'unknown key': () => call('/oauth/request_token', stranger, undefined, { oauth_callback: CALLBACK }),
    'wrong signature': () => call('/oauth/request_token', app, undefined, { oauth_callback: CALLBACK }),
  },
  'POST /oauth/access_token': {
    'unknown key': () => call('/oauth/access_token', stranger, asked, { oauth_verifier: 'x' }),
    'wrong signature': () => call('/oauth/access_token', app, asked, { oauth_verifier: 'x' }),
    'unknown token': () => call('/oauth/access_token', app, invented(), { oauth_verifier: 'x' }),
    'token of another app': () => call('/oauth/access_token', app, foreignAsked, { oauth_verifier: 'x' }),
  },
  'POST /1.1/oauth/invalidate_token': {
    'unknown key': () => call('/1.1/oauth/invalidate_token', stranger, own),
    'wrong signature': () => call('/1.1/oauth/invalidate_token', app, own),
    'unknown token': () => call('/1.1/oauth/invalidate_token', app, invented()),
    'token of another app': () => call('/1.1/oauth/invalidate_token', app, foreign),
  },
  'POST /oauth2/token': {
    'unknown key': () => bearer(basic(stranger.consumer_key, 'x'.repeat(50))),
    'wrong secret': () => bearer(basic(app.consumer_key, 'x'.repeat(50))),
    'empty secret': () => bearer(basic(app.consumer_key, '')),
  },
  'POST /oauth2/invalidate_token': {
    'unknown key': () => call('/oauth2/invalidate_token', stranger, own, { access_token: 'x' }),
    'wrong signature': () => call('/oauth2/invalidate_token', app, own, { access_token: 'x' }),
    'token of another app': () => call('/oauth2/invalidate_token', app, foreign, { access_token: 'x' }),
  },
};

const send = (request: TestRequest, wire: WireRequest): Promise<Answer> =>
  provider.world.send(request.listener ?? 'sandbox', wire);

/** Once with nothing in memory, and once with what good requests have left there. */
async function warm(): Promise<void> {
  expect((await provider.use(app, own)).status).toBe(200);
  expect((await provider.askRequestToken(app)).status).toBe(200);
  await provider.bearer(app);
}

describe.for(Object.entries(guesses))('%s', ([, kinds]) => {
  test('says the same, whatever is wrong', async () => {
    const answers: unknown[] = [];
    for (const memory of ['cold', 'warm']) {
      if (memory === 'warm') await warm();
      for (const make of Object.values(kinds)) {
        const request = make();
        const { status, headers, text } = await send(request, await provider.world.sign(request));
        const { date: _, 'x-request-id': __, ...others } = headers;
        answers.push({ status, headers: others, text });
      }
    }
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect([401, 403]).toContain(Reflect.get(Object(answers[0]), 'status'));
  });

  test('takes as long, whatever is wrong', async () => {
    await warm();
    const makers = Object.entries(kinds);
    const times = new Map(makers.map(([name]): [string, number[]] => [name, []]));
    const ratio = () => {
      const typical = [...times.values()].map(quickest);
      return Math.max(...typical) / Math.min(...typical);
    };
    for (let round = 0; round < MAX_ROUNDS; round++) {
      // In turns, each time in another order: what the machine does beside hits all alike.
      for (let i = 0; i < makers.length; i++) {
        const [name, make] = makers[(i + round) % makers.length] ?? [];
        if (name === undefined || make === undefined) continue;
        const request = make();
        const wire = await provider.world.sign(request);
        const began = performance.now();
        await send(request, wire);
        times.get(name)?.push(performance.now() - began);
      }
      // A machine with other work needs more rounds until the quicker part of each is undisturbed.
      if ((round + 1) % ROUNDS === 0 && ratio() < TOLERANCE) break;
    }
    const typical = Object.fromEntries([...times].map(([name, list]) => [name, quickest(list)]));
    expect(ratio(), JSON.stringify(typical)).toBeLessThan(TOLERANCE);
  });
});

const ROUNDS = 400;
const MAX_ROUNDS = 10 * ROUNDS;
/** One more look into the database takes some 14 percent more. */
const TOLERANCE = 1.09;

/** The mean of the quicker part: what slows a request down has nothing to do with it. */
function quickest(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  const [from, to] = [Math.floor(sorted.length * 0.05), Math.floor(sorted.length * 0.3)];
  return sorted.slice(from, to).reduce((sum, time) => sum + time, 0) / (to - from);
}

describe('signing in', () => {
  async function attempt(screen_name: string): Promise<{ ms: number; answer: Answer }> {
    const visitor = provider.visitor();
    const { csrf } = await visitor.get('/sign-in');
    const began = performance.now();
    const answer = await visitor.post('/sign-in', { csrf, screen_name, password: 'guessed' });
    return { ms: performance.now() - began, answer };
  }

  test('says the same for an unknown name and a wrong password', async () => {
    const texts = await Promise.all(
      ['anna', 'nobody'].map(async (name) => {
        const { answer } = await attempt(name);
        return [answer.status, answer.text.replaceAll(name, 'NAME').replace(/name="csrf" value="[^"]*"/g, '')];
      }),
    );
    expect(texts[0]).toEqual(texts[1]);
  });

  test('takes as long for an unknown name as for a wrong password', async () => {
    const times: Record<'anna' | 'nobody', number[]> = { anna: [], nobody: [] };
    const ratio = () => {
      const [known, unknown] = [Math.min(...times.anna), Math.min(...times.nobody)];
      return Math.max(known, unknown) / Math.min(known, unknown);
    };
    for (let round = 0; round < 256 && (round < 16 || ratio() >= 1.5); round++) {
      // Earlier failures no longer count.
      if (round % 4 === 0) provider.world.wallClock.advance(15 * 60_000);
      for (const name of round % 2 ? (['anna', 'nobody'] as const) : (['nobody', 'anna'] as const)) {
        times[name].push((await attempt(name)).ms);
      }
    }
    expect(ratio()).toBeLessThan(1.5);
  });
});
