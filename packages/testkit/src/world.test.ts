import { existsSync, readFileSync } from 'node:fs';
import { createClient } from '@broadside/client';
import { expect, test } from 'vitest';
import { createWorld } from './create-world.ts';

test('a world serves signed requests on each listener and leaves no files behind', async () => {
  let directory = '';
  {
    await using world = await createWorld();
    directory = world.directory;
    const { account_id, sandbox_account_id } = world.credentials;
    const production = await world.request({ listener: 'ads', path: `/12/accounts/${account_id}` });
    expect(production).toMatchObject({ status: 200, body: { data: { id: account_id } } });
    const sandbox = await world.request({ path: `/12/accounts/${sandbox_account_id}` });
    expect(sandbox).toMatchObject({ status: 200, body: { data: { id: sandbox_account_id } } });
    const api = await world.request({ listener: 'api', path: '/health', as: null });
    expect(api).toMatchObject({ status: 200, body: { status: 'ok' } });
  }
  expect(existsSync(directory)).toBe(false);
});

test('worlds with the same seed are identical, worlds with different seeds are not', async () => {
  await using one = await createWorld();
  await using same = await createWorld();
  await using other = await createWorld({ seed: 'other' });
  expect(same.credentials).toEqual(one.credentials);
  expect(other.credentials.access_token).not.toBe(one.credentials.access_token);
  expect(await same.createAccount()).toBe(await one.createAccount());
});

test('worlds are isolated from each other', async () => {
  await using one = await createWorld();
  await using other = await createWorld({ seed: 'other' });
  const answer = await one.request({ path: '/12/accounts', as: other.user });
  expect(answer.status).toBe(401);
});

test('a restart keeps everything, a clock moves only when advanced', async () => {
  await using world = await createWorld();
  const account_id = await world.createAccount();
  const read = async () => (await world.request({ path: `/12/accounts/${account_id}` })).text;
  const before = await read();
  world.clock.advance(3_600_000);
  await world.reopen();
  expect(await read()).toBe(before);
  await world.request({ method: 'PUT', path: `/12/accounts/${account_id}`, query: { name: 'Later' } });
  expect(await read()).toContain('"updated_at":"2026-01-15T09:00:00Z"');
});

test('time that is advanced has everything due happen on the way, each at its own time', async () => {
  await using world = await createWorld();
  const { sandbox_account_id: account_id, user_id: as_user_id } = world.credentials;
  const scheduled_at = '2026-01-16T12:00:00Z';
  const post = await world.client().scheduled_posts.create({ account_id, as_user_id, text: 'Tomorrow', scheduled_at });
  const next = await world.advance({ next: true });
  const published = { what: 'SCHEDULED_POST_PUBLISHED', id: post.id, account_id, environment: 'sandbox' };
  expect(next.happened).toEqual([{ at: '2026-01-16T12:00:00.000Z', ...published }]);
  expect(next.now).toBe(Date.parse(scheduled_at));
  expect((await world.advance({ by: 'P90D' })).now - next.now).toBe(90 * 86_400_000);
  await expect(world.advance({ by: '90 days' })).rejects.toThrow('P90D');
});

test('fetch reaches the listeners and nothing else', async () => {
  await using world = await createWorld();
  const { url, headers } = await world.sign({ path: '/12/accounts', query: { q: 'ü & more' } });
  const response = await world.fetch(url, { headers });
  expect([response.status, response.headers.get('x-current-api-version')]).toEqual([200, '12']);
  await expect(world.fetch('http://elsewhere.test/')).rejects.toThrow('nothing listens');
});

test('the typed client signs with the time of the world', async () => {
  await using world = await createWorld();
  world.wallClock.advance(10 * 365 * 86_400_000);
  const page = await world.client().accounts.list();
  expect(page.data.map(({ id }) => id)).toEqual([world.credentials.sandbox_account_id]);
});

test('rate limits are off unless requested', async () => {
  await using free = await createWorld();
  await using limited = await createWorld({ rateLimits: { 'ads.core_read': { limit: 1 } } });
  const statuses = [];
  for (const world of [free, free, limited, limited])
    statuses.push((await world.request({ path: '/12/accounts' })).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
});

test('a world that was copied goes on exactly as the one that was made', async () => {
  // A seed of its own, so that the first of them is made; the folder is shared with other runs.
  const seed = `made ${process.hrtime.bigint()}`;
  const look = async () => {
    await using world = await createWorld({ seed });
    const account_id = await world.createAccount();
    const { text } = await world.request({ method: 'POST', path: '/12/accounts' });
    return [world.credentials, account_id, await world.createFundingInstrument(account_id), text];
  };
  const [made, copied] = [await look(), await look()];
  expect(copied).toEqual(made);
});

test('a world listens for programs of other languages, which sign by the time of the machine', async () => {
  await using world = await createWorld({ listen: true });
  const { BROADSIDE_SANDBOX_URL = '', BROADSIDE_CREDENTIALS = '', BROADSIDE_SANDBOX_ACCOUNT_ID } = world.variables;
  expect(BROADSIDE_SANDBOX_URL).toBe(world.urls.sandbox);
  const credentials = JSON.parse(readFileSync(BROADSIDE_CREDENTIALS, 'utf8'));
  expect(credentials).toEqual(world.credentials);
  // A client that knows nothing of the world but what is in the file.
  const list = async () => (await createClient(credentials, { environment: 'sandbox' }).accounts.list()).data;
  expect((await list()).map(({ id }) => id)).toEqual([BROADSIDE_SANDBOX_ACCOUNT_ID]);
  expect(Math.abs(world.clock.now() - Date.now())).toBeLessThan(600_000);
  world.clock.advance(86_400_000);
  expect(world.clock.now() - Date.now()).toBeGreaterThan(80_000_000);
  // In process as well, and after a restart at the same addresses.
  expect(await world.request({ path: '/12/accounts' })).toMatchObject({ status: 200 });
  const before = { ...world.urls };
  await world.reopen();
  expect(world.urls).toEqual(before);
  expect(await list()).toHaveLength(1);
  await world.reset();
  expect(JSON.parse(readFileSync(BROADSIDE_CREDENTIALS, 'utf8'))).toEqual(world.credentials);
  expect(await list()).toHaveLength(1);
  expect((await world.clock.get()).frozen).toBe(false);
  await expect(world.clock.set({ frozen: true })).rejects.toThrow('held by the program');
});
