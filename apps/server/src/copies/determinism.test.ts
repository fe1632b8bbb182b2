/** Worlds with a seed: the same calls at the same time make the same world, whatever it went through in between. */
import { cpSync } from 'node:fs';
import path from 'node:path';
import { rejectWithAny } from '@broadside/core';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { ensureDemo } from '../demo/demo.ts';
import { World } from '../open-world.ts';
import { createFundingInstrument } from '../resources/funding-instruments/find.ts';
import { ManualClock } from '../world/clock.ts';
import { copyClosedWorld, copyWorld } from './copy-world.ts';
import { renewCredentials } from './renew-credentials.ts';
import { besideCredentials, rowsOf } from './testing/contents.ts';

const ACTOR = { user_id: null, platform: 'SERVER' } as const;
const NOW = Date.UTC(2026, 10, 21, 12);
const urls = { api: 'http://api.test', ads: 'http://ads.test', sandbox: 'http://sandbox.test' };
const card = { type: 'CREDIT_CARD', currency: 'USD', start_time: '2026-01-01T00:00:00Z' } as const;

async function open(dataDirectory: string, seed = 'seven'): Promise<World> {
  const world = await World.open({ dataDirectory, seed, clock: new ManualClock(NOW) });
  onTestFinished(() => world.close());
  return world;
}

async function begin(dataDirectory: string, seed?: string): Promise<World> {
  const world = await open(dataDirectory, seed);
  await ensureDemo(world, urls, { advertisement: true });
  await step(world, 'first');
  return world;
}

/** Writes of many kinds, of which some fail, with their answers. */
async function step(world: World, name: string): Promise<unknown> {
  const user = await world.identity.users.create(ACTOR, { screen_name: name, name, password: 'password' });
  const made: unknown[] = [user, world.snowflakes.next(), Buffer.from(world.random.bytes(5)).toString('hex')];
  const blob = await world.media.receive(Buffer.from(name));
  made.push(blob.blob_key);
  await world.media.discard(blob);
  await world.jobs.runDue();
  const account = await world.ads.sandbox.createAccount(ACTOR, {
    name,
    business_name: name,
    timezone: 'Etc/UTC',
    user_id: user.id,
    features: [],
  });
  const store = world.ads.sandbox.account(account.id);
  made.push(account);
  for (const count of [1, 20, 3]) {
    made.push(
      await store.write(ACTOR, async (writer) => {
        const cards = [];
        for (let i = 0; i < count; i++) cards.push(await createFundingInstrument(rejectWithAny, writer, card, `${i}`));
        return cards;
      }),
    );
    const fails = store.write(ACTOR, async (writer) => {
      await createFundingInstrument(rejectWithAny, writer, card, 'none');
      throw new Error('rejected');
    });
    await expect(fails).rejects.toThrow('rejected');
  }
  return made;
}

/** All rows, but for credentials and what the machine decides. */
async function contentsOf(directory: string): Promise<Record<string, string[]>> {
  return besideCredentials(await rowsOf(directory));
}

test('equal seeds, calls and times make equal worlds, after copies and restarts too', async () => {
  const root = temporaryDirectory();
  const at = (name: string) => path.join(root, name);
  const one = await begin(at('one'));
  await copyWorld(one, at('fork'), {
    prepare: async (directory) => {
      await renewCredentials(directory, { prefix: 'wfork123' });
    },
  });
  await copyWorld(one, at('snapshot'));
  await copyClosedWorld(at('snapshot'), at('restored'));
  const answers = await step(one, 'second');
  await one.close();
  const contents = await contentsOf(at('one'));
  expect(Object.values(contents).flat().length).toBeGreaterThan(400);

  // Made again, and closed in between.
  const again = await begin(at('again'));
  await again.close();
  for (const name of ['again', 'fork', 'restored']) {
    const world = await open(at(name));
    expect(await step(world, 'second'), name).toEqual(answers);
    await world.close();
    expect(await contentsOf(at(name)), name).toEqual(contents);
  }
});

test('another seed makes another world, and the same one no equal secrets', async () => {
  const root = temporaryDirectory();
  const worlds = await Promise.all(
    ['a', 'a', 'b'].map(async (seed, i) => {
      const world = await open(path.join(root, String(i)), seed);
      const user = await world.identity.users.create(ACTOR, {
        screen_name: 'anna',
        name: 'Anna',
        password: 'password',
      });
      const app = await world.identity.apps.create(ACTOR, {
        name: 'App',
        description: '',
        owner_user_id: user.id,
        callback_urls: [],
        sign_in_enabled: false,
        oob_enabled: true,
        access_level: 'write',
      });
      return { user, app };
    }),
  );
  const [first, second, third] = worlds;
  expect(second?.user).toEqual(first?.user);
  expect(second?.app.id).toBe(first?.app.id);
  expect(second?.app.consumer_key).not.toBe(first?.app.consumer_key);
  expect(second?.app.consumer_secret).not.toBe(first?.app.consumer_secret);
  expect(third?.user.id).not.toBe(first?.user.id);
});

test('no id comes twice after a crash, also where the clock stands still', async () => {
  const root = temporaryDirectory();
  const seen = new Set<string>();
  let directory = path.join(root, 'life0');
  for (let life = 1; life < 6; life++) {
    const world = await open(directory);
    const user = await world.identity.users.create(ACTOR, { screen_name: `u${life}`, name: 'U', password: 'password' });
    const account = await world.ads.sandbox.createAccount(ACTOR, {
      name: 'A',
      business_name: 'A',
      timezone: 'Etc/UTC',
      user_id: user.id,
      features: [],
    });
    const made = [user.id, account.id, Buffer.from(world.random.bytes(8)).toString('hex')];
    for (let i = 0; i < 300; i++) made.push(world.snowflakes.next());
    for (const id of made) {
      expect(seen.has(id)).toBe(false);
      seen.add(id);
    }
    const funding = await world.ads.sandbox.account(account.id).write(ACTOR, async (writer) => {
      const cards = [];
      for (let i = 0; i < 40; i++) cards.push(await createFundingInstrument(rejectWithAny, writer, card, `${i}`));
      return cards.map(({ id }) => id);
    });
    for (const id of funding) {
      expect(seen.has(id)).toBe(false);
      seen.add(id);
    }
    // What a killed process leaves: the files as they are while it runs.
    const next = path.join(root, `life${life}`);
    cpSync(directory, next, { recursive: true, filter: (file) => !/lock\.db|-shm$/.test(file) });
    directory = next;
  }
});
