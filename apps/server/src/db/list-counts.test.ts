/** Counts of lists are those of the rows, whatever is written and whatever of it is undone. */
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entities } from '../families.ts';
import { packageFile } from '../package-file.ts';
import { lineItem } from '../resources/line-items/find.ts';
import type { Database, Writer } from './database.ts';
import { foldName } from './fold-name.ts';
import { keepListCounts } from './list-counts.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { type AnyRow, rowsOf } from './testing/list-cases.ts';
import { temporaryDirectory } from './testing/temporary.ts';

const CLASS = `("deleted" * 4 + "parent_deleted" * 2 + ("entity_status" = 'DRAFT'))`;

async function open(names?: number): Promise<Database> {
  const database = await openDatabase(path.join(temporaryDirectory(), 'ads.db'));
  await migrate(database, packageFile('drizzle/ads'), new Date(0));
  await keepListCounts(database, entities.all, { names });
  return database;
}

/** Compares what is kept with the rows. */
async function verify(database: Database): Promise<void> {
  const by = (of: string, value: string) =>
    `SELECT "account_id", '${of}', ${value}, ${CLASS}, count(*) FROM "line_items" GROUP BY 3, 4`;
  const counted = await database.query(
    [by('', "''"), by('campaign_id', '"campaign_id"'), by('funding_instrument_id', '"funding_instrument_id"')].join(
      ' UNION ALL ',
    ),
  );
  const kept = await database.query(
    `SELECT "account_id", "of", "value", "class", "count" FROM "list_counts" WHERE "list" = 'line_items' AND "count" <> 0`,
  );
  const lines = (rows: readonly (readonly unknown[])[]) => rows.map((row) => row.join()).sort();
  expect(lines(kept)).toEqual(lines(counted));
  const ranges = await database.query(
    `SELECT "class", "first", "last", "count", (SELECT count(*) FROM "line_items" WHERE ${CLASS} = "class"
       AND "name_folded" >= "first" AND "name_folded" <= "last") FROM "list_names" WHERE "list" = 'line_items'
     ORDER BY "class", "first"`,
  );
  const before = new Map<unknown, unknown>();
  for (const [number, first, last, count, found] of ranges) {
    expect(count, `names from ${first} to ${last}`).toBe(found);
    const end = before.get(number);
    if (end !== undefined) expect(Buffer.compare(Buffer.from(String(end)), Buffer.from(String(first)))).toBeLessThan(0);
    before.set(number, last);
  }
  const [all] = await database.query('SELECT count(*) FROM "line_items" WHERE "name_folded" IS NOT NULL');
  expect(ranges.reduce((sum, [, , , count]) => sum + Number(count), 0)).toBe(Number(all?.[0]));
}

type Step = readonly [row: AnyRow, how: 'write' | 'remove' | 'hide' | 'derive'];

async function run(writer: Writer, [row, how]: Step): Promise<void> {
  const { queries } = lineItem;
  const stored = await queries.get(writer, 'a', row.id);
  const whole = { ...stored, ...row } as NonNullable<typeof stored>;
  if (how === 'remove' && stored) await queries.remove(writer, stored);
  else if (how === 'hide') {
    const text = 'UPDATE "line_items" SET "parent_deleted" = 1 WHERE "account_id" = ? AND "campaign_id" = ?';
    await writer.run(text, ['a', whole.campaign_id]);
  } else if (how === 'derive') await writer.run('UPDATE "line_items" SET "updated_at" = ?', ['later']);
  else if (stored) await queries.update(writer, whole);
  else await queries.insert(writer, whole);
}

const rows = rowsOf(lineItem, 12);
const steps: fc.Arbitrary<readonly Step[]> = fc
  .array(fc.tuple(rows, fc.constantFrom('write', 'write', 'write', 'remove', 'hide', 'derive')), { maxLength: 4 })
  .map((groups) => groups.flatMap(([all, how]) => all.map((row): Step => [row, how])));

test('they are kept under batches of writes, of which some are undone', async () => {
  const database = await open(2);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(steps, fc.boolean()), { maxLength: 5 }), async (batches) => {
      await database.write((writer) => writer.run('DELETE FROM "line_items"'));
      const written = batches.map(([batch, fails]) =>
        database.write(async (writer) => {
          for (const step of batch) await run(writer, step);
          if (fails) throw new Error('undone');
        }),
      );
      const outcomes = await Promise.allSettled(written);
      expect(outcomes.map(({ status }) => status)).toEqual(
        batches.map(([, fails]) => (fails ? 'rejected' : 'fulfilled')),
      );
      await verify(database);
    }),
    { numRuns: 30 },
  );
  await database.close();
});

test('names in any order, and the same one again and again, leave no range too large', async () => {
  const database = await open(4);
  const names = ['m', ...Array.from({ length: 40 }, (_, i) => `z${99 - i}`), ...Array(30).fill('same'), 'a', 'zz'];
  const [row] = fc.sample(rows, 1)[0] ?? [];
  await database.write(async (writer) => {
    for (const [index, name] of names.entries()) {
      const fields = {
        ...row,
        id: `n${index}`,
        name,
        name_folded: foldName(name),
        deleted: false,
        parent_deleted: false,
      };
      await lineItem.queries.insert(writer, { ...fields, entity_status: 'ACTIVE' } as never);
    }
  });
  await verify(database);
  const large = await database.query('SELECT "first", "last" FROM "list_names" WHERE "count" > 9');
  expect(large).toEqual([['same', 'same']]);
  await database.close();
});

test('rows that were there before the triggers are counted at start', async () => {
  const database = await open();
  await database.write(async (writer) => {
    for (const row of fc.sample(rowsOf(lineItem, 60), 1)[0] ?? []) await lineItem.queries.insert(writer, row as never);
  });
  // Another version of the triggers, as a later version of the server has.
  await keepListCounts(database, entities.all, { names: 3 });
  await verify(database);
  const triggers = await database.query(
    "SELECT count(*) FROM sqlite_master WHERE tbl_name = 'line_items' AND type = 'trigger'",
  );
  expect(triggers).toEqual([[3n]]);
  await database.close();
});

test('a range of names is split by reading the rows of its class only', async () => {
  const database = await open();
  const triggers = await database.query(
    `SELECT sql FROM sqlite_master WHERE name LIKE '%\\_counted\\_split%' ESCAPE '\\'`,
  );
  expect(triggers.length).toBeGreaterThan(5);
  for (const [text] of triggers) {
    const [, body = ''] = /BEGIN([\s\S]*)END$/.exec(String(text)) ?? [];
    for (const sql of body.split(';').filter((part) => part.trim() !== '')) {
      // The row of the trigger, with columns of the same types.
      const alone = sql.replaceAll(/NEW\.("\w+")/g, '(SELECT $1 FROM "list_names" LIMIT 1)');
      const plan = (await database.query(`EXPLAIN QUERY PLAN ${alone}`)).map((row) => String(row[3]));
      const reads = plan.filter((line) => line.includes('_by_prefix'));
      expect(reads.length).toBeGreaterThan(0);
      for (const line of reads) expect(line, alone).toMatch(/account_id=\? AND (<expr>|deleted)=\? AND name_folded/);
    }
  }
  await database.close();
});
