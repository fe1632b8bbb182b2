/** Servers that start for the first time on one platform at the same moment: what they have in common is decided once. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureDemo } from '../demo/demo.ts';
import { DEMO_USER } from '../demo/demo-posts.ts';
import { operatorToken } from '../demo/operator-token.ts';
import type { World } from '../open-world.ts';
import { SecretKeyError } from '../world/secret-key.ts';
import { type RemotePlatform, startRemotePlatform } from './testing/remote-stores.ts';

const names = ['a', 'b', 'c', 'd'];
let platform: RemotePlatform;

beforeEach(async () => {
  platform = await startRemotePlatform();
});
afterEach(() => platform.close());

const urlsOf = (name: string) => ({
  api: `http://${name}.test`,
  ads: `http://${name}.test:81`,
  sandbox: `http://${name}.test:82`,
});

function credentialsOf(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path.join(platform.directory, name, 'credentials.json'), 'utf8'));
}

async function people(world: World): Promise<string[]> {
  return (await world.identity.users.list(100)).map(({ screen_name }) => screen_name);
}

test('four first starts at once make one platform, one demo and one token of its operator', async () => {
  const worlds = await Promise.all(names.map((name) => platform.open(name)));
  const tokens = await Promise.all(worlds.map((world) => operatorToken(world, true)));
  const files = await Promise.all(worlds.map((world, i) => ensureDemo(world, urlsOf(names[i] ?? ''))));
  expect(new Set(tokens).size).toBe(1);
  expect(files.map((file) => file !== undefined)).toEqual([true, true, true, true]);
  const [first] = worlds;
  if (!first) throw new TypeError('there is a first one');
  expect((await people(first)).filter((name) => name.startsWith(DEMO_USER))).toEqual([DEMO_USER]);
  const { base_url, ads_base_url, ads_sandbox_base_url, ...common } = credentialsOf('a');
  for (const name of names) {
    const { api, ads, sandbox } = urlsOf(name);
    const own = { base_url: api, ads_base_url: ads, ads_sandbox_base_url: sandbox };
    expect(credentialsOf(name)).toEqual({ ...common, ...own });
    expect(readFileSync(path.join(platform.directory, name, 'operator.token'), 'utf8').trim()).toBe(tokens[0]);
  }
  expect(worlds.map((world) => world.servers?.registration.worker).toSorted()).toEqual([0, 1, 2, 3]);
  // All of them start again: their directories belong to the platform.
  for (const world of worlds) await world.close();
  const again = await Promise.all(names.map((name) => platform.open(name)));
  expect(await Promise.all(again.map((world) => operatorToken(world, true)))).toEqual(tokens);
});

test('a demo whose server has ended in the middle is made by the next one', async () => {
  const first = await platform.open('a');
  await first.servers?.facts.put('demo', 'unfinished');
  await first.servers?.registration.leases.take('demo');
  await first.identity.users.create(
    { user_id: null, platform: 'SERVER' },
    {
      screen_name: DEMO_USER,
      name: 'Half of a demo',
      password: 'password of nobody',
    },
  );
  // Its lease ends with it.
  await first.servers?.registration.leases.release('demo');
  await first.close();
  const next = await platform.open('b');
  expect(await ensureDemo(next, urlsOf('b'))).toBeDefined();
  const third = await platform.open('c');
  expect(await ensureDemo(third, urlsOf('c'))).toBeDefined();
  expect(credentialsOf('c')['screen_name']).toBe(credentialsOf('b')['screen_name']);
  expect(credentialsOf('b')['screen_name']).not.toBe(DEMO_USER);
});

test('a platform that is in use gets no demo', async () => {
  const first = await platform.open('a');
  const person = { screen_name: 'somebody', name: 'Somebody', password: 'a password of somebody' };
  await first.identity.users.create({ user_id: null, platform: 'SERVER' }, person);
  expect(await ensureDemo(first, urlsOf('a'))).toBeUndefined();
  const second = await platform.open('b');
  expect(await ensureDemo(second, urlsOf('b'))).toBeUndefined();
  expect(await people(second)).toEqual(['somebody']);
});

test('of servers with keys of their own that start at once, one decides; the others are refused in one line', async () => {
  const some = names.slice(0, 2);
  const all = await Promise.allSettled(some.map((name) => platform.open(name, { secretKeys: undefined })));
  const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(refused).toHaveLength(1);
  for (const error of refused) {
    expect(error).toBeInstanceOf(SecretKeyError);
    expect(error.message).toContain('BROADSIDE_SECRET_KEY');
    expect(error.message).not.toContain('\n');
  }
  // None leaves a key behind that opens nothing.
  const keys = some.filter((name) => existsSync(path.join(platform.directory, name, 'secret.key')));
  expect(keys).toHaveLength(1);
});
