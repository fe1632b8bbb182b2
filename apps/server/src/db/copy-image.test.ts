/** A file that is made of what a store on a server holds: the same in each respect. */
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { sqldMissing, startSqld } from '@broadside/test-servers/sqld';
import { expect, onTestFinished, test } from 'vitest';
import { copyImage } from './copy-image.ts';
import type { Database } from './database.ts';
import { openDatabase } from './open-database.ts';
import { startSqlServer } from './testing/sql-server.ts';
import { temporaryDirectory } from './testing/temporary.ts';

const schema = [
  'CREATE TABLE counts (list TEXT PRIMARY KEY, size INTEGER NOT NULL) WITHOUT ROWID',
  'CREATE TABLE pairs (a TEXT NOT NULL COLLATE NOCASE, b INTEGER NOT NULL, PRIMARY KEY (a, b)) WITHOUT ROWID',
  'CREATE TABLE noted (seq INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT)',
  'CREATE TABLE plain (id TEXT PRIMARY KEY, "order" REAL, bytes BLOB)',
  'CREATE INDEX plain_order ON plain ("order")',
  "CREATE TRIGGER counted AFTER INSERT ON plain BEGIN INSERT INTO counts VALUES ('plain', 1) ON CONFLICT (list) DO UPDATE SET size = size + 1; END",
];
const tables = ['counts', 'pairs', 'noted', 'plain', 'sqlite_sequence'];

async function dump(database: Pick<Database, 'query'>): Promise<unknown> {
  const found: Record<string, unknown> = {
    schema: await database.query('SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name'),
  };
  for (const name of tables) {
    // Results of all bytes would be too large for a server.
    const values =
      name === 'plain' ? 'rowid, id, "order", typeof("order"), hex(substr(bytes, 1, 5)), length(bytes)' : '*';
    found[name] = await database.query(`SELECT ${values} FROM ${name} ORDER BY 1, 2`);
  }
  return found;
}

async function filled(url: string): Promise<Database> {
  const database = await openDatabase(url);
  onTestFinished(() => database.close());
  await database.applyMigration(schema.map((sql) => ({ sql })));
  const fill = [
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1100) INSERT INTO plain SELECT 'id ' || (i * 7919 % 1100), i / 4.0, randomblob(i % 5) FROM n",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900) INSERT INTO pairs SELECT CASE i % 3 WHEN 0 THEN 'B' WHEN 1 THEN 'a' ELSE 'é' END, 9007199254740993 + i FROM n",
    "INSERT INTO noted (seq, text) VALUES (-3, 'first'), (5, NULL), (900, 'last')",
    'DELETE FROM noted WHERE seq = 900',
    "DELETE FROM plain WHERE id = 'id 7'",
  ];
  await database.applyMigration(fill.map((sql) => ({ sql })));
  return database;
}

/** @returns the file of the copy, and what it holds */
async function expectCopied(database: Database) {
  const image = await database.remoteImage();
  if (image === undefined) throw new TypeError('the store is on a server');
  onTestFinished(() => image.close());
  await image.begin();
  const held = await dump(database);
  await database.applyMigration([{ sql: "UPDATE plain SET id = 'later ' || id" }, { sql: 'DELETE FROM pairs' }]);
  const file = path.join(temporaryDirectory(), 'copy.db');
  await copyImage(image, file);
  const copy = await openDatabase(file);
  expect(await dump(copy)).toEqual(held);
  await copy.close();
  return { file, held };
}

test('a copy has the tables, rows, row numbers, sequences, indexes and triggers of the moment at which the image began', async () => {
  const server = await startSqlServer({ path: path.join(temporaryDirectory(), 'store.db') });
  onTestFinished(() => server.close());
  await expectCopied(await filled(server.url));
});

test.skipIf(sqldMissing())(
  'sqld holds the image while others write, and slices of rows are smaller where its results would be too large; it takes the copy as its own',
  async () => {
    const server = await startSqld({ directory: temporaryDirectory() });
    onTestFinished(() => server.close());
    const database = await filled(server.url);
    await database.applyMigration([{ sql: 'UPDATE plain SET bytes = zeroblob(400000) WHERE rowid <= 40' }]);
    const { file, held } = await expectCopied(database);
    // As a restored store is given to a server.
    const directory = temporaryDirectory();
    mkdirSync(path.join(directory, 'dbs', 'default'), { recursive: true });
    copyFileSync(file, path.join(directory, 'dbs', 'default', 'data'));
    const again = await startSqld({ directory });
    onTestFinished(() => again.close());
    const given = await openDatabase(again.url);
    onTestFinished(() => given.close());
    expect(await dump(given)).toEqual(held);
  },
);
