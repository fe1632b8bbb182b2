/** What is wrong with accounts on shards: planted, found, and repaired where that is promised. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rejectWithAny } from '@broadside/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../db/open-database.ts';
import { World } from '../open-world.ts';
import { createAudience } from '../resources/custom-audiences/writes.ts';
import { fileOf } from '../world/store-locations.ts';
import { check } from './index.ts';

const root = mkdtempSync(path.join(tmpdir(), 'broadside-check-shards-'));
const dataDirectory = path.join(root, 'data');
const [east, west] = [path.join(root, 'east.db'), path.join(root, 'west.db')];
const directory = path.join(dataDirectory, fileOf('production'));
const setting = `east=file:${east},west=file:${west}`;
const actor = { user_id: null, platform: 'SERVER' } as const;
const env = (shards = setting) => ({ BROADSIDE_ADS_SHARDS: shards });
/** One account in the directory's store, four in the east and four in the west. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  const shards = ['east', 'west'].map((name) => ({ name, url: `file:${path.join(root, `${name}.db`)}` }));
  const before = await World.open({ dataDirectory });
  const { id: user_id } = await before.identity.users.create(actor, {
    screen_name: 'ada',
    name: 'Ada',
    password: null,
  });
  const terms = { name: 'A', business_name: null, timezone: 'UTC', user_id, features: [] } as const;
  ids['here'] = (await before.ads.production.createAccount(actor, terms)).id;
  await before.close();
  const world = await World.open({ dataDirectory, shards: { production: shards } });
  for (const shard of ['east', 'west']) {
    for (let i = 0; i < 4; i += 1) {
      const { id } = await world.ads.production.createAccount(actor, { ...terms, shard });
      ids[`${shard}${i}`] = id;
      const params = { name: `Audience ${i}` };
      await world.ads.production.account(id).write(actor, (writer) => createAudience(rejectWithAny, writer, params));
    }
  }
  await world.close();
}, 60_000);

afterAll(() => rmSync(root, { recursive: true, force: true }));

function run(options: { repair?: boolean; shards?: string; isServed?: boolean } = {}) {
  const { repair = false, isServed = false, shards } = options;
  return check({ env: env(shards), dataDirectory, repair, isServed });
}

async function change(file: string, ...sql: string[]): Promise<void> {
  const database = await openDatabase(file);
  await database.applyMigration(sql.map((text) => ({ sql: text })));
  await database.close();
}

/** Copies the audiences of an account into another store, as they would be left there. */
async function leave(to: string, from: string, id: string | undefined): Promise<void> {
  const copied = await openDatabase(from);
  const columns = (await copied.query("SELECT name FROM pragma_table_info('custom_audiences')")).map(
    ([name]) => `"${name}"`,
  );
  const rows = await copied.query(`SELECT ${columns.join()} FROM custom_audiences WHERE account_id = ?`, [id ?? '']);
  await copied.close();
  const target = await openDatabase(to);
  const marks = columns.map(() => '?').join();
  const sql = `INSERT INTO custom_audiences (${columns.join()}) VALUES (${marks})`;
  await target.applyMigration(
    rows.map((row) => ({
      sql,
      args: row.map((value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value)),
    })),
  );
  await target.close();
}

test('nothing is wrong with accounts that were used in an orderly way, served or not', async () => {
  expect(await run()).toEqual([]);
  expect(await run({ isServed: true })).toEqual([]);
});

test('a shard that is missing, damaged, swapped or left out is the finding', async () => {
  const said = async (shards: string) =>
    (await run({ shards })).map(({ store, table, id, what }) => `${store} ${table} ${id}: ${what}`);
  expect(await said(`east=file:${path.join(root, 'gone.db')},west=file:${west}`)).toEqual([
    'production/east gone.db -: the file is missing',
  ]);
  expect(await said(`east=file:${west},west=file:${east}`)).toEqual([
    'production/east west.db -: it is the store of production/west',
    'production/west east.db -: it is the store of production/east',
  ]);
  expect(await said(`west=file:${west}`)).toEqual(
    [0, 1, 2, 3]
      .map((i) => ids[`east${i}`])
      .toSorted()
      .map((id) => `production account_shards ${id}: it is on the shard east, which BROADSIDE_ADS_SHARDS lacks`),
  );
  expect(await said(`${setting},new=file:${path.join(root, 'new.db')}`)).toEqual([]);
  await expect(run({ shards: 'east=libsql://127.0.0.1:1' })).rejects.toThrow(
    '(east in BROADSIDE_ADS_SHARDS) cannot be opened',
  );
});

test('accounts that are in two stores, in none, closed or unknown are found, and repaired where it is safe', async () => {
  const { east0, east1, east2, east3, west0, west1, west2, west3 } = ids;
  await leave(west, east, east0);
  await change(east, `DELETE FROM account_shards WHERE account_id = '${east1}'`);
  await change(west, `UPDATE accounts SET name = 'Other' WHERE id = '${west0}'`);
  await change(west, `UPDATE account_shards SET closed = 1 WHERE account_id = '${west1}'`);
  await change(west, `DELETE FROM accounts WHERE id = '${west2}'`);
  // Two stores say that they have it.
  await leave(west, east, east2);
  await change(west, `INSERT INTO account_shards (account_id, shard) VALUES ('${east2}', 'west')`);
  // Nobody but the shard has it.
  await change(
    directory,
    ...['accounts WHERE id', 'account_shards WHERE account_id', 'account_access WHERE account_id'].map(
      (rows) => `DELETE FROM ${rows} = '${east3}'`,
    ),
    `INSERT INTO account_shards (account_id, shard) VALUES ('nobody', 'west')`,
    `INSERT INTO account_work (account_id, kind, source, target, state, token, until_s) VALUES ('${west3}', 'MOVE', 'west', 'east', '', '', 0)`,
  );
  // It is being moved.
  await leave(east, west, west3);

  const said = (found: Awaited<ReturnType<typeof run>>) =>
    found
      .filter(({ table }) => table !== 'change_log')
      .map(({ store, table, id, what, repaired }) => `${store} ${table} ${id}: ${what}${repaired ? ' (repaired)' : ''}`)
      .toSorted();
  const byHand = [
    `production/east accounts ${east3}: the directory knows no such account`,
    `production/west accounts ${east2}: 1 rows belong to an account that is on the shard east`,
    `production/west accounts ${west2}: the directory says that it is on this shard, which does not have it`,
  ];
  const repaired = [
    `production account_shards nobody: it says where an account is that does not exist`,
    `production accounts ${west0}: the copy of its record differs from that of the shard west`,
    `production/east account_shards ${east1}: the shard does not say that the account is on it, so nothing of it can be changed`,
    `production/west account_shards ${west1}: it is closed for a move that nobody makes, so nothing of it can be changed`,
    `production/west accounts ${east0}: 1 rows belong to an account that is on the shard east`,
  ];
  expect(said(await run())).toEqual([...byHand, ...repaired].toSorted());
  expect(said(await run({ repair: true }))).toEqual(
    [...byHand, ...repaired.map((line) => `${line} (repaired)`)].toSorted(),
  );
  expect(said(await run())).toEqual(byHand.toSorted());
});
