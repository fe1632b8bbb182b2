/** Pages of many rows that are equal in what they are ordered by, and counts under several conditions: how much a statement does. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entities } from '../families.ts';
import { packageFile } from '../package-file.ts';
import type { Arg, Database, Reader, Row } from './database.ts';
import { keepListCounts } from './list-counts.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { listCases, pageQuery, queriesOf } from './testing/list-cases.ts';

const ROWS = 3000;
const BOUNDS = { few: 16, portion: 64 };

const directory = mkdtempSync(path.join(tmpdir(), 'broadside-ties-'));
let database: Database;

beforeAll(async () => {
  database = await openDatabase(path.join(directory, 'ads.db'));
  await migrate(database, packageFile('drizzle/ads'), new Date(0));
  await keepListCounts(database, entities.all);
  const columns = await database.query(`SELECT name, "notnull", type FROM pragma_table_info('campaigns')`);
  const made: Readonly<Record<string, string>> = {
    account_id: `'a'`,
    id: `'i' || i`,
    seq: 'i',
    created_at: `printf('2026-01-01T%05d', i)`,
    deleted: 'i % 20 = 0',
    entity_status: `'PAUSED'`,
    name: `printf('n%05d', (i * 7919) % ${ROWS})`,
    name_collated: `printf('n%05d', (i * 7919) % ${ROWS})`,
    name_folded: `CASE i % 10 WHEN 3 THEN 'sale ' ELSE 'n' END || i`,
    funding_instrument_id: `'f' || (i % 7)`,
    standard_delivery: 'CASE i % 3 WHEN 0 THEN NULL ELSE i % 3 - 1 END',
    // The few with the greater value are the oldest ones: at the far end of an order by creation.
    total_budget_amount_local_micro: `1 + (i < ${ROWS / 10})`,
    daily_budget_amount_local_micro: 'i % 5',
  };
  const values = columns.map(
    ([name, required, type]) => made[`${name}`] ?? (required === 0n ? 'NULL' : type === 'text' ? `'x'` : '0'),
  );
  await database.write((writer) =>
    writer.run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
      INSERT INTO campaigns (${columns.map(([name]) => `"${name}"`).join()}) SELECT ${values.join()} FROM n`),
  );
});
afterAll(async () => {
  await database.close();
  rmSync(directory, { recursive: true, force: true });
});

/** The most rows that a statement sorts, and that one passes over in an order; the rows that all pass over. */
class Watch implements Reader {
  sorted = 0;
  portion = 0;
  passed = 0;
  /** Rows that were returned with more than their keys. */
  whole = 0;
  readonly texts: string[] = [];

  /** The statements that counted the rows of a condition up to a bound. */
  get counts(): readonly string[] {
    return this.texts.filter((text) => text.startsWith('SELECT count(*) FROM (SELECT 1'));
  }

  async query(text: string, args: readonly Arg[] = []): Promise<readonly Row[]> {
    return this.read(text, args);
  }

  async read(text: string, args: readonly Arg[] = []): Promise<readonly Row[]> {
    this.texts.push(text);
    const plan = await database.query(`EXPLAIN QUERY PLAN ${text}`, args);
    const places = (limit: RegExp) =>
      [...text.matchAll(limit)].map(({ index }) => text.slice(0, index).split('?').length - 1);
    if (plan.some((row) => /TEMP B-TREE/.test(`${row[3]}`))) {
      const all = args.map((arg, place) => (places(/LIMIT \?/g).includes(place) ? -1n : arg));
      this.sorted = Math.max(this.sorted, (await database.query(text, all)).length);
    }
    // A portion is a subquery with a limit of its own.
    else
      for (const place of places(/LIMIT \?\) AS/g)) {
        this.portion = Math.max(this.portion, Number(args[place]));
        this.passed += Number(args[place]);
      }
    const rows = await database.query(text, args);
    if ((rows[0]?.length ?? 0) > 3) this.whole += rows.length;
    return rows;
  }
}

const campaigns = listCases().find(({ id }) => id === 'campaigns.list');
if (!campaigns) throw new TypeError('the contract lists campaigns');
const queries = queriesOf(campaigns.entity, BOUNDS);

const orders = [
  ['standard_delivery-asc', 'name-asc'],
  ['standard_delivery-desc', 'name-asc', 'created_at-desc'],
  ['standard_delivery-desc', 'total_budget_amount_local_micro-asc', 'daily_budget_amount_local_micro-desc'],
  ['total_budget_amount_local_micro-desc', 'created_at-desc'],
  ['total_budget_amount_local_micro-desc', 'standard_delivery-asc'],
  ['deleted-asc', 'standard_delivery-desc', 'name-asc'],
  ['name-asc', 'deleted-desc'],
  ['standard_delivery-asc', 'deleted-asc'],
  ['total_budget_amount_local_micro-desc', 'standard_delivery-desc', 'deleted-desc'],
];

test.for(orders)('no statement sorts more than its bound in the order %s, %s, %s', async (sort_by) => {
  for (const filter of [{}, { q: 'sale' }, { funding_instrument_ids: ['f1', 'f2'], with_deleted: true }]) {
    const watch = new Watch();
    let cursor: string | undefined;
    for (let pages = 0; pages < 3; pages++) {
      const page = await queries.page(watch, 'a', pageQuery({ sort_by, ...filter }, { count: 20, cursor }) as never);
      expect(page?.data).toHaveLength(20);
      cursor = page?.next_cursor ?? undefined;
    }
    expect(watch.sorted, JSON.stringify(filter)).toBeLessThanOrEqual(2 * BOUNDS.portion);
    expect(watch.portion).toBeLessThanOrEqual(BOUNDS.portion);
  }
});

const tied = { sort_by: ['standard_delivery-asc', 'total_budget_amount_local_micro-asc', 'name-asc'] };

test('of rows that are equal in numbers only keys are read until it is known which are wanted, and no condition is counted twice', async () => {
  const watch = new Watch();
  const params = { ...tied, funding_instrument_ids: ['f1', 'f2', 'f3', 'f4', 'f5', 'f6'] };
  const own = queriesOf(campaigns.entity, BOUNDS);
  const page = await own.page(watch, 'a', pageQuery(params, { count: 20 }) as never);
  expect(page?.data).toHaveLength(20);
  expect(watch.whole).toBeLessThanOrEqual(21);
  expect(watch.counts).not.toEqual([]);
  expect(new Set(watch.counts).size).toBe(watch.counts.length);
});

test('that a tie has many rows is found out once for all pages, each value for itself', async () => {
  const own = queriesOf(campaigns.entity, BOUNDS);
  const countsOf = async (direction: string, cursor?: string) => {
    const watch = new Watch();
    const sort_by = [`standard_delivery-${direction}`, 'name-asc'];
    const page = await own.page(watch, 'a', pageQuery({ sort_by }, { count: 20, cursor }) as never);
    expect(page?.data).toHaveLength(20);
    return { counts: watch.counts.length, next: page?.next_cursor ?? undefined };
  };
  const first = await countsOf('asc');
  expect(first.counts).toBe(1);
  expect(await countsOf('asc', first.next)).toMatchObject({ counts: 0 });
  expect(await countsOf('desc')).toMatchObject({ counts: 1 });
});

test('an order whose index tells which rows fulfil the conditions is followed further', async () => {
  const byName = async (params: object) => {
    const watch = new Watch();
    await queriesOf(campaigns.entity, { few: 16, portion: 512 }).page(
      watch,
      'a',
      pageQuery({ sort_by: ['name-asc'], ...params }, { count: 5 }) as never,
    );
    // One count: sorting was considered once, and not with a larger bound.
    return { passed: watch.passed, counts: watch.texts.filter((text) => text.startsWith('SELECT count')).length };
  };
  expect(await byName({ funding_instrument_ids: ['f1', 'f2'] })).toEqual({ passed: 64, counts: 1 });
  expect(await byName({ q: 'n' })).toEqual({ passed: 16, counts: 1 });
});

test('twice as many rows are sorted where an index has all that is looked at', async () => {
  // 285 rows have the greater budget.
  const sort_by = ['total_budget_amount_local_micro-desc', 'name-asc'];
  for (const [few, isSorted] of [
    [150, true],
    [130, false],
  ] as const) {
    const watch = new Watch();
    const page = await queriesOf(campaigns.entity, { few, portion: 512 }).page(
      watch,
      'a',
      pageQuery({ sort_by }, { count: 5 }) as never,
    );
    expect(page?.data).toHaveLength(5);
    expect(watch.passed === 0).toBe(isSorted);
  }
});

test.for([
  ['goes in front of the others', 'i2997', 3n],
  ['joins the tie', undefined, 1n],
] as const)(
  'between the keys and the rows before a tie, a row that %s changes nothing for others',
  async ([, given, budget]) => {
    // Some forty rows with the greater budget are before the tie of those with the other one.
    const asked = { sort_by: ['total_budget_amount_local_micro-desc', 'name-asc'], funding_instrument_ids: ['f1'] };
    const idsOf = async (from: Reader) => {
      const page = await queries.page(from, 'a', pageQuery(asked, { count: 60 }) as never);
      return (page?.data ?? []).map(({ id }) => id);
    };
    const before = await idsOf(new Watch());
    const [[first] = []] = await database.query(
      `SELECT id FROM campaigns WHERE total_budget_amount_local_micro = 2 AND funding_instrument_id = 'f1' AND deleted = 0 ORDER BY name_collated LIMIT 1`,
    );
    const id = given ?? String(first);
    const spend = (amount: bigint) =>
      database.write((writer) =>
        writer.run('UPDATE campaigns SET total_budget_amount_local_micro = ? WHERE id = ?', [amount, id]),
      );
    let written = 0;
    const reader: Reader = {
      query: (text, args) => database.query(text, args),
      read: async (text, args) => {
        const rows = await database.query(text, args);
        const isKeys = /^SELECT "total_budget_amount_local_micro", "seq", ("row"|rowid) /.test(
          text.replaceAll('"campaigns".', ''),
        );
        // The last ones are of the tie.
        if (isKeys && rows.some(([value]) => value === 1n) && written++ === 0) await spend(budget);
        return rows;
      },
    };
    try {
      const found = await idsOf(reader);
      const others = (ids: readonly string[]) => ids.filter((one) => one !== id).slice(0, 55);
      expect(written).toBeGreaterThan(0);
      expect(others(found)).toEqual(others(before));
      expect(new Set(found).size).toBe(found.length);
    } finally {
      await spend(given === undefined ? 2n : 1n);
    }
  },
);

const sales = pageQuery({ q: 'sale 1', funding_instrument_ids: ['f1'], sort_by: ['name-asc'] }, { count: 20 });

test('rows that the order does not lead to soon are sorted before it is followed far', async () => {
  const watch = new Watch();
  // 111 rows begin so, which is more than few; one in 27 of all rows, and of those one in seven.
  const bounds = { few: 32, portion: 64 };
  const page = await queriesOf(campaigns.entity, bounds).page(watch, 'a', sales as never);
  expect(page?.data.length).toBeGreaterThan(10);
  expect(watch.sorted).toBeGreaterThan(10);
  expect(watch.passed).toBeLessThanOrEqual(bounds.few);
});

test('an order that is about to end is followed on, and nothing is counted again', async () => {
  const watch = new Watch();
  // Nine tenths of the rows begin so, and of those five sevenths: some ten of sixteen.
  const params = { q: 'n', funding_instrument_ids: ['f1', 'f2', 'f3', 'f4', 'f5'], sort_by: ['name-asc'] };
  const page = await queries.page(watch, 'a', pageQuery(params, { count: 15 }) as never);
  expect(page?.data).toHaveLength(15);
  expect(watch.sorted).toBe(0);
  // Once for each condition.
  expect(watch.counts).toHaveLength(2);
});

test('of conditions that find few rows, the one with the fewest is sorted by', async () => {
  const watch = new Watch();
  await queriesOf(campaigns.entity, { few: 512, portion: 512 }).page(watch, 'a', sales as never);
  const sorting = watch.texts.flatMap(
    (text) => /SELECT rowid AS "row" FROM .* INDEXED BY "(.*?)"/.exec(text)?.[1] ?? [],
  );
  expect(sorting).toEqual(['campaigns_by_prefix']);
});

test('of rows that are passed over, only the columns of the order and of the conditions are read', async () => {
  const watch = new Watch();
  await queries.page(watch, 'a', pageQuery({ q: 'n', funding_instrument_ids: ['f1'] }, { count: 20 }) as never);
  const portions = watch.texts.flatMap((text) => /\(SELECT (rowid AS "row".*?) FROM/.exec(text)?.[1] ?? []);
  expect(portions).not.toEqual([]);
  for (const columns of portions) expect(columns).not.toContain('purchase_order_number');
  // How many rows have a value is kept.
  expect(watch.texts.filter((text) => /^SELECT count.*\(SELECT 1.*_of_funding_instrument_id/s.test(text))).toEqual([]);
});

test('counts under two conditions pass over the rows of the rarer one, in portions', async () => {
  const watch = new Watch();
  let statements = 0;
  const reader: Reader = {
    query: (text, args) => watch.query(text, args),
    read: (text, args) => {
      statements++;
      return watch.read(text, args);
    },
  };
  const params = { q: 'sale', funding_instrument_ids: ['f3'], with_draft: true };
  const query = pageQuery(params, { count: 1, with_total_count: true });
  const page = await queries.page(reader, 'a', query as never);
  const [row] = await database.query(
    `SELECT count(*) FROM campaigns WHERE name_folded >= 'sale' AND name_folded < 'salf'
      AND funding_instrument_id = 'f3' AND deleted = 0`,
  );
  expect(page?.total_count).toBe(Number(row?.[0]));
  expect(watch.portion).toBeLessThanOrEqual(BOUNDS.portion);
  // A tenth of the rows are sales: two statements for each portion of them, and those that begin it and read the page.
  expect(statements).toBeLessThan(2 * (ROWS / 10 / BOUNDS.portion) + 30);
});
