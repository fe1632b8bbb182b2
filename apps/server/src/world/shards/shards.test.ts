/** Accounts on shards: each whole on one of them, and nothing that works within one store fails over two. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rejectWithAny } from '@broadside/core';
import type { SegmentGroup } from '@broadside/core/resources/custom-audiences';
import { startProxy } from '@broadside/test-servers/proxy';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../db/database.ts';
import { CommitUntoldError } from '../../db/errors.ts';
import { openDatabase } from '../../db/open-database.ts';
import { startSqlServer } from '../../db/testing/sql-server.ts';
import { World } from '../../open-world.ts';
import { asUnavailable } from '../../pipeline/unavailable.ts';
import { Readiness } from '../../readiness.ts';
import { campaign as campaigns } from '../../resources/campaigns/find.ts';
import { revoke, share } from '../../resources/custom-audience-permissions/permissions.ts';
import { customAudience, findUsableAudience, writeUsable } from '../../resources/custom-audiences/find.ts';
import { listShared } from '../../resources/custom-audiences/shared-list.ts';
import { createAudience, runAudienceItem, updateAudience } from '../../resources/custom-audiences/writes.ts';
import { type AccountStore, Rehearsed } from '../account-store.ts';
import type { WorldOptions } from '../world-options.ts';
import { changeRecord } from './account-records.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'broadside-shards-'));
const actor = { user_id: '7', platform: 'API_OTHER' } as const;
const terms = { name: 'A', business_name: null, timezone: 'UTC', user_id: '7', features: [] } as const;
const reject = rejectWithAny;
const east = { name: 'east', url: file('east') };
const west = { name: 'west', url: file('west') };
const production = [east, west];
let world: World;
/** An account of before there were shards. */
let older: AccountStore;

function file(name: string): string {
  return path.join(directory, `${name}.db`);
}

function open(shards: WorldOptions['shards'], data = 'data'): Promise<World> {
  return World.open({ dataDirectory: path.join(directory, data), shards });
}

beforeAll(async () => {
  const before = await open(undefined);
  const { id } = await before.ads.production.createAccount(actor, terms);
  await before.ads.production.account(id).write(actor, (account) => account.of(campaigns).insert(campaign('older')));
  await before.close();
  world = await open({ production });
  older = world.ads.production.account(id);
});

afterAll(async () => {
  await world.close();
  rmSync(directory, { recursive: true, force: true });
});

async function newAccount(shard?: string): Promise<AccountStore> {
  const { id } = await world.ads.production.createAccount(actor, { ...terms, shard });
  return world.ads.production.account(id);
}

function campaign(name: string) {
  return {
    name,
    budget_optimization: 'CAMPAIGN',
    entity_status: 'PAUSED',
    purchase_order_number: null,
    daily_budget_amount_local_micro: null,
    total_budget_amount_local_micro: null,
    funding_instrument_id: 'f1',
    duration_in_days: null,
    standard_delivery: true,
    frequency_cap: null,
    currency: 'USD',
  } as const;
}

function anyOf(custom_audience_id: string): SegmentGroup {
  const terms = { frequency: 1, frequency_comparator: 'NUM_GTE', negate: false } as const;
  return { boolean_operator: 'OR', ...terms, child_segments: [{ custom_audience_id, ...terms, child_segments: [] }] };
}

function store(shard: string): Database {
  const found = world.ads.production.shards?.database(shard);
  if (!found) throw new TypeError('there are shards');
  return found;
}

/** Numbers of rows of an account by table, of a store. */
async function rowsOf(account_id: string, shard: string): Promise<Record<string, number>> {
  const database = store(shard);
  const tables = await database.query(
    "SELECT m.name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS p WHERE m.type = 'table' AND p.name = 'account_id'",
  );
  const found: Record<string, number> = {};
  for (const [name] of tables) {
    const sql = `SELECT count(*) FROM "${String(name)}" WHERE account_id = ? LIMIT 1`;
    const [row] = await database.query(sql, [account_id]);
    if (Number(row?.[0]) > 0) found[String(name)] = Number(row?.[0]);
  }
  return found;
}

describe('an account', () => {
  test('is whole on one shard; the directory has who may use it and where it is', async () => {
    const account = await newAccount('east');
    await account.write(actor, (writer) => writer.of(campaigns).insert(campaign('one')));
    expect(Object.keys(await rowsOf(account.account_id, 'west'))).toEqual([]);
    const here = await rowsOf(account.account_id, 'east');
    expect(here).toMatchObject({ campaigns: 1, account_shards: 1 });
    const known = await rowsOf(account.account_id, '');
    // The log in the directory says who has got access.
    expect(known).toEqual({ account_access: 1, account_shards: 1, change_log: 1 });
  });

  test('goes to the shard with the fewest, and one of before there were shards stays where it is', async () => {
    const placed = new Map<string, number>();
    for (let i = 0; i < 6; i += 1) {
      const { account_id } = await newAccount();
      const { shard } = (await world.ads.production.shards?.places.of(account_id)) ?? { shard: 'none' };
      placed.set(shard, (placed.get(shard) ?? 0) + 1);
    }
    expect([...placed.keys()].toSorted()).toEqual(['east', 'west']);
    await older.write(actor, (writer) => writer.of(campaigns).insert(campaign('newer')));
    expect(await rowsOf(older.account_id, '')).toMatchObject({ campaigns: 2 });
    expect(await older.of(campaigns).every({})).toHaveLength(2);
  });

  test('has a record that the directory finds, and that its shard keeps', async () => {
    const { account_id } = await newAccount('west');
    const ads = world.ads.production;
    await ads.updateAccount(actor, account_id, () => ({ name: 'Renamed' }));
    expect(await ads.record(account_id)).toMatchObject({ name: 'Renamed' });
    expect(await ads.open(account_id, '7')).toMatchObject({ record: { name: 'Renamed' } });
    expect(await ads.account(account_id).record()).toEqual(await ads.record(account_id));
    const log = await store('west').query('SELECT entity FROM change_log WHERE account_id = ?', [account_id]);
    expect(log.filter(([entity]) => entity === 'ACCOUNT')).toHaveLength(2);
    expect(await world.audit.list({ account_id, entity: 'ACCOUNT', count: 10 })).toMatchObject({
      data: [{ change_type: 'UPDATE' }, { change_type: 'CREATE' }],
    });
  });

  test('that is deleted takes no more writes', async () => {
    const account = await newAccount('west');
    await world.ads.production.updateAccount(actor, account.account_id, () => ({ deleted: true }));
    await expect(account.write(actor, (writer) => writer.of(campaigns).insert(campaign('late')))).rejects.toMatchObject(
      {
        issues: [{ error: 'ACCOUNT_DELETED' }],
      },
    );
  });

  test('takes no writes where its store says that it is closed, and is read meanwhile', async () => {
    const account = await newAccount('east');
    const add = () => account.write(actor, (writer) => writer.of(campaigns).insert(campaign('one')));
    await add();
    const close = 'UPDATE account_shards SET closed = ? WHERE account_id = ?';
    await store('east').write((writer) => writer.run(close, [true, account.account_id]));
    expect(asUnavailable(await add().catch((error: unknown) => error))).toMatchObject({
      status: 423,
      issues: [{ error: 'LOCK_ACQUISITION_TIMEOUT' }],
    });
    expect(await account.of(campaigns).every({})).toHaveLength(1);
    await store('east').write((writer) => writer.run(close, [false, account.account_id]));
    await add();
    expect(await account.of(campaigns).every({})).toHaveLength(2);
  });

  test('whose making was cut off is removed from its shard, and a change that was is ended', async () => {
    const ads = world.ads.production;
    const cut = 'cutaccount1';
    const { account_id: changed } = await newAccount('east');
    const renamed = "UPDATE accounts SET name = 'Elsewhere' WHERE id = ?";
    await store('east').write(async (writer) => {
      await writer.run(renamed, [changed]);
      await writer.run("INSERT INTO account_shards (account_id, shard) VALUES (?, 'east')", [cut]);
      await writer.run("INSERT INTO audience_leaves (leaf_id, account_id, custom_audience_id) VALUES ('a', ?, 'b')", [
        cut,
      ]);
    });
    const work =
      'INSERT INTO account_work (account_id, kind, source, target, state, token, until_s) VALUES (?, ?, ?, ?, ?, ?, 0)';
    await store('').write(async (writer) => {
      await writer.run(work, [cut, 'CREATE', '', 'east', '', 'gone']);
      await writer.run(work, [changed, 'CHANGE', '', '', '', 'gone']);
    });
    await ads.endLeftWork();
    expect(await rowsOf(cut, 'east')).toEqual({});
    expect(await ads.record(changed)).toMatchObject({ name: 'Elsewhere' });
    expect(await store('').query('SELECT 1 FROM account_work LIMIT 1')).toEqual([]);
  });
});

describe('a record that changes', () => {
  const left = () => store('').query('SELECT kind FROM account_work WHERE account_id = ?', [changing]);
  let changing = '';
  beforeEach(async () => {
    changing = (await newAccount('east')).account_id;
  });

  test('and could not be copied is told as a write that is stored, and is copied later', async () => {
    const update = world.ads.production.updateAccount(actor, changing, () => {
      vi.spyOn(store(''), 'write').mockRejectedValueOnce(new Error('the directory is away'));
      return { name: 'Renamed' };
    });
    const failed: unknown = await update.catch((error: unknown) => error);
    expect(asUnavailable(failed)).toBeInstanceOf(CommitUntoldError);
    await store('').write((writer) => writer.run('UPDATE account_work SET until_s = 1'));
    await world.ads.production.endLeftWork();
    expect(await left()).toEqual([]);
    const copied = await store('').query('SELECT name FROM accounts WHERE id = ?', [changing]);
    expect(copied).toEqual([['Renamed']]);
  });

  test('leaves no note where the change is rejected', async () => {
    const update = world.ads.production.updateAccount(actor, changing, () => {
      throw new RangeError('no');
    });
    await expect(update).rejects.toThrow(RangeError);
    expect(await left()).toEqual([]);
  });

  test('does so after a change that is under way, whose note is not its own', async () => {
    const { shards } = world.ads.production;
    if (!shards) throw new TypeError('there are shards');
    const tokens = () => store('').query('SELECT token FROM account_work WHERE account_id = ?', [changing]);
    const goOn = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const first = changeRecord(shards, changing, 'first', async () => {
      begun.resolve();
      await goOn.promise;
      return tokens();
    });
    await begun.promise;
    const second = changeRecord(shards, changing, 'second', tokens);
    for (let i = 0; i < 5; i += 1) await new Promise((resolve) => setTimeout(resolve, 20));
    goOn.resolve();
    expect(await Promise.all([first, second])).toEqual([[['first']], [['second']]]);
    expect(await left()).toEqual([]);
  });
});

test('opened accounts are remembered while no work is left', async () => {
  const { account_id } = await newAccount('east');
  const ads = world.ads.production;
  await ads.open(account_id, '7');
  await ads.endLeftWork();
  expect(ads.opened(account_id, '7')).toMatchObject({ record: { id: account_id } });
});

test('ids of entities are unique over the shards', async () => {
  const accounts = [older, await newAccount('east'), await newAccount('west'), await newAccount('west')];
  const made = await Promise.all(
    Array.from({ length: 400 }, (_, i) =>
      accounts[i % 4]?.write(actor, (writer) => writer.of(campaigns).insert(campaign(`c${i}`))),
    ),
  );
  expect(new Set(made.map((row) => row?.id)).size).toBe(400);
});

describe('an audience that is shared with an account on another shard', () => {
  async function shared(permission_level: 'READ_ONLY' | 'READ_WRITE', from = 'east', to = 'west') {
    const owner = from === '' ? older : await newAccount(from);
    const other = to === '' ? older : await newAccount(to);
    for (const { account_id } of [owner, other]) {
      await world.ads.production.updateAccount(actor, account_id, () => ({ business_id: 'b1' }));
    }
    const params = { name: `Audience of ${owner.account_id} for ${other.account_id}` };
    const audience = await owner.write(actor, (writer) => createAudience(reject, writer, params));
    const context = { account: owner, actor };
    const names = {
      audience: 'custom_audience_id',
      permission: 'custom_audience_permission_id',
      missing: 'NOT_FOUND',
    } as const;
    const grant = await share(reject, names, context, audience.id, {
      granted_account_id: other.account_id,
      permission_level,
    });
    const end = () => revoke(reject, names, context, audience.id, grant.id);
    return { owner, other, audience, end };
  }

  test.each([
    ['east', 'west'],
    ['east', 'east'],
    ['', 'west'],
    ['east', ''],
  ])('can be used until that is revoked (%s to %s)', async (from, to) => {
    const { owner, other, audience, end } = await shared('READ_ONLY', from, to);
    expect(await findUsableAudience(other, audience.id)).toMatchObject({
      audience: { id: audience.id },
      is_owner: false,
    });
    const { data } = await listShared(other, { count: 10, with_total_count: false, with_deleted: false });
    expect(data.map(({ id }) => id)).toContain(audience.id);
    const params = {
      name: `Flexible over ${audience.id}`,
      audience_type: 'FLEXIBLE' as const,
      segments: anyOf(audience.id),
    };
    const item = { operation_type: 'Create', params } as const;
    const flexible = await other.write(actor, (writer) => runAudienceItem(reject, writer, item));
    const over = await world.ads.production.audiencesOver(audience.id, owner.account_id);
    expect(over).toEqual([{ account_id: other.account_id, id: flexible.id }]);
    await end();
    expect(await findUsableAudience(other, audience.id)).toBeUndefined();
    expect(await other.shared.wasGranted(audience.id)).toBe(true);
  });

  test.each([
    ['east', 'east'],
    ['east', 'west'],
    ['', 'west'],
    ['east', ''],
  ])('by READ_WRITE is changed by the other, in the store of its owner (%s to %s)', async (from, to) => {
    const { owner, other, audience, end } = await shared('READ_WRITE', from, to);
    const rename = (name: string) =>
      writeUsable(other, actor, audience.id, (writer) =>
        updateAudience(reject, writer, { custom_audience_id: audience.id, name }),
      );
    const name = `New ${audience.id}`;
    expect(await rename(name)).toMatchObject({ name, account_id: owner.account_id });
    expect(await owner.of(customAudience).get(audience.id)).toMatchObject({ name });
    // A name that another audience of the owner has is taken, and nothing is told of that one.
    await owner.write(actor, (writer) => createAudience(reject, writer, { name: `Taken by ${audience.id}` }));
    await expect(rename(`Taken by ${audience.id}`)).rejects.toMatchObject({ issues: [{ error: 'INVALID_PARAMETER' }] });
    const rehearsed = writeUsable(other.rehearsal(), actor, audience.id, (writer) =>
      updateAudience(reject, writer, { custom_audience_id: audience.id, name: 'Never' }),
    );
    await expect(rehearsed).rejects.toThrow(Rehearsed);
    await end();
    await expect(rename('Too late')).rejects.toMatchObject({ issues: [{ error: 'NOT_FOUND' }] });
    expect(await owner.of(customAudience).get(audience.id)).toMatchObject({ name });
  });

  test('by READ_ONLY is not changed by the other, and in a batch by READ_WRITE only where both are on one shard', async () => {
    const read = await shared('READ_ONLY', 'east', 'west');
    const params = { custom_audience_id: read.audience.id, name: 'Other' };
    await expect(
      writeUsable(read.other, actor, read.audience.id, (writer) => updateAudience(reject, writer, params)),
    ).rejects.toMatchObject({ issues: [{ error: 'ACTION_NOT_ALLOWED' }] });
    const inBatch = async (from: string, to: string) => {
      const { other, audience } = await shared('READ_WRITE', from, to);
      const renamed = { custom_audience_id: audience.id, name: `New ${audience.id}` };
      const item = { operation_type: 'Update', params: renamed } as const;
      return other.write(actor, (writer) => runAudienceItem(reject, writer, item));
    };
    expect(await inBatch('west', 'west')).toMatchObject({ name: expect.stringMatching(/^New /) });
    await expect(inBatch('east', 'west')).rejects.toMatchObject({ issues: [{ error: 'ACTION_NOT_ALLOWED' }] });
  });
});

describe('a start', () => {
  const other = path.join(directory, 'other');
  const refusal = async (shards: WorldOptions['shards']) => {
    const opening = World.open({ dataDirectory: other, shards });
    return opening.then(
      async (opened) => {
        await opened.close();
        return 'started';
      },
      (error: unknown) => String(error),
    );
  };
  const a = { name: 'a', url: file('a') };
  const b = { name: 'b', url: file('b') };

  test('is refused in one line where a shard is missing, swapped, of another platform, empty or used for something else', async () => {
    const first = await World.open({ dataDirectory: other, shards: { production: [a, b] } });
    await first.ads.production.createAccount(actor, { ...terms, shard: 'a' });
    await first.close();
    expect(await refusal({ production: [a, b] })).toBe('started');
    expect(await refusal({ production: [b] })).toMatch(
      /shard a of production has 1 accounts and is not in BROADSIDE_ADS_SHARDS: add a=URL/,
    );
    expect(await refusal(undefined)).toMatch(/shard a of production has 1 accounts/);
    expect(
      await refusal({
        production: [
          { ...a, url: b.url },
          { ...b, url: a.url },
        ],
      }),
    ).toMatch(/store of production\/b/);
    expect(await refusal({ production: [a, b, { name: 'c', url: a.url }] })).toMatch(/store of production\/a/);
    expect(await refusal({ production: [a, b], sandbox: [{ name: 's', url: east.url }] })).toMatch(/another platform/);
    expect(await refusal({ production: [{ ...a, url: file('empty') }, b] })).toMatch(
      /empty store, and it had accounts/,
    );
    expect(readdirSync(directory).filter((name) => name.startsWith('empty'))).toEqual([]);
    expect(await refusal({ production: [a, b] })).toBe('started');
  });

  test('brings shards to the schema of this version, also after it was cut off', async () => {
    const once = await openDatabase(file('half'));
    await once.applyMigration([
      {
        sql: 'CREATE TABLE __migrations (tag TEXT PRIMARY KEY NOT NULL, hash TEXT NOT NULL, applied_at INTEGER NOT NULL)',
      },
    ]);
    await once.close();
    expect(await refusal({ production: [a, b, { name: 'half', url: file('half') }] })).toBe('started');
  });
});

test('a shard that is away takes only its accounts down, and is back by itself', { timeout: 60_000 }, async () => {
  const server = await startSqlServer({ path: file('remote') });
  const proxy = await startProxy(Number(new URL(server.url).port));
  const remote = { name: 'remote', url: `http://127.0.0.1:${proxy.port}` };
  const here = { name: 'here', url: file('here') };
  const dataDirectory = path.join(directory, 'away');
  const begin = () => World.open({ dataDirectory, shards: { production: [here, remote] } });
  let one = await begin();
  try {
    const { id: away } = await one.ads.production.createAccount(actor, { ...terms, shard: 'remote' });
    const { id: well } = await one.ads.production.createAccount(actor, { ...terms, shard: 'here' });
    const add = (account_id: string) =>
      one.ads.production.account(account_id).write(actor, (writer) => writer.of(campaigns).insert(campaign('x')));
    await add(away);
    await one.close();
    proxy.delay(60_000);
    // It begins without the shard.
    one = await begin();
    const readiness = new Readiness((work) => work(one));
    expect(await readiness.report()).toEqual({ status: 'ready', stores: ['production/remote'] });
    await add(well);
    expect(await one.ads.production.record(away)).toMatchObject({ id: away });
    const failed = await add(away).catch(asUnavailable);
    expect(failed).toMatchObject({ issues: [{ error: 'SERVICE_UNAVAILABLE' }] });
    const { id } = await one.ads.production.createAccount(actor, terms);
    expect(await one.ads.production.shards?.places.of(id)).toMatchObject({ shard: 'here' });
    proxy.delay(0);
    proxy.cut();
    await expect.poll(async () => (await readiness.report()).stores).toBeUndefined();
    await add(away);
    expect(await one.ads.production.account(away).of(campaigns).every({})).toHaveLength(2);
  } finally {
    await one.close();
    await server.close();
    await proxy.close();
  }
});
