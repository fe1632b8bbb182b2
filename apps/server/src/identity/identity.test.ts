/** Identities in their store: the in-memory cache, and the end of tokens and sessions. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { App } from '@broadside/core/resources/apps';
import type { User } from '@broadside/core/resources/operator';
import { count } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { audienceChanges } from '../audience/platform-table.ts';
import { changeLog } from '../db/change-log-table.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { World } from '../open-world.ts';
import { ManualClock } from '../world/clock.ts';
import { SeededRandom } from '../world/random.ts';
import { keyedHash } from './platform-key.ts';
import { MAX_VERIFIER_FAILURES, REQUEST_TOKEN_MS } from './request-tokens.ts';
import { SESSION_MS } from './sessions.ts';

const ACTOR = { user_id: null, platform: 'SERVER' } as const;
const directory = mkdtempSync(path.join(tmpdir(), 'broadside-identity-'));
const clock = new ManualClock(Date.UTC(2026, 0, 1));
const wallClock = new ManualClock(Date.UTC(2026, 5, 1));
let world: World;
let anna: User;
let app: App & { readonly consumer_secret: string };

beforeAll(async () => {
  const random = new SeededRandom('identity');
  world = await World.open({ dataDirectory: directory, clock, wallClock, random });
  anna = await world.identity.users.create(ACTOR, { screen_name: 'Anna', name: 'Anna', password: 'password' });
  app = await world.identity.apps.create(ACTOR, {
    name: 'App',
    description: '',
    owner_user_id: anna.id,
    callback_urls: ['https://app.example.com/cb'],
    sign_in_enabled: false,
    oob_enabled: true,
    access_level: 'write',
  });
});
afterAll(async () => {
  await world.close();
  rmSync(directory, { recursive: true, force: true });
});

describe('what a signature is held against', () => {
  const look = (token: string | undefined) => world.identity.signing.find(app.consumer_key, token);

  test('is cached once something was verified with it, and not before', async () => {
    const { access_token } = await world.identity.tokens.issue(ACTOR, app, anna, 'write');
    const [first, second] = [await look(access_token), await look(access_token)];
    expect(second).toEqual(first);
    expect(second).not.toBe(first);
    if (!second) throw new TypeError('the app is there');
    world.identity.signing.remember(app.consumer_key, access_token, second);
    expect(await look(access_token)).toBe(second);
  });

  test('is evicted by every change, also one between reading and verifying', async () => {
    const { access_token } = await world.identity.tokens.issue(ACTOR, app, anna, 'write');
    const early = await look(access_token);
    if (!early) throw new TypeError('the app is there');
    await world.identity.apps.update(ACTOR, app.id, { suspended: true });
    world.identity.signing.remember(app.consumer_key, access_token, early);
    expect(await look(access_token)).toMatchObject({ suspended: true });
    await world.identity.apps.update(ACTOR, app.id, { suspended: false });
    const late = await look(access_token);
    if (!late) throw new TypeError('the app is there');
    world.identity.signing.remember(app.consumer_key, access_token, late);
    await world.identity.tokens.revoke(ACTOR, access_token);
    expect(await look(access_token)).toMatchObject({ token: { revoked: true } });
  });

  test('is the app alone for a token that is not its own, and nothing without an app', async () => {
    expect(await look('unknown')).toMatchObject({ app_id: app.id, owner_user_id: anna.id });
    expect(await look('unknown')).not.toHaveProperty('token');
    for (const key of ['unknown', '', '\0', app.id]) {
      expect(await world.identity.signing.find(key, undefined)).toBeUndefined();
    }
  });
});

describe('a person', () => {
  test('is known by name in any case and by the right password', async () => {
    for (const name of ['Anna', 'anna', 'ANNA']) {
      expect(await world.identity.users.verify(name, 'password')).toMatchObject({ user_id: anna.id });
    }
    for (const [name, password] of [
      ['anna', 'Password'],
      ['anna', ''],
      ['nobody', 'password'],
      ['', 'password'],
      ['anna\0', 'password'],
      ['anna', 'password\0'],
    ] as const) {
      expect(await world.identity.users.verify(name, password)).toBeUndefined();
    }
  });
});

test('an approval is taken back for apps that can be, and the others had none', async () => {
  await world.identity.tokens.issue(ACTOR, app, anna, 'read');
  for (const id of ['', 'unknown', '\0', '\ud800'])
    expect(await world.identity.tokens.revokeApproval(ACTOR, anna.id, id)).toBe(false);
  expect(await world.identity.tokens.revokeApproval(ACTOR, anna.id, app.id)).toBe(true);
  expect(await world.identity.tokens.revokeApproval(ACTOR, anna.id, app.id)).toBe(false);
});

describe('a request token', () => {
  const issue = () => world.requestTokens.issue(app.id, 'https://app.example.com/cb', 'write');

  test('lives for 15 minutes of the world’s clock', async () => {
    expect(REQUEST_TOKEN_MS).toBe(900_000);
    const [waiting, approved] = [await issue(), await issue()];
    const verifier = (await world.requestTokens.approve(approved.oauth_token, anna.id)) ?? '';
    wallClock.advance(86_400_000);
    clock.advance(REQUEST_TOKEN_MS - 1000);
    expect(await world.requestTokens.waiting(waiting.oauth_token)).toMatchObject({ app_id: app.id });
    clock.advance(1000);
    expect(await world.requestTokens.waiting(waiting.oauth_token)).toBeUndefined();
    expect(await world.requestTokens.approve(waiting.oauth_token, anna.id)).toBeUndefined();
    expect(await world.requestTokens.cancel(waiting.oauth_token)).toBe(false);
    expect(await world.requestTokens.exchange(approved.oauth_token, verifier)).toEqual({ kind: 'spent' });
  });

  test('is decided on once', async () => {
    const [approved, cancelled] = [await issue(), await issue()];
    expect(await world.requestTokens.approve(approved.oauth_token, anna.id)).toMatch(/^\w{42}$/);
    expect(await world.requestTokens.approve(approved.oauth_token, anna.id)).toBeUndefined();
    expect(await world.requestTokens.cancel(approved.oauth_token)).toBe(false);
    expect(await world.requestTokens.cancel(cancelled.oauth_token)).toBe(true);
    expect(await world.requestTokens.approve(cancelled.oauth_token, anna.id)).toBeUndefined();
    expect(await world.requestTokens.exchange(cancelled.oauth_token, 'x')).toEqual({ kind: 'spent' });
  });

  test('is spent by the fifth wrong verifier', async () => {
    expect(MAX_VERIFIER_FAILURES).toBe(5);
    const { oauth_token } = await issue();
    const verifier = (await world.requestTokens.approve(oauth_token, anna.id)) ?? '';
    for (let i = 0; i < 5; i++) {
      expect(await world.requestTokens.exchange(oauth_token, 'x')).toEqual({ kind: 'wrong_verifier' });
    }
    expect(await world.requestTokens.exchange(oauth_token, verifier)).toEqual({ kind: 'spent' });
  });

  test('has its secret for its own app only', async () => {
    const { oauth_token, oauth_token_secret } = await issue();
    expect(await world.requestTokens.secretOf(app.id, oauth_token)).toBe(oauth_token_secret);
    for (const [id, token] of [
      ['', oauth_token],
      ['1', oauth_token],
      [app.id, 'unknown'],
      [app.id, '\0'],
    ] as const) {
      expect(await world.requestTokens.secretOf(id, token)).toBeUndefined();
    }
  });

  test('is thrown away a day after it lapsed', async () => {
    const { oauth_token } = await issue();
    clock.advance(REQUEST_TOKEN_MS + 86_400_000);
    await issue();
    expect(await world.requestTokens.secretOf(app.id, oauth_token)).toBeDefined();
    clock.advance(1000);
    await issue();
    expect(await world.requestTokens.secretOf(app.id, oauth_token)).toBeUndefined();
  });
});

describe('a session', () => {
  test('lives for 14 days of the wall clock', async () => {
    expect(SESSION_MS).toBe(14 * 86_400_000);
    const id = await world.sessions.begin(anna.id);
    clock.advance(SESSION_MS);
    wallClock.advance(SESSION_MS - 1);
    expect(await world.sessions.find(id)).toMatchObject({ user_id: anna.id, screen_name: 'Anna' });
    wallClock.advance(1);
    expect(await world.sessions.find(id)).toBeUndefined();
  });

  test('ends alone, and a new password ends all', async () => {
    const [one, other] = [await world.sessions.begin(anna.id), await world.sessions.begin(anna.id)];
    expect(one).toMatch(/^\w{43}$/);
    await world.sessions.end(one);
    expect([await world.sessions.find(one), await world.sessions.find(other)]).toEqual([undefined, expect.anything()]);
    await world.identity.users.update(ACTOR, anna.id, { password: 'password' });
    expect(await world.sessions.find(other)).toBeUndefined();
  });
});

const listNoted = statement({}, () => query.select({ id: audienceChanges.id }).from(audienceChanges));
const listLogged = statement({}, () => query.select({ data: changeLog.entity_data }).from(changeLog));

test('identifiers are stored as they are hashed, and recorded without what they are', async () => {
  const before = (await listNoted.all(world.seeds.reader)).length;
  const given = { email: ' Anna@Example.com', phone_numbers: ['+1 500 555 0100'], devices: ['AF3802A465767E36'] };
  await world.identity.users.update(ACTOR, anna.id, given);
  const [row] = await world.seeds.reader.query('SELECT email, phone_numbers, devices FROM users WHERE id = ?', [
    anna.id,
  ]);
  expect(row).toEqual(['anna@example.com', '["+15005550100"]', '["af3802a465767e36"]']);
  expect((await listNoted.all(world.seeds.reader)).slice(before)).toEqual([{ id: BigInt(anna.id) }]);
  const logged = JSON.stringify(await listLogged.all(world.seeds.reader));
  expect(logged).toContain('identifiers_changed');
  expect(logged).not.toMatch(/anna@|5550100|af3802|AF3802/i);
  expect(await world.identity.users.differs(anna.id, given)).toBe(false);
  // Written again, they change nothing.
  await world.identity.users.update(ACTOR, anna.id, given);
  expect((await listNoted.all(world.seeds.reader)).length).toBe(before + 1);
  await world.identity.users.update(ACTOR, anna.id, { email: null, phone_numbers: [], devices: [] });
  expect(
    await world.seeds.reader.query('SELECT email, phone_numbers, devices FROM users WHERE id = ?', [anna.id]),
  ).toEqual([[null, null, null]]);
});

test('a change of an audience trait is recorded for the audience index, other changes are not', async () => {
  const countNoted = statement({}, () => query.select({ n: count() }).from(audienceChanges));
  const noted = async () => (await countNoted.all(world.seeds.reader))[0]?.n ?? 0;
  const before = await noted();
  await world.identity.users.update(ACTOR, anna.id, {
    name: 'Anna B',
    url: 'https://anna.example.com',
    verified: true,
  });
  expect(await noted()).toBe(before);
  await world.identity.users.update(ACTOR, anna.id, { name: 'Anna', country: 'US', languages: ['en'] });
  expect(await noted()).toBe(before + 1);
  await world.identity.users.update(ACTOR, anna.id, { country: 'US', languages: ['en'] });
  expect(await noted()).toBe(before + 1);
});

describe('a bearer token', () => {
  test('is one for an app, returned again until it is invalidated', async () => {
    const first = await world.bearerTokens.tokenOf(ACTOR, app.id);
    expect(first).toMatch(/^A{21}[0-9a-f]{90}$/);
    expect(await world.bearerTokens.tokenOf(ACTOR, app.id)).toBe(first);
    expect(await world.bearerTokens.invalidate(ACTOR, 'another app', first)).toBe(false);
    expect(await world.bearerTokens.invalidate(ACTOR, app.id, `${first}0`)).toBe(false);
    expect(await world.bearerTokens.invalidate(ACTOR, app.id, first)).toBe(true);
    expect(await world.bearerTokens.invalidate(ACTOR, app.id, first)).toBe(false);
    const second = await world.bearerTokens.tokenOf(ACTOR, app.id);
    expect(second).not.toBe(first);
    expect(await world.bearerTokens.invalidateOf(ACTOR, app.id)).toBe(true);
    expect(await world.bearerTokens.invalidateOf(ACTOR, app.id)).toBe(false);
  });
});

test('a keyed hash is for one purpose and one way of cutting its parts', () => {
  const hashes = [
    keyedHash('key', 'verifier', 'ab', 'c'),
    keyedHash('key', 'verifier', 'a', 'bc'),
    keyedHash('key', 'verifier', 'abc'),
    keyedHash('key', 'form', 'ab', 'c'),
    keyedHash('yek', 'verifier', 'ab', 'c'),
    keyedHash('key', 'verifier2:ab', 'c'),
  ].map((hash) => hash.toString('hex'));
  expect(new Set(hashes).size).toBe(hashes.length);
  expect(keyedHash('key', 'verifier', 'ab', 'c').toString('hex')).toBe(hashes[0]);
});
