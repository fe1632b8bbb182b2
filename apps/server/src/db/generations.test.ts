import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Database } from './database.ts';
import { Generations, isStable, listSlot, rowSlot, scopeSlot, tableSlot } from './generations.ts';
import { openNativeClient } from './native-client.ts';
import { temporaryDirectory } from './testing/temporary.ts';

const slots = {
  table: tableSlot('t'),
  scope: scopeSlot('t', 'a1'),
  list: listSlot('t', 'a1'),
  row: rowSlot('t', 'a1', 'x'),
  otherRow: rowSlot('t', 'a1', 'y'),
  otherScope: scopeSlot('t', 'a2'),
  otherTable: tableSlot('u'),
};
type Name = keyof typeof slots;

let database: Database;
afterEach(async () => {
  await database.close();
});

async function open(): Promise<Database> {
  database = new Database(openNativeClient({ path: join(temporaryDirectory(), 'store.db') }));
  await database.applyMigration([{ sql: 'CREATE TABLE t (a)' }, { sql: 'CREATE TABLE u (a CHECK (a <> 0))' }]);
  return database;
}

/** Runs a write, and gives the names of the slots that it changed. */
async function changedBy(write: () => Promise<unknown>): Promise<string[]> {
  const { generations } = database;
  const names = Object.keys(slots) as Name[];
  const before = names.map((name) => generations.read(slots[name]));
  await write().catch(() => {});
  expect(names.filter((name) => !isStable(generations.read(slots[name])))).toEqual([]);
  return names.filter((name, i) => generations.read(slots[name]) !== before[i]);
}

it('slots of different things are different ones', async () => {
  await open();
  expect(new Set(Object.values(slots)).size).toBe(Object.keys(slots).length);
});

describe('the slots that a write touches', () => {
  it('are those of the row and of its lists, where the caller names the row', async () => {
    await open();
    const write = () => database.write((tx) => tx.run('INSERT INTO t VALUES (1)', [], { scope: 'a1', id: 'x' }));
    expect(await changedBy(write)).toEqual(['list', 'row']);
  });

  it('are those of the scope and of its lists, where the caller names the scope', async () => {
    await open();
    const write = () => database.write((tx) => tx.run('INSERT INTO t VALUES (1)', [], { scope: 'a1' }));
    expect(await changedBy(write)).toEqual(['scope', 'list']);
  });

  it.each([
    'INSERT INTO t VALUES (1)',
    'INSERT OR REPLACE INTO main."t" VALUES (1)',
    'REPLACE INTO [T] VALUES (1)',
    'UPDATE t SET a = 1',
    'UPDATE OR IGNORE `t` SET a = 1',
    'DELETE FROM t',
    'WITH n AS (SELECT 1) INSERT INTO t SELECT * FROM n',
  ])('are those of the table for %s', async (sql) => {
    await open();
    expect(await changedBy(() => database.write((tx) => tx.run(sql)))).toEqual(['table']);
    expect(await changedBy(() => database.write((tx) => tx.query(`${sql} RETURNING a`)))).toEqual(['table']);
  });

  it('are all after a change of the schema', async () => {
    await open();
    const all = Object.keys(slots);
    expect(await changedBy(() => database.write((tx) => tx.run('CREATE TABLE v (a)')))).toEqual(all);
    expect(await changedBy(() => database.applyMigration([{ sql: 'DROP TABLE v' }]))).toEqual(all);
  });

  it('are none of a read, and none of a write that was rolled back', async () => {
    await open();
    expect(await changedBy(() => database.write((tx) => tx.query('SELECT * FROM t')))).toEqual([]);
    const failing = () =>
      database.write(async (tx) => {
        await tx.run('DELETE FROM t');
        throw new Error('rolled back');
      });
    expect(await changedBy(failing)).toEqual([]);
  });

  it('are those of a statement that failed in a write that went on', async () => {
    await open();
    const write = () =>
      database.write(async (tx) => {
        await tx.run('INSERT OR FAIL INTO u VALUES (1), (0)').catch(() => {});
      });
    expect(await changedBy(write)).toEqual(['otherTable']);
    expect(await database.query('SELECT count(*) FROM u')).toEqual([[1n]]);
  });
});

describe('during COMMIT', () => {
  /** The generations that a slot has had at each change, and a client that looks at it when COMMIT runs. */
  async function watched(commit: () => void) {
    const client = openNativeClient({ path: join(temporaryDirectory(), 'store.db') });
    await client.execute('CREATE TABLE t (a)');
    const generations = new Generations();
    database = new Database(client, { generations });
    const begin = client.transaction.bind(client);
    client.transaction = async (mode) => {
      const transaction = await begin(mode);
      const original = transaction.commit.bind(transaction);
      transaction.commit = async () => {
        commit();
        await original();
      };
      return transaction;
    };
    return generations;
  }

  it('what a group touches is in flux, and stable again before its callers get their results', async () => {
    const seen: boolean[] = [];
    const generations = await watched(() => seen.push(isStable(generations.read(tableSlot('t')))));
    const write = () => database.write((tx) => tx.run('INSERT INTO t VALUES (1)'));
    const results = Promise.all([write(), write()]);
    await results;
    expect(seen).toEqual([false]);
    expect(generations.read(tableSlot('t'))).toBe(2);
  });

  it('a COMMIT that fails leaves what it touched stable, and outdated', async () => {
    const generations = await watched(() => {
      throw new Error('the disk is full');
    });
    await expect(database.write((tx) => tx.run('DELETE FROM t'))).rejects.toThrow('the disk is full');
    expect(generations.read(tableSlot('t'))).toBe(2);
  });
});

it('counters are shared with whoever has the buffer', async () => {
  await open();
  const writer = new Generations();
  const reader = new Generations(writer.buffer);
  writer.begin([3]);
  expect([reader.read(3), isStable(reader.read(3))]).toEqual([1, false]);
  writer.advanceAll();
  expect(isStable(reader.read(3))).toBe(false);
  writer.end([3]);
  expect([reader.read(3), isStable(reader.read(3))]).toEqual([4, true]);
});

it('slots that share a counter, where there are few, are all in flux until a write of any of them has ended', async () => {
  await open();
  const counters = Generations.few();
  const place = (number: number) => number * 2 ** 18;
  const [one, other, apart] = [place(5) + 1, place(5) + 2, place(6) + 1];
  const states = () => [one, other, apart].map((slot) => counters.read(slot));
  counters.begin([one, other]);
  expect(states()).toEqual([1, 1, 0]);
  counters.end([one, other]);
  expect(states()).toEqual([2, 2, 0]);
  counters.begin([other]);
  expect(states().map(isStable)).toEqual([false, false, true]);
  counters.advanceAll();
  counters.end([other]);
  expect(states()).toEqual([6, 6, 2]);
});

it('few counters are given back when their store is closed, and then everything is in flux', async () => {
  await open();
  const [slot, other] = [rowSlot('t', 'a1', 'x'), tableSlot('t')];
  const closed = Generations.few();
  const beside = Generations.few();
  const before = beside.read(slot);
  closed.begin([slot]);
  closed.advanceAll();
  expect(beside.read(slot)).toBe(before);
  closed.release();
  closed.release();
  closed.advanceAll();
  const [next, another] = [Generations.few(), Generations.few()];
  expect([next, another].map((one) => [one.read(slot), one.read(other)])).toEqual([
    [0, 0],
    [0, 0],
  ]);
  next.begin([slot]);
  expect([another, beside].map((one) => one.read(slot))).toEqual([0, before]);
  expect([slot, other].map((one) => isStable(closed.read(one)))).toEqual([false, false]);
});

it('of few counters a write of one row leaves those of the scope, of tables and of most other rows as they are', async () => {
  await open();
  const few = Generations.few();
  const ids = Array.from({ length: 200 }, (_, i) => `id${i}`);
  const read = () => ids.map((id) => few.read(rowSlot('t', 'a1', id)));
  const before = read();
  const others = [slots.scope, slots.table, slots.otherTable];
  few.begin([slots.row, slots.list]);
  few.end([slots.row, slots.list]);
  expect(others.map((slot) => few.read(slot))).toEqual([0, 0, 0]);
  const changed = read().filter((value, at) => value !== before[at]);
  expect(changed.length).toBeLessThan(20);
  // A write of the whole scope is seen by what depends on it.
  few.begin([slots.scope]);
  expect(isStable(few.read(slots.scope))).toBe(false);
});

it.each([
  ['of many', () => new Generations()],
  ['few', () => Generations.few()],
])('the state of %s counters is another one after each write, and stays as it was read', (_, make) => {
  const generations = make();
  const before = generations.state;
  expect(generations.state).toEqual(before);
  generations.begin([slots.row]);
  generations.end([slots.row]);
  const after = generations.state;
  expect(after).not.toEqual(before);
  generations.advanceAll();
  expect(generations.state).not.toEqual(after);
  generations.release();
});
