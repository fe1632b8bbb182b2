/** The key that seals secrets can be changed; without the right one nothing starts, and nothing is changed. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { World } from '@broadside/server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ServerProcess } from '../../support/server-process.ts';
import { rowsOf } from './provider.ts';

const [A, B, C] = ['a', 'b', 'c'].map((name) => Buffer.alloc(32, name));
const ACTOR = { user_id: null, platform: 'SERVER' } as const;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'broadside-rotation-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function withWorld<Result>(
  keys: readonly (Buffer | undefined)[],
  run: (world: World) => Promise<Result>,
): Promise<Result> {
  const [current, ...previous] = keys.filter((key) => key !== undefined);
  if (!current) throw new TypeError('there must be a key');
  const world = await World.open({ dataDirectory: directory, secretKeys: [current, ...previous] });
  try {
    return await run(world);
  } finally {
    await world.close();
  }
}

/** Records that contain secrets, created under the first key. */
async function fill(world: World) {
  const { identity, requestTokens, bearerTokens, sessions } = world;
  const user = await identity.users.create(ACTOR, { screen_name: 'anna', name: 'Anna', password: 'password' });
  const app = await identity.apps.create(ACTOR, {
    name: 'App',
    description: '',
    owner_user_id: user.id,
    callback_urls: [],
    sign_in_enabled: false,
    oob_enabled: true,
    access_level: 'write',
  });
  const token = await identity.tokens.issue(ACTOR, app, user, 'write');
  const asked = await requestTokens.issue(app.id, 'oob', 'write');
  const approved = await requestTokens.issue(app.id, 'oob', 'write');
  const pin = (await requestTokens.approve(approved.oauth_token, user.id)) ?? '';
  const bearer = await bearerTokens.tokenOf(ACTOR, app.id);
  const session = await sessions.begin(user.id);
  return { user, app, token, asked, approved, pin, bearer, session };
}
type Filled = Awaited<ReturnType<typeof fill>>;

async function expectAllThere(world: World, held: Filled): Promise<void> {
  const { identity, requestTokens, bearerTokens, sessions } = world;
  const { user, app, token, asked, approved, bearer, session } = held;
  const found = await identity.signing.find(app.consumer_key, token.access_token);
  expect(found?.consumer_secret).toBe(app.consumer_secret);
  expect(found?.token?.secret).toBe(token.access_token_secret);
  expect(await requestTokens.secretOf(app.id, asked.oauth_token)).toBe(asked.oauth_token_secret);
  expect(await requestTokens.secretOf(app.id, approved.oauth_token)).toBe(approved.oauth_token_secret);
  expect(await bearerTokens.tokenOf(ACTOR, app.id)).toBe(bearer);
  expect(await sessions.find(session)).toMatchObject({ user_id: user.id });
}

/** The ids of the keys under which the secrets of the store are sealed. */
function sealedUnder(): Set<string> {
  const columns = [
    ['apps', 'consumer_secret_sealed'],
    ['access_tokens', 'secret_sealed'],
    ['request_tokens', 'secret_sealed'],
    ['platform_keys', 'key_sealed'],
  ];
  const texts = columns.flatMap(([table, column]) =>
    rowsOf(directory, 'platform.db', `SELECT "${column}" FROM "${table}"`).flat(),
  );
  expect(texts.length).toBeGreaterThanOrEqual(5);
  return new Set(texts.map((text) => String(text).split('.')[1] ?? ''));
}

const contents = () =>
  ['users', 'apps', 'access_tokens', 'request_tokens', 'bearer_tokens', 'sessions', 'platform_keys', 'change_log'].map(
    (table) => rowsOf(directory, 'platform.db', `SELECT * FROM "${table}"`),
  );

test('a new key before the old one: everything keeps working and is encrypted anew, and then the old one can be removed', async () => {
  const held = await withWorld([A], fill);
  const [old] = sealedUnder();
  await withWorld([B, A], (world) => expectAllThere(world, held));
  const under = sealedUnder();
  expect([under.size, under.has(old ?? '')]).toEqual([1, false]);
  await withWorld([B], async (world) => {
    await expectAllThere(world, held);
    const { approved, pin, user } = held;
    // Verifiers were hashed with a key that outlives the change.
    expect(await world.requestTokens.exchange(approved.oauth_token, pin)).toMatchObject({
      kind: 'issued',
      token: { user_id: user.id },
    });
  });
  // Twice is like once, and a third change likewise.
  await withWorld([B, A], (world) => expectAllThere(world, held));
  await withWorld([C, B], (world) => expectAllThere(world, held));
  await withWorld([C], (world) => expectAllThere(world, held));
});

test('more secrets than one transaction changes are all sealed anew', async () => {
  await withWorld([A], async (world) => {
    const { app } = await fill(world);
    for (let i = 0; i < 60; i++)
      await Promise.all(Array.from({ length: 20 }, () => world.requestTokens.issue(app.id, 'oob', 'read')));
  });
  await withWorld([B, A], async () => {});
  expect(sealedUnder().size).toBe(1);
  await withWorld([B], async () => {});
});

test('the old key behind the new one is for reading only: what comes new is sealed under the new one', async () => {
  const held = await withWorld([A], fill);
  await withWorld([B, A], async (world) => {
    await world.requestTokens.issue(held.app.id, 'oob', 'read');
    expect(sealedUnder().size).toBe(1);
  });
});

describe('without the right key', () => {
  test.for([
    ['another', [C]],
    ['several others', [C, B]],
  ] as const)('%s: it does not start, says so in one line, and changes nothing', async ([, keys]) => {
    const held = await withWorld([A], fill);
    const before = contents();
    await expect(withWorld(keys, async () => {})).rejects.toMatchObject({
      name: 'SecretKeyError',
      message: expect.stringMatching(/^[^\n]*BROADSIDE_SECRET_KEY[^\n]*$/),
    });
    expect(contents()).toEqual(before);
    await withWorld([A], (world) => expectAllThere(world, held));
  });

  test('nor with the old one alone, after the change', async () => {
    const held = await withWorld([A], fill);
    await withWorld([B, A], async () => {});
    const before = contents();
    await expect(withWorld([A], async () => {})).rejects.toMatchObject({ name: 'SecretKeyError' });
    expect(contents()).toEqual(before);
    await withWorld([B], (world) => expectAllThere(world, held));
  });

  test('nor on a store that has secrets, and is of before there was a key of the platform', async () => {
    await withWorld([A], fill);
    rowsOf(directory, 'platform.db', 'DELETE FROM "platform_keys" RETURNING "name"');
    await expect(withWorld([C], async () => {})).rejects.toMatchObject({ name: 'SecretKeyError' });
    expect(rowsOf(directory, 'platform.db', 'SELECT * FROM "platform_keys"')).toEqual([]);
    await withWorld([A], async () => {});
  });

  test('a server says so in one line and ends with 1', async () => {
    await withWorld([A], fill);
    const { code, stderr, stdout } = await ServerProcess.spawn(directory, {
      BROADSIDE_SECRET_KEY: C?.toString('base64') ?? '',
      BROADSIDE_DEMO: '0',
    }).ended;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^broadside: [^\n]*BROADSIDE_SECRET_KEY[^\n]*\n$/);
  });
});

test('the file of keys can hold several: the first is the current one', async () => {
  const world = await World.open({ dataDirectory: directory });
  const held = await fill(world);
  await world.close();
  const file = path.join(directory, 'secret.key');
  const old = readFileSync(file, 'utf8');
  writeFileSync(file, `${B?.toString('base64')}\n${old}`);
  const rotated = await World.open({ dataDirectory: directory });
  await expectAllThere(rotated, held);
  await rotated.close();
  await withWorld([B], (opened) => expectAllThere(opened, held));
});
