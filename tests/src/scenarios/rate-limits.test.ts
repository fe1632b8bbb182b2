/** Rate limits: specification A, Limits; reference, conventions section 9. */
import { allOperations, isRead, type Operation } from '@broadside/core';
import { readConfig } from '@broadside/server';
import type { Answer, TestRequest, TestWorld } from '@broadside/testkit';
import { expect, test } from 'vitest';
import { idOf } from '../support/body.ts';
import { requestFor, validParams } from '../support/call.ts';
import { about } from '../support/scenario.ts';
import { createAccountFixture, openWorld } from '../support/world.ts';

type Level = 'x-rate-limit' | 'x-account-rate-limit';

function limitOf({ headers }: Answer, level: Level = 'x-rate-limit') {
  const read = (name: string) =>
    headers[`${level}-${name}`] === undefined ? undefined : Number(headers[`${level}-${name}`]);
  return { limit: read('limit'), remaining: read('remaining'), reset: read('reset') };
}

const none = { limit: undefined, remaining: undefined, reset: undefined };

async function repeat(world: TestWorld, times: number, request: TestRequest): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let i = 0; i < times; i++) answers.push(await world.request(request));
  return answers;
}

/** The reads below an account that are not of the core entities. */
const otherReads: readonly string[] = [
  'features.list',
  'promotable_users.list',
  'promotable_users.get',
  'account_apps.list',
  'account_history.list',
  'authenticated_user_access.get',
  'user_access.list',
  'curated_categories.list',
  'curated_categories.get',
  'draft_posts.list',
  'draft_posts.get',
  'scheduled_posts.list',
  'scheduled_posts.get',
  'posts.list',
  'post_previews.list',
];

/** The reads without an account, but for the list of accounts. */
const lookups: readonly string[] = [
  'advertiser_business_categories.list',
  'content_categories.list',
  'iab_categories.list',
  'publishers.list',
  'bidding_rules.list',
  'line_items.placements',
];

/** Audiences, their users and their permissions: reads and writes alike. */
const isOfAudiences = ({ id }: Operation) => /^(?:custom_audience|tailored_audience|do_not_reach)/.test(id);

/** Literal limits: 450 writes a minute; in 15 minutes 10,000 and 2,000 reads, 5 lookups, and more of those of targeting. */
function figuresOf(operation: Operation): readonly [limit: number, seconds: number] {
  const { id } = operation;
  if (isOfAudiences(operation)) return [1500, 60];
  if (id === 'keyword_insights.search') return [500, 900];
  if (!isRead(operation)) return [450, 60];
  if (lookups.includes(id)) return [5, 900];
  if (id.startsWith('targeting_options.')) return [id.includes('.tv_') ? 2000 : 400, 900];
  return [otherReads.includes(id) ? 2000 : 10_000, 900];
}

test(about('A-RATE-FIGURES'), async () => {
  await using world = await openWorld({ rateLimits: {} });
  for (const operation of allOperations) {
    const fixture = await createAccountFixture(world, 'sandbox', operation);
    world.wallClock.advance(3_600_000);
    const answer = await world.request(requestFor(operation, validParams(operation, fixture)));
    expect(answer.status, answer.text).toBe(200);
    const now = world.wallClock.now() / 1000;
    const [limit, seconds] = figuresOf(operation);
    const expected = { limit, remaining: limit - 1, reset: Math.ceil(now + seconds) };
    expect(limitOf(answer), operation.id).toEqual(expected);
    const perAccount = isRead(operation) && operation.http.path.includes(':account_id') && !isOfAudiences(operation);
    expect(limitOf(answer, 'x-account-rate-limit'), operation.id).toEqual(perAccount ? expected : none);
  }
});

test(about('A-RATE'), async () => {
  await using world = await openWorld({ rateLimits: {} });
  const fixture = await createAccountFixture(world);
  const path = `/12/accounts/${fixture.account_id}/campaigns`;
  const [first, second] = await repeat(world, 2, { path });
  expect(limitOf(second ?? first ?? (await world.request({ path })))).toMatchObject({ remaining: 9998 });
  // Error responses have them too, and count.
  const wrong = await world.request({ path, query: { count: 0 } });
  expect([wrong.status, limitOf(wrong).remaining]).toEqual([400, 9997]);
  const stranger = await world.createUser('stranger');
  const rejected = await world.request({ path, as: stranger });
  expect([rejected.status, limitOf(rejected).remaining]).toEqual([403, 9999]);
  const reader = await world.issueToken(world.user, 'read');
  const readOnly = await world.request({ method: 'POST', path, as: reader });
  expect([readOnly.status, limitOf(readOnly).limit]).toEqual([403, 450]);
  // The caller is unknown, so that there is no limit to count.
  expect(limitOf(await world.request({ path, as: null }))).toEqual(none);
  // Each read counts for itself, all writes together.
  expect(limitOf(await world.request({ path: `/12/accounts/${fixture.account_id}/line_items` })).remaining).toBe(9999);
  const writes = limitOf(await world.request({ method: 'PUT', path: `/12/accounts/${fixture.account_id}` })).remaining;
  expect(limitOf(await world.request({ method: 'DELETE', path: `${path}/${fixture.campaign_id}` })).remaining).toBe(
    (writes ?? 0) - 1,
  );
  await using off = await openWorld();
  const free = await off.request({ path: '/12/accounts' });
  expect([free.status, limitOf(free)]).toEqual([200, none]);
});

test(about('A-RATE-EXCEEDED'), async () => {
  await using world = await openWorld({ rateLimits: {} });
  const path = `/12/accounts/${world.credentials.sandbox_account_id}`;
  const write = { method: 'PUT', path, query: { name: 'x' } } as const;
  const answers = await repeat(world, 450, write);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const before = await world.request({ path });
  const rejected = await world.request({ ...write, query: { name: 'too late' } });
  expect(rejected).toMatchObject({ status: 429, body: { errors: [{ code: 'TOO_MANY_REQUESTS' }] } });
  const { remaining, reset = 0 } = limitOf(rejected);
  expect(remaining).toBe(0);
  expect((await world.request({ path })).text, 'nothing was written').toBe(before.text);
  // Another user, and reads of the same one, are not affected; a second before the reset nothing has changed.
  const colleague = await world.createUser('colleague');
  await world.grant(world.credentials.sandbox_account_id, colleague, ['ACCOUNT_ADMIN']);
  expect((await world.request({ ...write, as: colleague })).status).toBe(200);
  world.wallClock.advance(reset * 1000 - world.wallClock.now() - 1000);
  expect((await world.request(write)).status).toBe(429);
  world.wallClock.advance(1000);
  const fresh = await world.request(write);
  expect([fresh.status, limitOf(fresh).remaining]).toEqual([200, 449]);
});

test(about('A-RATE-DEVELOPMENT'), async () => {
  const profileIn = (env: Readonly<Record<string, string>>) => readConfig(env).rateLimits;
  expect(profileIn({ BROADSIDE_MODE: 'development' })).toBe('development');
  expect(profileIn({ BROADSIDE_MODE: 'production' })).toEqual({});
  expect(profileIn({ BROADSIDE_MODE: 'production', BROADSIDE_RATE_LIMITS: 'development' })).toBe('development');
  expect(profileIn({ BROADSIDE_MODE: 'development', BROADSIDE_RATE_LIMITS: 'published' })).toEqual({});
  await using world = await openWorld({ rateLimits: 'development' });
  const lists = await repeat(world, 20, { path: '/12/iab_categories', query: { count: 50 } });
  expect(lists.map(({ status }) => status)).toEqual(lists.map(() => 200));
  expect(limitOf(await world.request({ path: '/12/accounts' })).limit).toBe(10_000);
});

test(about('A-RETRY-AFTER'), async () => {
  await using world = await openWorld({ rateLimits: { 'ads.core_read': { limit: 2 }, 'ads.write': { limit: 1 } } });
  const path = `/12/accounts/${world.credentials.sandbox_account_id}`;
  const colleague = await world.createUser('colleague');
  await world.grant(world.credentials.sandbox_account_id, colleague, ['ACCOUNT_ADMIN']);
  const campaigns = { path: `${path}/campaigns` };
  await repeat(world, 2, { ...campaigns, as: colleague });
  world.wallClock.advance(1400);
  const write = { method: 'PUT', path, query: { name: 'x' } } as const;
  expect((await world.request(write)).headers['retry-after']).toBeUndefined();
  for (const request of [write, campaigns]) {
    const rejected = await world.request(request);
    expect(rejected.status).toBe(429);
    // The window that ends last decides: of reads that of the account, which the colleague began.
    const level = request === write ? 'x-rate-limit' : 'x-account-rate-limit';
    const { reset = 0 } = limitOf(rejected, level);
    const wait = Number(rejected.headers['retry-after']);
    expect(wait).toBe(reset - Math.floor(world.wallClock.now() / 1000));
    world.wallClock.advance(wait * 1000);
    expect((await world.request(request)).status).toBe(200);
  }
});

test(about('A-RATE-TOTAL'), async () => {
  await using world = await openWorld({ rateLimits: {} });
  const path = `/12/accounts/${world.credentials.sandbox_account_id}/campaigns`;
  const counted = { path, query: { with_total_count: true } };
  const answers = await repeat(world, 200, counted);
  expect(answers.at(-1)).toMatchObject({ status: 200, body: { total_count: 0 } });
  expect(limitOf(answers[0] ?? (await world.request({ path })))).toMatchObject({ limit: 200, remaining: 199 });
  expect((await world.request(counted)).status).toBe(429);
  expect((await world.request({ path, query: { with_total_count: false } })).status).toBe(200);
  expect((await world.request({ ...counted, path: path.replace('campaigns', 'line_items') })).status).toBe(200);
  world.wallClock.advance(15 * 60_000);
  expect((await world.request(counted)).status).toBe(200);
  // Each list that counts, and none gets more requests by counting than it has without.
  for (const operation of allOperations.filter(({ params }) => 'with_total_count' in params.shape)) {
    const fixture = await createAccountFixture(world, 'sandbox', operation);
    world.wallClock.advance(3_600_000);
    const params = { ...validParams(operation, fixture), with_total_count: true };
    const [limit] = figuresOf(operation);
    const answer = await world.request(requestFor(operation, params));
    expect(limitOf(answer), operation.id).toMatchObject({ limit: Math.min(limit, 200) });
  }
});

test(about('A-RATE-STRANGER'), async () => {
  await using world = await openWorld({ rateLimits: { 'ads.core_read': { limit: 5 } } });
  const path = `/12/accounts/${world.credentials.sandbox_account_id}/campaigns`;
  const stranger = await world.createUser('stranger');
  const answers = await repeat(world, 7, { path, as: stranger });
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 429, 429]);
  expect((await repeat(world, 5, { path })).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  // Two users of one account share the account's count.
  const colleague = await world.createUser('colleague');
  await world.grant(world.credentials.sandbox_account_id, colleague, ['AD_MANAGER']);
  expect((await world.request({ path, as: colleague })).status).toBe(429);
});

test(about('B-USERS-RATE'), async () => {
  await using world = await openWorld({ rateLimits: {} });
  const account_id = await world.createAccount();
  const colleague = await world.createUser('colleague');
  await world.grant(account_id, colleague, ['AD_MANAGER']);
  const audience = async (account: string) =>
    idOf(
      (await world.request({ method: 'POST', path: `/12/accounts/${account}/custom_audiences`, form: { name: 'x' } }))
        .body,
    );
  const request = {
    method: 'POST',
    path: `/12/accounts/${account_id}/custom_audiences/${await audience(account_id)}/users`,
  } as const;
  // Rejected requests count too, and one without a body is rejected soonest.
  const answers = await repeat(world, 1499, request);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([415]));
  expect(limitOf(answers[0] ?? (await world.request(request)))).toMatchObject({ limit: 1500, remaining: 1499 });
  const last = await world.request({ ...request, as: colleague });
  expect([last.status, limitOf(last).remaining]).toEqual([415, 0]);
  for (const as of [colleague, world.user]) expect((await world.request({ ...request, as })).status).toBe(429);
  // Another account, and other writes, have limits of their own.
  const other = await world.createAccount();
  const elsewhere = { ...request, path: `/12/accounts/${other}/custom_audiences/${await audience(other)}/users` };
  expect(limitOf(await world.request(elsewhere)).remaining).toBe(1499);
  world.wallClock.advance(60_000);
  expect(limitOf(await world.request(request)).remaining).toBe(1499);
});
