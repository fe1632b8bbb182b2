/** A store on a server that is filled from a file: the same in each respect, and known to be. */
import path from 'node:path';
import { sqldMissing, startSqld } from '@broadside/test-servers/sqld';
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from './database.ts';
import { Filling, fillingOf, TakenFillingError, UsedStoreError } from './filling.ts';
import { compareStore, countRows, loadStore } from './load-store.ts';
import { openDatabase } from './open-database.ts';
import { startSqlServer } from './testing/sql-server.ts';
import { temporaryDirectory } from './testing/temporary.ts';

const made = [
  'CREATE TABLE counts (list TEXT PRIMARY KEY, size INTEGER NOT NULL) WITHOUT ROWID',
  'CREATE TABLE noted (seq INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT)',
  'CREATE TABLE plain (id TEXT PRIMARY KEY, "order" REAL, bytes BLOB, owner TEXT)',
  'CREATE INDEX plain_order ON plain ("order")',
  "CREATE TRIGGER counted AFTER INSERT ON plain BEGIN INSERT INTO counts VALUES ('plain', 1) ON CONFLICT (list) DO UPDATE SET size = size + 1; END",
  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1100) INSERT INTO plain SELECT 'id ' || (i * 7919 % 1100), i / 4.0, randomblob(i % 5), NULL FROM n",
  "INSERT INTO noted (seq, text) VALUES (-3, 'first'), (5, NULL), (9007199254740993, 'large'), (900, 'last')",
  'DELETE FROM noted WHERE seq = 9007199254740993',
  'UPDATE plain SET bytes = zeroblob(400000) WHERE rowid <= 10',
];

async function sourceFile(): Promise<string> {
  const file = path.join(temporaryDirectory(), 'source.db');
  const source = await openDatabase(file);
  await source.applyMigration(made.map((sql) => ({ sql })));
  await source.close();
  return file;
}

async function emptyStore(): Promise<Database> {
  const server = await startSqlServer({ path: path.join(temporaryDirectory(), 'store.db') });
  onTestFinished(() => server.close());
  return opened(server.url);
}

async function opened(url: string): Promise<Database> {
  const database = await openDatabase(url, { isToBeFilled: true });
  onTestFinished(() => database.close());
  return database;
}

const dump = (database: Database) =>
  Promise.all(
    [
      "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite%' ORDER BY type, name",
      'SELECT * FROM counts',
      'SELECT * FROM noted ORDER BY seq',
      'SELECT rowid, id, "order", typeof("order"), hex(substr(bytes, 1, 5)), length(bytes) FROM plain ORDER BY rowid',
      'SELECT name, seq FROM sqlite_sequence',
    ].map((sql) => database.query(sql)),
  );

async function expectFilled(database: Database): Promise<void> {
  const file = await sourceFile();
  const filling = await Filling.begin(database, 'token');
  let rows = 0;
  const count = (some: number) => {
    rows += some;
  };
  await loadStore(file, filling, count);
  expect(rows).toBe(await countRows(file));
  expect(await compareStore(file, database, count)).toBeUndefined();
  await filling.end();
  expect(rows).toBe(2 * (await countRows(file)));
  const source = await openDatabase(file);
  onTestFinished(() => source.close());
  expect(await dump(database)).toEqual(await dump(source));
}

test('it has the tables, rows, row numbers, sequences, indexes and triggers of the file', async () => {
  await expectFilled(await emptyStore());
});

test.skipIf(sqldMissing())('likewise on sqld', async () => {
  const server = await startSqld({ directory: temporaryDirectory() });
  onTestFinished(() => server.close());
  await expectFilled(await opened(server.url));
});

test.each([
  ["UPDATE plain SET bytes = x'00' WHERE id = 'id 7'", 'has other rows in plain'],
  ['UPDATE plain SET "order" = 1 WHERE rowid = 1100', 'has other rows in plain'],
  ["DELETE FROM noted WHERE text = 'last'", 'has other rows in noted'],
  ["INSERT INTO counts VALUES ('z', 1)", 'has further rows in counts'],
  ["UPDATE sqlite_sequence SET seq = 901 WHERE name = 'noted'", 'has other sequences'],
  ['DROP INDEX plain_order', 'lacks CREATE INDEX plain_order ON plain ("order")'],
])('what differs is said: %s', async (change, difference) => {
  const [file, database] = [await sourceFile(), await emptyStore()];
  await loadStore(file, await Filling.begin(database, 'token'), () => {});
  await database.applyMigration([{ sql: change }]);
  expect(await compareStore(file, database, () => {})).toBe(difference);
});

test('a store with anything in it is not filled, and one whose filling was cut off is emptied first', async () => {
  const database = await emptyStore();
  await database.applyMigration([{ sql: 'CREATE TABLE kept (id TEXT)' }]);
  await expect(Filling.begin(database, 'first')).rejects.toThrow(UsedStoreError);
  expect(await fillingOf(database)).toBeUndefined();
  await database.applyMigration([{ sql: 'DROP TABLE kept' }]);
  const first = await Filling.begin(database, 'first');
  await first.run([{ sql: 'CREATE TABLE half (id TEXT)' }]);
  const second = await Filling.begin(database, 'second');
  expect(await database.query("SELECT name FROM sqlite_master WHERE name = 'half'")).toEqual([]);
  await expect(first.run([{ sql: 'CREATE TABLE late (id TEXT)' }])).rejects.toThrow(TakenFillingError);
  expect(await Filling.release(database, 'first')).toBe(false);
  await second.run([{ sql: 'CREATE TABLE whole (id TEXT)' }]);
  expect(await Filling.release(database, 'second')).toBe(true);
  expect(await database.query('SELECT name FROM sqlite_master')).toEqual([['whole']]);
});
