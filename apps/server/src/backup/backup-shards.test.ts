/** Backups of a platform whose accounts are on shards: each account is restored exactly once, whatever was written meanwhile. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { rejectWithAny } from '@broadside/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { check } from '../check/index.ts';
import { copyWorld } from '../copies/copy-world.ts';
import { openDatabase } from '../db/open-database.ts';
import { World } from '../open-world.ts';
import { createAudience } from '../resources/custom-audiences/writes.ts';
import { fileOf } from '../world/store-locations.ts';
import { createOffline, restore, verify } from './index.ts';
import { openPlace } from './open-place.ts';
import { backUp } from './testing/backed-up.ts';

const root = mkdtempSync(path.join(tmpdir(), 'broadside-backup-shards-'));
const dataDirectory = path.join(root, 'data');
const names = ['east', 'west'] as const;
const BROADSIDE_ADS_SHARDS = names.map((name) => `${name}=file:${path.join(root, `${name}.db`)}`).join(',');
const actor = { user_id: null, platform: 'SERVER' } as const;
let world: World;
let user_id = '';

beforeAll(async () => {
  world = await open();
  const { id } = await world.identity.users.create(actor, { screen_name: 'ada', name: 'Ada', password: null });
  user_id = id;
});

afterAll(async () => {
  await world.close();
  rmSync(root, { recursive: true, force: true });
});

function open(): Promise<World> {
  const production = names.map((name) => ({ name, url: `file:${path.join(root, `${name}.db`)}` }));
  return World.open({ dataDirectory, shards: { production } });
}

function call(at: string, directory = 'data', env: Record<string, string> = {}) {
  return { env, dataDirectory: path.join(root, directory), at: path.join(root, at), onProgress: () => {} };
}

/** Makes an account with an audience. */
async function addAccount(): Promise<string> {
  const ads = world.ads.production;
  const { id } = await ads.createAccount(actor, {
    name: 'A',
    business_name: null,
    timezone: 'UTC',
    user_id,
    features: [],
  });
  await ads.account(id).write(actor, (writer) => createAudience(rejectWithAny, writer, { name: 'People' }));
  return id;
}

/** The numbers of records of accounts, and of their audiences, in all stores of a restored directory. */
async function restored(directory: string): Promise<{ records: Map<string, number>; audiences: Map<string, number> }> {
  const found = { records: new Map<string, number>(), audiences: new Map<string, number>() };
  const count = (of: Map<string, number>, id: unknown) => of.set(String(id), (of.get(String(id)) ?? 0) + 1);
  for (const name of names) {
    const store = await openDatabase(path.join(root, directory, 'shards', 'production', `${name}.db`));
    for (const [id] of await store.query('SELECT id FROM accounts')) count(found.records, id);
    for (const [id] of await store.query('SELECT account_id FROM custom_audiences')) count(found.audiences, id);
    await store.close();
  }
  return found;
}

test('a backup that is made under writes is restored with each account once, and with all that was acknowledged before', async () => {
  const before = new Set([await addAccount(), await addAccount(), await addAccount()]);
  let isOver = false;
  const writer = async () => {
    while (!isOver) {
      await addAccount();
      await nextTurn();
    }
  };
  const writers = [writer(), writer(), writer()];
  const place = openPlace(path.join(root, 'backups'), undefined);
  for (let i = 0; i < 5; i += 1) before.add(await addAccount());
  await backUp(world, place);
  isOver = true;
  await Promise.all(writers);
  expect((await verify(call('backups'), undefined)).problems).toEqual([]);
  const { settings } = await restore(call('backups', 'restored'), { id: undefined, withoutKeys: true });
  const { records, audiences } = await restored('restored');
  expect([...before].filter((id) => records.get(id) !== 1 || audiences.get(id) !== 1)).toEqual([]);
  expect([...records.values()].filter((number) => number !== 1)).toEqual([]);
  expect(
    await check({ env: settings, dataDirectory: path.join(root, 'restored'), repair: false, isServed: false }),
  ).toEqual([]);
});

test('forks of a world with shards are rejected in one line', async () => {
  await expect(copyWorld(world, path.join(root, 'fork'))).rejects.toThrow(
    'Accounts of production are on shards, so this world cannot be copied.',
  );
});

describe('of a platform that no server has open', () => {
  beforeAll(async () => {
    await world.close();
  });

  afterAll(async () => {
    world = await open();
  });

  const order = { worlds: false, snapshots: false, keep: undefined };

  test('a backup has its shards, and is restored only where the settings lead to them', async () => {
    const made = await createOffline(call('offline', 'data', { BROADSIDE_ADS_SHARDS }), order);
    const [{ counts } = { counts: {} }] = made.manifest.worlds;
    expect(counts).toMatchObject({ 'production/east.accounts': expect.any(Number) });
    const one = { id: undefined, withoutKeys: true };
    await expect(restore(call('offline', 'again', { BROADSIDE_ADS_SHARDS }), one)).rejects.toThrow(
      `BROADSIDE_ADS_SHARDS leads to other stores than those that are restored: set it to east=file:${path.join(root, 'again')}/shards/production/east.db,west=file:`,
    );
    const { settings } = await restore(call('offline', 'again'), one);
    expect(
      await check({ env: settings, dataDirectory: path.join(root, 'again'), repair: false, isServed: false }),
    ).toEqual([]);
  });

  test('a backup without one of its shards is not made', async () => {
    await expect(createOffline(call('lacking', 'data'), order)).rejects.toThrow(
      /^Accounts of production are on the shard (east|west), whose file is not there to be backed up: correct \1 in BROADSIDE_ADS_SHARDS\.$/,
    );
    const env = { BROADSIDE_ADS_SHARDS: 'east=libsql://east.example.com' };
    await expect(createOffline(call('lacking', 'data', env), order)).rejects.toThrow(
      'The shard production/east is not in the data directory. Start the server and have it make the backup.',
    );
  });

  test('an account that two stores have is what a verification names', async () => {
    const directory = await openDatabase(path.join(dataDirectory, fileOf('production')));
    const [row] = await directory.query("SELECT account_id FROM account_shards WHERE shard = 'east' LIMIT 1");
    await directory.close();
    const west = await openDatabase(path.join(root, 'west.db'));
    const add = "INSERT INTO account_shards (account_id, shard) VALUES (?, 'west')";
    await west.applyMigration([{ sql: add, args: [String(row?.[0])] }]);
    await west.close();
    await createOffline(call('twice', 'data', { BROADSIDE_ADS_SHARDS }), order);
    expect((await verify(call('twice'), undefined)).problems).toEqual([
      `The account ${String(row?.[0])} of production in west, accounts: it says that it has an account that is on the shard east.`,
    ]);
  });
});
