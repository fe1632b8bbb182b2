/** Accounts that are moved: whole on exactly one store, whatever is written meanwhile and wherever the move ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SLICE } from '../../db/account-copy.ts';
import { accountTables } from '../../db/account-rows.ts';
import type { Database } from '../../db/database.ts';
import { CommitUnknownError, StoreUnreachableError } from '../../db/errors.ts';
import { findWrongCounts } from '../../db/list-counts.ts';
import { entities } from '../../families.ts';
import { World } from '../../open-world.ts';
import { asUnavailable } from '../../pipeline/unavailable.ts';
import { campaign as campaigns } from '../../resources/campaigns/find.ts';
import type { AccountStore } from '../account-store.ts';
import { endLeftMoves, type MoveStep, moveAccount, moveSteps } from './account-move.ts';
import { MoveRights } from './move-rights.ts';
import { placeIn } from './places.ts';
import { AccountMovingError, type DirectoryStores } from './routed-database.ts';
import type { Shards } from './shards.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'broadside-moves-'));
const actor = { user_id: '7', platform: 'API_OTHER' } as const;
const terms = { name: 'A', business_name: null, timezone: 'UTC', user_id: '7', features: [] } as const;
let world: World;

function open(): Promise<World> {
  const shards = ['east', 'west'].map((name) => ({ name, url: path.join(directory, `${name}.db`) }));
  return World.open({ dataDirectory: path.join(directory, 'data'), shards: { production: shards } });
}

beforeAll(async () => {
  world = await open();
});

afterAll(async () => {
  await world.close();
  rmSync(directory, { recursive: true, force: true });
});

function shards(): Shards {
  const found = world.ads.production.shards;
  if (!found) throw new TypeError('there are shards');
  return found;
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

/** An account with rows in each table that has rows of accounts. */
async function filled(shard: string, rows = 2): Promise<AccountStore> {
  const { id } = await world.ads.production.createAccount(actor, { ...terms, shard });
  const database = shards().database(shard);
  for (const { name } of await accountTables(database)) {
    if (name === 'accounts') continue;
    const columns = await database.query(`SELECT "name", "type", "pk" FROM pragma_table_info('${name}')`);
    const own = columns.filter(([column]) => !(name === 'change_log' && column === 'seq'));
    const sql = `INSERT INTO "${name}" (${own.map(([column]) => `"${String(column)}"`)}) VALUES (${own.map(() => '?')})`;
    await database.write(async (writer) => {
      for (let i = 0; i < rows; i += 1) {
        const value = ([column, type]: (typeof own)[number]) => {
          if (column === 'account_id') return id;
          return String(type).toLowerCase() === 'integer' ? 1_000_000 + i : `${String(column)} ${i}`;
        };
        void writer.change(sql, own.map(value));
      }
    });
  }
  return world.ads.production.account(id);
}

/** All rows of an account in a store; those of the log by their order. */
async function rowsIn(shard: string, account_id: string): Promise<Record<string, unknown[]>> {
  const database = shards().database(shard);
  const found: Record<string, unknown[]> = {};
  for (const { name, columns, key, where } of await accountTables(database)) {
    const list = columns.filter((column) => !(name === 'change_log' && column === 'seq'));
    const sql = `SELECT ${list.map((column) => `"${column}"`)} FROM "${name}" WHERE ${where} ORDER BY ${key.map((column) => `"${column}"`)}`;
    const rows = await database.query(sql, [account_id]);
    if (rows.length > 0) found[name] = rows.map((row) => JSON.stringify(row, text));
  }
  return found;
}

function text(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

const stores = ['', 'east', 'west'];

/** Verifies that an account is on a store, with some rows, and that no other one has any, nor any trace of a move. */
async function expectWhole(account_id: string, shard: string, rows: Record<string, unknown[]>): Promise<void> {
  expect(await shards().places.ask(account_id)).toMatchObject({ shard, closed: false });
  expect(await rowsIn(shard, account_id)).toEqual(rows);
  for (const name of stores) {
    const database = shards().database(name);
    if (name !== shard) {
      const { accounts: copy, ...left } = await rowsIn(name, account_id);
      expect(left).toEqual({});
      expect(copy).toEqual(name === '' ? rows.accounts : undefined);
    }
    expect(await traces(database)).toEqual([]);
    const wrong = await findWrongCounts(database, entities.all);
    expect(wrong.filter((one) => one.account_id === account_id)).toEqual([]);
  }
}

async function traces(database: Database): Promise<readonly unknown[]> {
  return [
    ...(await database.query(
      `SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%\\_moved\\_%' ESCAPE '\\'`,
    )),
    ...(await database.query('SELECT list FROM moved_changes')),
    ...(await database.query('SELECT kind FROM account_work WHERE until_s > 0')),
  ];
}

/** Lets the time pass after which somebody else goes on with what was left. */
async function endLeft(): Promise<void> {
  const { directory: store } = shards();
  // The sweep of the world may have taken it over at this moment.
  while ((await store.query('SELECT 1 FROM account_work LIMIT 1')).length > 0) {
    await store.write((writer) => writer.run('UPDATE account_work SET until_s = 1'));
    await world.ads.production.endLeftWork();
  }
}

describe('an account that is moved', () => {
  test.each([
    ['east', 'west', 2 * SLICE],
    ['', 'east', 2],
    ['west', '', 2],
  ])('has all that it had (%s to %s), and nothing is left behind', async (source, target, rows) => {
    const account = await filled(source, rows);
    const { account_id } = account;
    await account.write(actor, (writer) => writer.of(campaigns).insert(campaign('one')));
    await world.ads.production.updateAccount(actor, account_id, () => ({ name: 'Renamed' }));
    const before = await rowsIn(source, account_id);
    await shards().moves.begin({ account_id, source, target }).closed_ms;
    expect(await account.of(campaigns).every({})).toHaveLength(1);
    await endLeft();
    await expectWhole(account_id, target, before);
    expect(await world.ads.production.open(account_id, '7')).toMatchObject({ record: { name: 'Renamed' } });
    await account.write(actor, (writer) => writer.of(campaigns).insert(campaign('two')));
    expect(await account.of(campaigns).every({})).toHaveLength(2);
    // And back again.
    const now = await rowsIn(target, account_id);
    await shards().moves.begin({ account_id, source: target, target: source }).closed_ms;
    await endLeft();
    await expectWhole(account_id, source, now);
  });
});

/** Steps around the one that decides, which are others where the directory is one of the stores. */
const isDecided = new Set<MoveStep>(['COMPLETED', 'OPENED']);

describe('a move that ends', () => {
  test.each(moveSteps)('after %s leaves the account whole on one store', async (at) => {
    const ways = [
      ['east', 'west'],
      ...(isDecided.has(at)
        ? [
            ['', 'west'],
            ['west', ''],
          ]
        : []),
    ];
    for (const [source = '', target = ''] of ways) {
      const { account_id } = await filled(source);
      const before = await rowsIn(source, account_id);
      const reached = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      const stalled = shards().moves.begin({ account_id, source, target }, async (step) => {
        if (step !== at) return;
        reached.resolve();
        await goOn.promise;
      });
      const isThere = ['OPENED', 'RELEASED'].includes(at);
      try {
        await Promise.race([reached.promise, stalled.closed_ms]);
        await endLeft();
        await expectWhole(account_id, isThere ? target : source, before);
      } finally {
        goOn.resolve();
      }
      // Whoever was only stopped changes nothing any more.
      await stalled.closed_ms.catch(() => {});
      await expectWhole(account_id, isThere ? target : source, before);
    }
  });
});

/** The stores, with another way to write one of them, by default that of the directory. */
function withWrites(write: (real: Database) => Database['write'], shard = ''): DirectoryStores {
  const real = shards();
  const changed = new Proxy(real.database(shard), {
    get(store, name) {
      if (name === 'write') return write(store);
      const member: unknown = Reflect.get(store, name, store);
      return typeof member === 'function' ? member.bind(store) : member;
    },
  });
  return {
    directory: shard === '' ? changed : real.directory,
    places: real.places,
    database: (name) => (name === shard ? changed : real.database(name)),
  };
}

const elapsed = () => performance.now();

test('a move that was found left, and has been undone and begun again since, is ended as it is then', async () => {
  const { account_id } = await filled('east');
  const before = await rowsIn('east', account_id);
  const move = { account_id, source: 'east', target: 'west' };
  const reached = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const stalled = shards().moves.begin(move, async (step) => {
    if (step !== 'COPIED') return;
    reached.resolve();
    await goOn.promise;
  });
  await Promise.race([reached.promise, stalled.closed_ms]);
  const { directory: store } = shards();
  const expire = () => store.write((writer) => writer.run('UPDATE account_work SET until_s = 1'));
  await expire();
  let isFound = false;
  const slow = withWrites((real) => async (body) => {
    if (!isFound) {
      isFound = true;
      await endLeft();
      await moveAccount(shards(), move, { elapsed });
      await expire();
    }
    return real.write(body);
  });
  try {
    await endLeftMoves(slow, elapsed);
    expect(isFound).toBe(true);
    await endLeft();
    await expectWhole(account_id, 'west', before);
  } finally {
    goOn.resolve();
  }
  await stalled.closed_ms.catch(() => {});
  await expectWhole(account_id, 'west', before);
});

test('a move whose last COMMIT got no answer waits until that is stored or not', async () => {
  const { account_id } = await filled('east');
  const before = await rowsIn('east', account_id);
  let isLost = false;
  const stores = withWrites((real) => (body) => {
    if (!isLost) return real.write(body);
    isLost = false;
    // It is stored a while after nobody waits for it any more.
    void real.write(async (writer) => {
      const result = await body(writer);
      await new Promise((resolve) => setTimeout(resolve, 100));
      return result;
    });
    return Promise.reject(new CommitUnknownError(new Error('no answer')));
  });
  const onStep = (step: MoveStep) => {
    isLost = step === 'COMPLETED';
  };
  await moveAccount(stores, { account_id, source: 'east', target: 'west' }, { onStep, elapsed });
  await endLeft();
  await expectWhole(account_id, 'west', before);
});

test('a move that ends between the directory and the target is ended, and the target opens the account', async () => {
  const { account_id } = await filled('east');
  const before = await rowsIn('east', account_id);
  let isLast = false;
  const places: unknown[] = [];
  const stores = withWrites(
    (real) => (body) =>
      real.write(async (writer) => {
        const result = await body(writer);
        if (!isLast) return result;
        places.push(await shards().places.ask(account_id), await placeIn(real, account_id));
        throw new Error('the process ends');
      }),
    'west',
  );
  const onStep = (step: MoveStep) => {
    isLast = step === 'COMPLETED';
  };
  const move = { account_id, source: 'east', target: 'west' };
  const stopped = () => (isLast ? new Error('the process ends') : undefined);
  await expect(moveAccount(stores, move, { onStep, elapsed, stopped })).rejects.toThrow('the process ends');
  // Whoever knew the account there from before cannot write it yet.
  expect(places.slice(0, 2)).toMatchObject([{ shard: 'west', closed: false }, undefined]);
  await endLeft();
  await expectWhole(account_id, 'west', before);
});

test('a move that loses a store while the account is closed opens it as soon as that is back', async () => {
  const account = await filled('east');
  const { account_id } = account;
  let failures = 0;
  let left = 0;
  const stores = withWrites(
    (real) => (body) => {
      if (left === 0) return real.write(body);
      left -= 1;
      failures += 1;
      return Promise.reject(new StoreUnreachableError('east', 'it is away', false));
    },
    'west',
  );
  const onStep = (step: MoveStep) => {
    // What is asked for to end the move fails, too.
    if (step === 'CLOSED') left = 3;
  };
  await account.write(actor, (writer) => writer.of(campaigns).insert(campaign('before')));
  const before = await rowsIn('east', account_id);
  const move = { account_id, source: 'east', target: 'west' };
  await expect(moveAccount(stores, move, { onStep, elapsed })).rejects.toThrow('away');
  expect(failures).toBe(3);
  await expectWhole(account_id, 'east', before);
  await account.write(actor, (writer) => writer.of(campaigns).insert(campaign('after')));
});

test.each([
  ['is busy', false],
  ['does not answer its COMMIT', true],
])('other accounts of the target do not wait for a directory that %s', async (_what, isSent) => {
  const { account_id } = await filled('east');
  const other = await filled('west');
  const before = await rowsIn('east', account_id);
  const asked = Promise.withResolvers<void>();
  const back = Promise.withResolvers<void>();
  let isAway = false;
  const wait = async () => {
    asked.resolve();
    await back.promise;
  };
  const stores = withWrites((real) => async (body) => {
    if (!isAway) return real.write(body);
    if (!isSent) await wait();
    return real.write(async (writer) => {
      const result = await body(writer);
      if (isSent) await wait();
      return result;
    });
  });
  const onStep = (step: MoveStep) => {
    isAway = step === 'COMPLETED';
  };
  const move = { account_id, source: 'east', target: 'west' };
  const moved = moveAccount(stores, move, { onStep, elapsed });
  try {
    await Promise.race([asked.promise, moved]);
    await other.write(actor, (writer) => writer.of(campaigns).insert(campaign('meanwhile')));
  } finally {
    isAway = false;
    back.resolve();
  }
  // Where it was busy, the account was opened, and closed again later.
  await moved;
  await endLeft();
  await expectWhole(account_id, 'west', before);
});

test('an account counts as closed from when the move has the lock of the store', async () => {
  const { account_id } = await filled('east');
  let now = 0;
  let closings = 0;
  let isBusy = false;
  // The store is busy with writes of others for a minute before it is closed.
  const stores = withWrites(
    (real) => (body) =>
      real.write(async (writer) => {
        if (isBusy) now += 60_000;
        return body(writer);
      }),
    'east',
  );
  const onStep = (step: MoveStep) => {
    isBusy = step === 'CAUGHT_UP';
    if (step === 'CLOSED') closings += 1;
  };
  const move = { account_id, source: 'east', target: 'west' };
  expect(await moveAccount(stores, move, { onStep, elapsed: () => now })).toBe(0);
  expect([closings, now]).toEqual([1, 60_000]);
  await endLeft();
});

test('how far a move is never goes back', async () => {
  const { account_id } = await filled('east');
  const rights = await MoveRights.begin(shards(), { account_id, source: 'east', target: 'west' });
  await rights.note('COPYING');
  await rights.note('MOVED');
  await expect(rights.note('COPYING')).rejects.toThrow(account_id);
  expect(await rights.noted()).toBe('MOVED');
  await rights.end();
});

test('takes no writes while it is closed, and says so; it stays where it was if that takes long, until it is closed again', async () => {
  const account = await filled('east');
  const add = () => account.write(actor, (writer) => writer.of(campaigns).insert(campaign('x')));
  const steps: MoveStep[] = [];
  let refused: unknown;
  const { account_id } = account;
  await shards().moves.begin({ account_id, source: 'east', target: 'west' }, async (step) => {
    steps.push(step);
    if (step !== 'COMPLETED' || refused !== undefined) return;
    expect(await account.of(campaigns).every({})).toHaveLength(0);
    // It waits for longer than the account may be closed for.
    refused = await add().catch((error: unknown) => error);
  }).closed_ms;
  expect(refused).toBeInstanceOf(AccountMovingError);
  expect(steps.filter((step) => step === 'COMPLETED' || step === 'OPENED')).toEqual([
    'COMPLETED',
    'COMPLETED',
    'OPENED',
  ]);
  await add();
  expect(await account.of(campaigns).every({})).toHaveLength(1);
  await endLeft();
});

test('keeps each write that was acknowledged, once, in the order of the log', async () => {
  const writers = await Promise.all(['east', 'west'].map((shard) => filled(shard)));
  const windows: number[] = [];
  let isOver = false;
  const added = new Map<string, Set<string>>();
  const renamed = new Set<string>();
  const load = writers.flatMap((account, at) => {
    const own = new Set<string>();
    added.set(account.account_id, own);
    return [0, 1, 2].map(async (worker) => {
      for (let i = 0; !isOver; i += 1) {
        const name = `w${at}.${worker} ${i}`;
        const row = await account.write(actor, (writer) => writer.of(campaigns).insert(campaign(name)));
        own.add(name);
        if (i % 3 !== 0) continue;
        const after = await account.write(actor, (writer) => writer.of(campaigns).update(row, { name: `${name}!` }));
        renamed.add(name);
        if (i % 2 === 0) await account.write(actor, (writer) => writer.of(campaigns).delete(after));
      }
    });
  });
  try {
    for (const round of [0, 1]) {
      await Promise.all(
        writers.map(async ({ account_id }, i) => {
          const [source = '', target = ''] = (i + round) % 2 === 0 ? ['east', 'west'] : ['west', 'east'];
          windows.push(await shards().moves.begin({ account_id, source, target }).closed_ms);
        }),
      );
      await endLeft();
    }
  } finally {
    isOver = true;
    await Promise.all(load);
  }
  for (const [i, { account_id }] of writers.entries()) {
    const shard = i === 0 ? 'east' : 'west';
    const rows = await rowsIn(shard, account_id);
    await expectWhole(account_id, shard, rows);
    // The rows themselves, deleted ones too.
    const sql = "SELECT name FROM campaigns WHERE account_id = ? AND name LIKE 'w%'";
    const own = (await shards().database(shard).query(sql, [account_id])).map(([name]) => String(name));
    const last = [...(added.get(account_id) ?? [])].map((name) => (renamed.has(name) ? `${name}!` : name));
    expect(own.toSorted()).toEqual(last.toSorted());
    const log = await shards()
      .database(shard)
      .query(
        "SELECT entity_data ->> 'name' FROM change_log WHERE account_id = ? AND change_type = 'CREATE' AND entity = 'CAMPAIGN' ORDER BY seq",
        [account_id],
      );
    const names = log.map(([name]) => String(name));
    expect(names.toSorted()).toEqual([...(added.get(account_id) ?? [])].toSorted());
  }
  console.info(`closed for ${windows.map((ms) => ms.toFixed(1)).join(', ')} ms`);
});

// The last one, since nothing is moved after it.
test('is given up where the server ends, which the operator is told with 503', async () => {
  const { account_id } = await filled('east');
  const before = await rowsIn('east', account_id);
  const { closed_ms } = shards().moves.begin({ account_id, source: 'east', target: 'west' }, (step) => {
    if (step === 'WATCHED') void shards().moves.stop();
  });
  const error = await closed_ms.catch((reason: unknown) => asUnavailable(reason));
  expect(error).toMatchObject({ status: 503 });
  await endLeft();
  await expectWhole(account_id, 'east', before);
});
