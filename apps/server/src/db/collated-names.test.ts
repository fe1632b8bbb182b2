import path from 'node:path';
import { collatedName } from '@broadside/core/text';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fillCollatedNames } from './collated-names.ts';
import type { Database } from './database.ts';
import { openDatabase } from './open-database.ts';
import { temporaryDirectory } from './testing/temporary.ts';

const NAMES = ['Sale', 'Éclair', '', 'zoo', 'ZOO', '日本', `"'\\ \u{1F600}`, 'ß', '\u0001', 'é'.repeat(255)];
const ROWS = 25;
let database: Database;

beforeEach(async () => {
  database = await openDatabase(path.join(temporaryDirectory(), 'ads.db'));
  await database.applyMigration([
    {
      sql: `CREATE TABLE "first" ("id" text PRIMARY KEY, "name" text NOT NULL, "name_collated" text DEFAULT '' NOT NULL)`,
    },
    { sql: `CREATE TABLE "second" ("name" text NOT NULL, "name_collated" text DEFAULT '' NOT NULL)` },
    { sql: 'CREATE TABLE "other" ("name" text NOT NULL)' },
  ]);
  await database.write(async (writer) => {
    for (let row = 0; row < ROWS; row++) {
      const name = NAMES[row % NAMES.length] ?? '';
      await writer.run('INSERT INTO "first" ("id", "name") VALUES (?, ?)', [`i${row}`, name]);
      await writer.run('INSERT INTO "second" ("rowid", "name") VALUES (?, ?)', [BigInt(row * 1000 - 5000), name]);
      await writer.run('INSERT INTO "other" VALUES (?)', [name]);
    }
  });
});
afterEach(() => database.close());

async function expectFilled(): Promise<void> {
  for (const table of ['first', 'second']) {
    const rows = await database.query(`SELECT "name", "name_collated" FROM "${table}"`);
    expect(rows).toHaveLength(ROWS);
    expect(rows.map(([, collated]) => collated)).toEqual(rows.map(([name]) => collatedName(String(name))));
  }
}

test('every name of every table with the column is filled, in portions', async () => {
  const portions: string[] = [];
  await fillCollatedNames(database, (step) => portions.push(step), 10);
  await expectFilled();
  expect(portions).toHaveLength(6);
});

test.each([1, 2, 4])('one that was interrupted at portion %i goes on there', async (at) => {
  const write = database.write.bind(database);
  const writes = vi.spyOn(database, 'write');
  for (let portion = 0; portion < at; portion++) writes.mockImplementationOnce(write);
  writes.mockImplementationOnce(() => Promise.reject(new Error('killed')));
  await expect(fillCollatedNames(database, () => {}, 10)).rejects.toThrow('killed');
  const portions: string[] = [];
  await fillCollatedNames(database, (step) => portions.push(step), 10);
  expect(portions).toHaveLength(6 - at);
  await expectFilled();
  await fillCollatedNames(database, () => expect.fail('there is nothing left'), 10);
});

test('two at once write the same', async () => {
  await Promise.all([fillCollatedNames(database, () => {}, 3), fillCollatedNames(database, () => {}, 4)]);
  await expectFilled();
});
