/** Every list of the contract, held against a model of it, and the plans of its statements. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getTableName } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from './db/database.ts';
import { keepListCounts } from './db/list-counts.ts';
import { migrate } from './db/migrate.ts';
import { openDatabase } from './db/open-database.ts';
import {
  expectedRows,
  type ListCase,
  listCases,
  pageQuery,
  paramsOf,
  queriesOf,
  rowsOf,
} from './db/testing/list-cases.ts';
import { entities } from './families.ts';
import { packageFile } from './package-file.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'broadside-lists-'));
let database: Database;

beforeAll(async () => {
  database = await openDatabase(path.join(directory, 'ads.db'));
  await migrate(database, packageFile('drizzle/ads'), new Date(0));
  await keepListCounts(database, entities.all);
});
afterAll(async () => {
  await database.close();
  rmSync(directory, { recursive: true, force: true });
});

const cases = listCases();
/** Statements of these bounds take every way with few rows. */
const SMALL = { few: 2, portion: 3 };

async function fill({ entity }: ListCase, rows: readonly object[]): Promise<void> {
  const { table, queries } = entity;
  await database.write(async (writer) => {
    await writer.run(`DELETE FROM "${getTableName(table)}"`);
    for (const row of rows) {
      // A unique index may keep a row out that the values of another leave no room for.
      try {
        await queries.insert(writer, row as never);
      } catch {}
    }
  });
}

test('the contract has lists of many tables', () => {
  expect(cases.length).toBeGreaterThan(15);
});

describe.for(cases.map((one) => [one.id, one] as const))('%s', ([, one]) => {
  const { table } = one.entity;
  const queries = queriesOf(one.entity, SMALL);

  test('gives the pages and counts of the model', async () => {
    await fc.assert(
      fc.asyncProperty(
        rowsOf(one.entity, 25),
        fc.array(paramsOf(one), { minLength: 3, maxLength: 8 }),
        async (made, asked) => {
          await fill(one, made);
          const stored = new Set((await database.query(`SELECT "id" FROM "${getTableName(table)}"`)).map(([id]) => id));
          const rows = made.filter(({ id }) => stored.has(id));
          for (const params of asked) {
            const expected = expectedRows(one, rows, params).map(({ id }) => id);
            const found: string[] = [];
            let cursor: string | undefined;
            do {
              const query = pageQuery(params, { cursor, with_total_count: cursor === undefined });
              const page = await queries.page(database, 'a', query as never);
              if (page?.total_count !== undefined) expect(page.total_count).toBe(expected.length);
              found.push(...(page?.data ?? []).map(({ id }) => id));
              cursor = page?.next_cursor ?? undefined;
            } while (cursor !== undefined && found.length <= expected.length);
            expect(found, JSON.stringify(params)).toEqual(expected);
            const { count: _, sort_by: __, ...every } = params;
            const inOrder = expectedRows(one, rows, { ...every, sort_by: ['created_at-asc'] });
            const all = await queries.every(database, 'a', every as never);
            expect(all.map(({ id }) => id)).toEqual(inOrder.map(({ id }) => id));
          }
        },
      ),
      { numRuns: 15 },
    );
  });
});
