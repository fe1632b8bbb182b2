import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createWorld } from './world.ts';

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
