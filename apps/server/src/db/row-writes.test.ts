/** Writes of single rows cost no more than they must. */
import path from 'node:path';
import { getTableColumns } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';
import { entities } from '../families.ts';
import { packageFile } from '../package-file.ts';
import { lineItem } from '../resources/line-items/find.ts';
import { lineItems } from '../resources/line-items/table.ts';
import type { Writer } from './database.ts';
import { keepListCounts } from './list-counts.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { temporaryDirectory } from './testing/temporary.ts';

/** The statements that a write of a row runs. */
async function textsOf(write: (writer: Writer) => unknown): Promise<readonly string[]> {
  const texts: string[] = [];
  const change = (text: string) => {
    texts.push(text);
    return 1;
  };
  await write({ change } as never);
  return texts;
}

test('no write of a single row makes copies of pages, with which it could be undone halfway', async () => {
  const database = await openDatabase(path.join(temporaryDirectory(), 'ads.db'));
  await migrate(database, packageFile('drizzle/ads'), new Date(0));
  await keepListCounts(database, entities.all);
  for (const { queries, table } of entities.all) {
    const names = Object.keys(getTableColumns<SQLiteTable>(table));
    const row = Object.fromEntries(names.map((name) => [name, null])) as never;
    const [insert = '', update = ''] = [
      ...(await textsOf((writer) => queries.insert(writer, row))),
      ...(await textsOf((writer) => queries.update(writer, row))),
    ];
    for (const text of [insert, update]) {
      const args = Array.from({ length: text.split('?').length - 1 }, () => null);
      // SQLite copies pages where a statement of several parts has one that can end it with ABORT (2), and calls of functions can.
      for (const [, opcode, , second] of await database.query(`EXPLAIN ${text}`, args)) {
        expect(opcode, text).not.toMatch(/^(Pure)?Function$/);
        if (String(opcode).startsWith('Halt')) expect(second, text).not.toBe(2n);
      }
    }
  }
  await database.close();
});

test('an update writes the columns that differ, and in ever new combinations all of them', async () => {
  const names = Object.keys(getTableColumns(lineItems)).filter((name) => name !== 'account_id' && name !== 'id');
  const before = { account_id: 'a', id: 'b', ...Object.fromEntries(names.map((name) => [name, null])) };
  const update = async (changed: readonly string[]) => {
    const row = { ...before, ...Object.fromEntries(changed.map((name) => [name, 0])) };
    const [text] = await textsOf((writer) => lineItem.queries.update(writer, row as never, before as never));
    return text;
  };
  expect(await update([])).toBeUndefined();
  expect(await update(['updated_at'])).toMatch(/ SET "updated_at" = \? WHERE /);
  const texts = new Set<string | undefined>();
  for (let mask = 1; mask < 1000; mask++) texts.add(await update(names.filter((_, i) => mask & (1 << i))));
  expect(texts.size).toBeLessThan(120);
});
