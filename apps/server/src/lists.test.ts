/** Every list of the contract, held against a model of it, and the plans of its statements. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getTableName } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Arg, Database, Reader, Row } from './db/database.ts';
import { cursorOf, orderOf } from './db/keyset.ts';
import { keepListCounts } from './db/list-counts.ts';
import { listIndexNames } from './db/list-indexes.ts';
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
  takesOne,
} from './db/testing/list-cases.ts';
import { entities } from './families.ts';
import { packageFile } from './package-file.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'broadside-lists-'));
let database: Database;
/** Explains plans: an EXPLAIN can leave its connection with an old state of the store. */
let explaining: Database;

beforeAll(async () => {
  database = await openDatabase(path.join(directory, 'ads.db'));
  await migrate(database, packageFile('drizzle/ads'), new Date(0));
  await keepListCounts(database, entities.all);
  explaining = await openDatabase(path.join(directory, 'ads.db'));
});
afterAll(async () => {
  await explaining.close();
  await database.close();
  rmSync(directory, { recursive: true, force: true });
});

const cases = listCases();
/** Statements of these bounds take every way with few rows. */
const SMALL = { few: 2, portion: 4 };

/** Stores rows instead of those that were there. @returns those that have room */
async function fill<R extends { readonly id: string }>({ entity }: ListCase, rows: readonly R[]): Promise<R[]> {
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
  const stored = new Set((await database.query(`SELECT "id" FROM "${getTableName(table)}"`)).map(([id]) => id));
  expect(stored.size).toBeGreaterThan(0);
  return rows.filter(({ id }) => stored.has(id));
}

/** The plans of statements that a query runs, as the database describes them. */
class Planner implements Reader {
  readonly plans: { readonly text: string; readonly details: readonly string[] }[] = [];

  async query(text: string, args: readonly Arg[] = []): Promise<readonly Row[]> {
    const plan = await explaining.query(`EXPLAIN QUERY PLAN ${text}`, args);
    // A page for which the cursor leaves no class reads nothing.
    if (!text.includes(' WHERE 0')) this.plans.push({ text, details: plan.map((row) => String(row[3])) });
    return database.query(text, args);
  }

  read(text: string, args?: readonly Arg[]): Promise<readonly Row[]> {
    return this.query(text, args);
  }
}

async function plansOf({ entity }: ListCase, params: Readonly<Record<string, unknown>>): Promise<Planner['plans']> {
  const planner = new Planner();
  const query = pageQuery(params, { count: 2, with_total_count: params['cursor'] === undefined });
  await entity.queries.page(planner, 'a', query as never);
  return planner.plans;
}

/** Each filter of a list alone, with a value. */
function filtersOf({
  entity: { filters, table },
}: ListCase): readonly (readonly [name: string, way: string, given: unknown])[] {
  return Object.entries(filters).flatMap(([name, filter]) => {
    const { by, values } = filter(name);
    if (!by || by.way === 'drafts') return [];
    // Lists of one group are found by it, and by no other filter.
    const { groups, orders } = listIndexNames(table);
    if (orders.size === 0 && by.column.name !== 'id' && !groups.has(by.column.name)) return [];
    const given = by.way === 'prefix' ? 'sale' : takesOne(filter(name)) ? 'v1' : ['v1', 'v2'];
    return [[name, values ? by.way : 'prefix', given] as const];
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
          const rows = await fill(one, made);
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
      { numRuns: 20 },
    );
  });

  /** Orders of lists of one group are those of its rows, which are sorted. */
  const orders = listIndexNames(table).orders.size > 0 ? one.orders : ['created_at-asc', 'created_at-desc'];

  test.for(orders)('reads pages by %s from an index, whatever they leave out', async (order) => {
    const [row] = fc.sample(rowsOf(one.entity, 2), 1)[0] ?? [];
    if (listIndexNames(table).orders.size === 0) return;
    const cursor = cursorOf(orderOf(table, [order]), row ?? {});
    for (const shown of [{}, { with_deleted: true }, { with_draft: true }, { with_deleted: true, with_draft: true }]) {
      for (const position of [{}, { cursor }]) {
        for (const { text, details } of await plansOf(one, { ...shown, ...position, sort_by: [order] })) {
          expect(details.join('\n'), text).not.toMatch(/TEMP B-TREE|\bSCAN\b/);
          expect(details.join('\n'), text).toMatch(/SEARCH .* \(account_id=\?/);
        }
      }
    }
  });

  const isGrouped = listIndexNames(table).orders.size === 0;

  if (isGrouped)
    test('sorts no more rows of a group at once than a statement may', async () => {
      const planner = new Planner();
      const groups = listIndexNames(table).groups;
      let large = 0;
      await fc.assert(
        fc.asyncProperty(rowsOf(one.entity, 80), paramsOf(one), async (made, asked) => {
          const params = { ...asked, with_deleted: true };
          const given = Object.entries(one.entity.filters).filter(([name]) => Object(params)[name] !== undefined);
          const columns = given.flatMap(([name, filter]) => filter(name).by?.column.name ?? []);
          if (columns.includes('id') || !columns.some((name) => groups.has(name))) return;
          const stored = await fill(one, made);
          planner.plans.length = 0;
          await queries.page(planner, 'a', pageQuery(params, { with_total_count: true }) as never);
          const groupOnly = given.filter(([name, filter]) => groups.has(filter(name).by?.column.name ?? ''));
          const held = expectedRows(one, stored, {
            with_deleted: true,
            ...Object.fromEntries(groupOnly.map(([name]) => [name, Object(params)[name]])),
          });
          if (held.length <= 2 * SMALL.portion) return;
          large++;
          const sorting = planner.plans.filter(({ details }) => details.join().includes('TEMP B-TREE FOR ORDER BY'));
          expect(sorting.map(({ text }) => text)).toEqual([]);
        }),
        { numRuns: 60 },
      );
      expect(large).toBeGreaterThan(0);
    });

  test.for(filtersOf(one))('finds the rows of %s by an index', async ([name, way, given]) => {
    const isUnique = way === 'values' && /^(id|card_uri)$/.test(one.entity.filters[name]?.(name).by?.column.name ?? '');
    for (const order of ['created_at-desc', ...one.orders.slice(0, 1)]) {
      for (const { text, details } of await plansOf(one, { [name]: given, with_deleted: true, sort_by: [order] })) {
        const plan = details.filter(
          (line) => !/VIRTUAL TABLE|SCAN (whole|heads|strands|wanted|given|[a-z_]+)$/.test(line),
        );
        // A table is only ever searched, by more than the account.
        expect(plan.join('\n'), text).not.toMatch(new RegExp(`SCAN ${getTableName(table)} USING`));
        for (const line of plan.filter((text) => text.includes('(account_id=?'))) {
          expect(line, text).toMatch(/account_id=\? AND /);
        }
        if (way === 'values' && !isUnique && order === 'created_at-desc') {
          expect(plan.join('\n'), text).not.toMatch(/TEMP B-TREE FOR .*ORDER BY/);
        }
      }
    }
  });
});
