/** Copies of open and closed worlds, and the credentials of those that become worlds of their own. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { rejectWithAny } from '@broadside/core';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import type { Credentials } from '../demo/credentials.ts';
import { ensureDemo } from '../demo/demo.ts';
import { World } from '../open-world.ts';
import { createFundingInstrument } from '../resources/funding-instruments/find.ts';
import { CopyTargetError, copyClosedWorld, copyWorld } from './copy-world.ts';
import { renewCredentials } from './renew-credentials.ts';
import { filesIn, rowsOf } from './testing/contents.ts';

const ACTOR = { user_id: null, platform: 'SERVER' } as const;
const urls = { api: 'http://api.test', ads: 'http://ads.test', sandbox: 'http://sandbox.test' };

async function open(dataDirectory: string, credentialPrefix?: string): Promise<World> {
  const world = await World.open({ dataDirectory, credentialPrefix });
  onTestFinished(() => world.close());
  return world;
}

async function openDemo(directory: string): Promise<World> {
  const world = await open(directory);
  await ensureDemo(world, urls, { advertisement: true });
  return world;
}

function credentialsOf(directory: string): Credentials {
  return JSON.parse(readFileSync(path.join(directory, 'credentials.json'), 'utf8'));
}

/** Writes something to both environments and to the platform. */
async function writeEverywhere(world: World, { account_id, sandbox_account_id, user_id }: Credentials, count: number) {
  for (let i = 0; i < count; i++) {
    for (const [environment, id] of [
      ['production', account_id],
      ['sandbox', sandbox_account_id],
    ] as const) {
      await world.ads[environment]
        .account(id)
        .write(ACTOR, (writer) =>
          createFundingInstrument(
            rejectWithAny,
            writer,
            { type: 'CREDIT_CARD', currency: 'USD', start_time: '2026-01-01T00:00:00Z' },
            `Card ${i}`,
          ),
        );
    }
    await world.sessions.begin(user_id);
  }
}

test('a copy of a world that goes on writing opens, and the world goes on', async () => {
  const root = temporaryDirectory();
  const world = await openDemo(path.join(root, 'one'));
  const held = credentialsOf(world.dataDirectory);
  await writeEverywhere(world, held, 3);
  const writing = writeEverywhere(world, held, 30);
  await Promise.all([
    copyWorld(world, path.join(root, 'copies', 'a')),
    copyWorld(world, path.join(root, 'copies', 'b')),
  ]);
  await writing;
  await writeEverywhere(world, held, 3);
  for (const name of ['a', 'b']) {
    const directory = path.join(root, 'copies', name);
    const copy = await open(directory);
    expect(credentialsOf(directory)).toEqual(held);
    expect(await copy.identity.apps.byKey(held.consumer_key)).toBeDefined();
    expect(await copy.sessions.count(held.user_id)).toBeGreaterThanOrEqual(3);
    await writeEverywhere(copy, held, 1);
    expect(readdirSync(directory)).not.toContain('operator.token');
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(directory, 'secret.key')).mode & 0o777).toBe(0o600);
  }
  expect(readdirSync(path.join(root, 'copies'))).toEqual(['a', 'b']);
});

test('a copy has every row, member and blob of the world', async () => {
  const root = temporaryDirectory();
  const source = path.join(root, 'one');
  const world = await openDemo(source);
  await writeEverywhere(world, credentialsOf(source), 5);
  await copyWorld(world, path.join(root, 'open'));
  await world.close();
  await copyClosedWorld(source, path.join(root, 'closed'));
  const rows = await rowsOf(source);
  expect(Object.keys(rows).length).toBeGreaterThan(40);
  for (const name of ['open', 'closed']) {
    const directory = path.join(root, name);
    expect(await rowsOf(directory)).toEqual(rows);
    expect(filesIn(path.join(directory, 'media', 'blobs'))).toEqual(filesIn(path.join(source, 'media', 'blobs')));
    expect(Object.keys(filesIn(path.join(directory, 'media', 'blobs'))).length).toBeGreaterThan(2);
  }
});

test('a copy with renewed credentials is a world of its own', async () => {
  const root = temporaryDirectory();
  const world = await openDemo(path.join(root, 'one'));
  const held = credentialsOf(world.dataDirectory);
  const session = await world.sessions.begin(held.user_id);
  const app = await world.identity.apps.byKey(held.consumer_key);
  const request = await world.requestTokens.issue(app?.id ?? '', 'oob', 'write');
  const directory = path.join(root, 'fork');
  let renewed: Credentials | undefined;
  await copyWorld(world, directory, {
    prepare: async (copy) => {
      renewed = await renewCredentials(copy, { prefix: 'wabcdefg' });
    },
  });
  if (renewed === undefined) throw new TypeError('the demo has credentials');
  expect(credentialsOf(directory)).toEqual(renewed);
  const secret = ['consumer_key', 'consumer_secret', 'access_token', 'access_token_secret', 'bearer_token'] as const;
  for (const name of secret) {
    expect(renewed[name]).not.toBe(held[name]);
    expect(renewed[name]).toHaveLength(held[name].length);
  }
  expect({ ...renewed, ...Object.fromEntries(secret.map((name) => [name, held[name]])) }).toEqual(held);
  expect(renewed.consumer_key).toMatch(/^wabcdefg/);
  expect(renewed.bearer_token).toMatch(/^wabcdefgA/);
  const fork = await open(directory, 'wabcdefg');
  const signing = await fork.identity.signing.find(renewed.consumer_key, renewed.access_token);
  expect(signing).toMatchObject({
    consumer_secret: renewed.consumer_secret,
    token: { secret: renewed.access_token_secret, user_id: held.user_id, access_level: 'write', revoked: false },
  });
  expect(await fork.bearerTokens.appOf(renewed.bearer_token)).toMatchObject({ app_id: app?.id });
  expect(await fork.bearerTokens.tokenOf(ACTOR, app?.id ?? '')).toBe(renewed.bearer_token);
  // What opens the one opens nothing in the other.
  expect(await fork.identity.signing.find(held.consumer_key, held.access_token)).toBeUndefined();
  expect(await fork.identity.signing.hasToken(held.access_token)).toBe(false);
  expect(await fork.bearerTokens.appOf(held.bearer_token)).toBeUndefined();
  expect(await fork.sessions.find(session)).toBeUndefined();
  expect(await fork.requestTokens.waiting(request.oauth_token)).toBeUndefined();
  expect(await world.identity.signing.find(renewed.consumer_key, undefined)).toBeUndefined();
  expect(await world.sessions.find(session)).toBeDefined();
  expect(fork.platformKey).toBe(world.platformKey);
  const keyOf = (where: string) => readFileSync(path.join(where, 'secret.key'), 'utf8');
  expect(keyOf(directory)).not.toContain(keyOf(world.dataDirectory).trim());
});

test('a copy that fails leaves nothing', async () => {
  const root = temporaryDirectory();
  const world = await openDemo(path.join(root, 'one'));
  const target = path.join(root, 'copies', 'a');
  const fails = copyWorld(world, target, {
    prepare: () => Promise.reject(new Error('no')),
  });
  await expect(fails).rejects.toThrow('no');
  expect(readdirSync(path.join(root, 'copies'))).toEqual([]);
  await copyWorld(world, target);
  await expect(copyWorld(world, target)).rejects.toBeInstanceOf(CopyTargetError);
  // The world can still be written, and closes.
  await writeEverywhere(world, credentialsOf(world.dataDirectory), 2);
  expect(existsSync(target)).toBe(true);
});
