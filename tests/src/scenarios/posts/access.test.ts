/** Authentication, apps, rate limits and methods of `GET /2/posts`: specification A. */
import type { Answer, TestWorld } from '@broadside/testkit';
import { expect, test } from 'vitest';
import { get, openReadingWorld, PROBLEM, requestOf } from '../../support/reading.ts';
import { about } from '../../support/scenario.ts';

const ACTOR = { user_id: null, platform: 'SERVER' } as const;
const QUARTER_HOUR_MS = 15 * 60_000;

const problem = (status: number, title: string, more: object = {}) => ({
  status,
  headers: { 'content-type': PROBLEM },
  body: { title, detail: title, type: 'about:blank', status, ...more },
});
const unauthorized = () => problem(401, 'Unauthorized');

/** A world in production mode says nothing beyond the reference. */
async function inProduction(play: (world: TestWorld) => Promise<void>): Promise<void> {
  await using strict = await openReadingWorld({ mode: 'production' });
  await play(strict);
  expect(strict.failures).toEqual([]);
}

test(about('A-POST-BEARER'), () =>
  inProduction(async (strict) => {
    const ask = (authorization: string) =>
      strict.request({ listener: 'api', path: '/2/posts', query: { ids: '1' }, as: null, headers: { authorization } });
    const { bearer_token } = strict.credentials;
    expect(await ask(`Bearer ${bearer_token}`)).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff' },
    });
    expect((await ask(`bearer  ${bearer_token}`)).status).toBe(200);
    const app = await strict.platform.identity.apps.byKey(strict.user.consumer_key);
    await strict.platform.bearerTokens.invalidate(ACTOR, app?.id ?? '', bearer_token);
    expect(await ask(`Bearer ${bearer_token}`)).toEqual(exactly(unauthorized()));
    const next = await strict.platform.bearerTokens.tokenOf(ACTOR, app?.id ?? '');
    expect(next).not.toBe(bearer_token);
    expect((await ask(`Bearer ${next}`)).status).toBe(200);
  }),
);

/** Status, type and the whole body. */
const exactly = ({ status, headers, body }: ReturnType<typeof problem>) =>
  expect.objectContaining({ status, headers: expect.objectContaining(headers), body });

test(about('A-POST-OAUTH'), () =>
  inProduction(async (strict) => {
    const reader = await strict.createUser('reader', 'read');
    expect((await get(strict, { ids: '1' }, reader)).status).toBe(200);
    await strict.revokeToken(reader);
    const revoked = await get(strict, { ids: '1' }, reader);
    expect(revoked).toEqual(
      exactly(
        problem(401, 'Unauthorized', {
          errors: [{ code: 89, message: expect.stringMatching(/invalid or expired token/i) }],
        }),
      ),
    );
    const signed = await strict.sign(requestOf(strict, { ids: '1' }, strict.user));
    expect((await strict.send('api', signed)).status).toBe(200);
    expect(await strict.send('api', signed)).toEqual(exactly(unauthorized()));
  }),
);

test(about('A-POST-UNAUTHORIZED'), () =>
  inProduction(async (strict) => {
    const { bearer_token, consumer_key, consumer_secret } = strict.credentials;
    const basic = Buffer.from(`${consumer_key}:${consumer_secret}`).toString('base64');
    const base = { ...requestOf(strict, { ids: '1' }, 'app'), as: null };
    const bad: readonly (string | undefined)[] = [
      undefined,
      'Bearer',
      'Bearer wrong',
      `Bearer ${bearer_token}x`,
      `Bearer ${bearer_token.toLowerCase()}`,
      `Bearer ${strict.user.access_token}`,
      `Basic ${basic}`,
      bearer_token,
    ];
    for (const authorization of bad) {
      const { headers: _, ...rest } = base;
      const answer: Answer = await strict.request(
        authorization === undefined ? rest : { ...rest, headers: { authorization } },
      );
      expect(answer, authorization).toEqual(exactly(unauthorized()));
    }
    const wrong = await strict.request({ ...requestOf(strict, { ids: '1' }, strict.user), sign: { tokenSecret: 'x' } });
    expect(wrong).toEqual(exactly(unauthorized()));
    // An unauthenticated caller learns nothing about the parameters.
    expect(await strict.request({ listener: 'api', path: '/2/posts', query: { x: 'y' }, as: null })).toEqual(
      exactly(unauthorized()),
    );
  }),
);

test(about('A-POST-SUSPENDED'), () =>
  inProduction(async (strict) => {
    const app = await strict.platform.identity.apps.byKey(strict.user.consumer_key);
    await strict.platform.identity.apps.update(ACTOR, app?.id ?? '', { suspended: true });
    for (const as of ['app', strict.user] as const) {
      expect(await get(strict, { ids: '1' }, as)).toMatchObject({
        status: 403,
        headers: { 'content-type': PROBLEM },
        body: {
          title: 'Client Forbidden',
          detail: expect.stringContaining('suspended'),
          status: 403,
          type: `${strict.urls.api}/2/problems/client-forbidden`,
          reason: 'client-suspended',
          client_id: app?.id,
          required_enrollment: 'Active app',
          registration_url: `${strict.urls.api}/settings`,
        },
      });
    }
  }),
);

test(about('A-POST-RATE'), async () => {
  const limitsOf = ({ headers }: Answer) =>
    ['limit', 'remaining', 'reset'].map((name) => headers[`x-rate-limit-${name}`]);
  {
    await using published = await openReadingWorld({ rateLimits: {} });
    const reset = `${(published.wallClock.now() + QUARTER_HOUR_MS) / 1000}`;
    expect(limitsOf(await get(published, { ids: '1' }))).toEqual(['3500', '3499', reset]);
    expect(limitsOf(await get(published, { ids: '1' }, published.user))).toEqual(['5000', '4999', reset]);
    // The count is that of the app, and that of the person: neither takes from the other.
    expect(limitsOf(await get(published, { ids: 'x' }))).toEqual(['3500', '3498', reset]);
  }
  await using world = await openReadingWorld({ rateLimits: { 'data.posts': { limit: 1 } } });
  expect((await get(world, { ids: '1' })).status).toBe(200);
  expect(await get(world, { ids: '1' })).toEqual(exactly(problem(429, 'Too Many Requests')));
  expect((await get(world, { ids: '1' }, world.user)).status).toBe(200);
  world.wallClock.advance(QUARTER_HOUR_MS);
  expect((await get(world, { ids: '1' })).status).toBe(200);
});

test(about('A-POST-METHOD'), async () => {
  await using world = await openReadingWorld();
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    const answer = await world.request({ listener: 'api', method, path: '/2/posts', as: null });
    expect([answer.status, answer.headers['allow']], method).toEqual([405, 'GET, HEAD']);
    const detail = 'The path exists, but only with GET, HEAD';
    expect(answer).toMatchObject(problem(405, 'Method Not Allowed', { detail }));
  }
  expect(world.failures).toEqual([]);
});
