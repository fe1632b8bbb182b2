/** A write of several stores: all of it, or nothing, wherever it ends. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stringifyJson } from '@broadside/core';
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { readChanges, writeChanges } from '../db/recording-writer.ts';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { World } from '../open-world.ts';
import { applySeedFile } from '../seed/apply-file.ts';
import { readSeedFile } from '../seed/read-file.ts';
import { ManualClock } from './clock.ts';
import { completeJointWrites } from './joint-write.ts';
import { SeededRandom } from './random.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const example = readFileSync(path.join(import.meta.dirname, '../../../../docs/examples/advertising.yaml'), 'utf8');
/** The same, and an account in production, where there is no funding before the operator gives some. */
const both = `${example}  - name: Harbor Trade\n    environment: production\n    owner: harborbooks\n    custom_audiences: [{ as: dealers, name: Dealers }]\n`;

async function open(dataDirectory = temporaryDirectory()): Promise<World> {
  const world = await World.open({
    dataDirectory,
    clock: new ManualClock(NOW),
    random: new SeededRandom('joint'),
  });
  onTestFinished(() => world.close());
  return world;
}

const seed = (world: World, text: string) => applySeedFile(world, readSeedFile(text, 'seed.yaml'));

/** All rows of all tables of a database, but for what belongs to the process. */
async function contents(database: Database): Promise<Record<string, string>> {
  const tables = await database.query(`SELECT "name" FROM "sqlite_schema" WHERE "type" = 'table' ORDER BY "name"`);
  const all: Record<string, string> = {};
  for (const [name] of tables) {
    if (/^(sqlite_|__|sequences$)/.test(String(name))) continue;
    const rows = await database.query(`SELECT * FROM "${String(name)}"`);
    all[String(name)] = stringifyJson(
      rows.map((row) => row.map((value) => (value instanceof Uint8Array ? '…' : value))),
    );
  }
  return all;
}

/** Has the commit of a store fail from now on, whatever its bodies did. */
function loseWrites(database: Database): void {
  const write = database.write.bind(database);
  database.write = (body, options) =>
    write(async (writer) => {
      await body(writer);
      throw new Error('the power is gone');
    }, options);
}

const stores = (world: World) => [world.ads.production.database, world.ads.sandbox.database];

test.each([
  ['both environments', [0, 1]],
  ['the first environment', [0]],
  ['the second environment', [1]],
])('what the platform has decided is completed with the next start where %s lost it', async (_, lost) => {
  const undisturbed = await open();
  await seed(undisturbed, both);
  const expected = await Promise.all(stores(undisturbed).map(contents));
  expect(expected[0]?.['custom_audiences']).toContain('Dealers');
  expect(expected[1]?.['campaigns']).toContain('Autumn reading');

  const dataDirectory = temporaryDirectory();
  const world = await open(dataDirectory);
  for (const index of lost) loseWrites(stores(world)[index] as Database);
  await expect(seed(world, both)).rejects.toMatchObject({
    name: 'CommitUnknownError',
    cause: { message: 'the power is gone' },
  });
  for (const index of lost) expect((await contents(stores(world)[index] as Database))['accounts']).toBe('[]');
  await world.close();

  const again = await open(dataDirectory);
  expect(await Promise.all(stores(again).map(contents))).toEqual(expected);
  expect((await contents(again.seeds.reader as Database))['joint_writes']).toBe('[]');
  for (const store of stores(again))
    expect(await store.query(`SELECT "name" FROM "sequences" WHERE "name" LIKE 'joint%'`)).toEqual([]);
  expect(await seed(again, both)).toMatchObject({ accounts: { made: 0, kept: 2 } });
});

test('a part is run once where two processes complete it', async () => {
  const world = await open();
  const { database } = world.ads.sandbox;
  const { write } = database;
  loseWrites(database);
  await expect(seed(world, example)).rejects.toMatchObject({ name: 'CommitUnknownError' });
  const platform = world.seeds.reader as Database;
  const joint = [{ name: 'sandbox', database }];
  // Another process completes it, mark and all, between the look at what is left and the write.
  database.write = async (body, options) => {
    database.write = write;
    await completeJointWrites(platform, joint);
    return database.write(body, options);
  };
  await completeJointWrites(platform, joint);
  expect(await database.query('SELECT count(*) FROM "accounts"')).toEqual([[1n]]);
  expect(await database.query(`SELECT "name" FROM "sequences" WHERE "name" LIKE 'joint%'`)).toEqual([]);
});

test('what is rejected inside leaves nothing in any store, and others write on', async () => {
  const world = await open();
  const databases = [world.seeds.reader as Database, ...stores(world)];
  const before = await Promise.all(databases.map(contents));
  await expect(seed(world, `${both}    campaigns: [{ name: A, funding_instrument_id: none }]\n`)).rejects.toThrow(
    'cannot be seeded',
  );
  expect(await Promise.all(databases.map(contents))).toEqual(before);
  expect(await seed(world, both)).toMatchObject({ accounts: { made: 2 } });
});

test('a write that failed inside fails the whole, even where the body goes on', async () => {
  const world = await open();
  const users = (inside: World) =>
    inside.identity.users.create(
      { user_id: null, platform: 'OPERATOR' },
      { screen_name: 'ada', name: 'Ada', password: null },
    );
  const body = async (inside: World) => {
    await users(inside);
    await users(inside).catch(() => {});
  };
  await expect(world.jointly([], body)).rejects.toThrow();
  expect(await world.identity.users.list(1)).toEqual([]);
});

test('readers see nothing before the end, and all of it afterwards', async () => {
  const world = await open();
  const name = { user_id: null, platform: 'OPERATOR' } as const;
  await world.jointly([], async (inside) => {
    await inside.identity.users.create(name, { screen_name: 'ada', name: 'Ada', password: null });
    expect(await inside.identity.users.list(1)).toHaveLength(1);
    expect(await world.identity.users.list(1)).toEqual([]);
    expect(() => inside.audience).toThrow('inside a write');
  });
  expect(await world.identity.users.list(1)).toHaveLength(1);
});

test('statements are read as they were written', () => {
  const args = ['a', 1, 2.5, 2n ** 62n, true, null, Buffer.from([0, 255])];
  expect(readChanges(writeChanges([['INSERT', args]]))).toEqual([['INSERT', args]]);
});

test('what was kept of an account is outdated by a write from inside', async () => {
  const world = await open();
  const actor = { user_id: null, platform: 'OPERATOR' } as const;
  const terms = { name: 'Books', business_name: null, timezone: 'UTC', user_id: '7', features: [] };
  const { id } = await world.ads.sandbox.createAccount(actor, terms);
  const name = async () => (await world.ads.sandbox.open(id, '7'))?.record.name;
  expect(await name()).toBe('Books');
  await world.jointly(['sandbox'], async (inside) => {
    await inside.ads.sandbox.updateAccount(actor, id, () => ({ name: 'More books' }));
    expect(await name()).toBe('Books');
  });
  expect(await name()).toBe('More books');
});
