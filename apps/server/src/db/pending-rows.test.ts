/** Rows that are inserted together later are those that were given, and of each write all or none. */
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Database } from './database.ts';
import { Insertion } from './insertion.ts';
import { openDatabase } from './open-database.ts';
import { temporaryDirectory } from './testing/temporary.ts';

const soon = new Insertion('items', ['id', 'value']);
const unseen = new Insertion('log', ['value'], (sql) => sql.includes('log'));

async function open(): Promise<Database> {
  const database = await openDatabase(path.join(temporaryDirectory(), 'items.db'));
  await database.applyMigration([
    { sql: "CREATE TABLE items (id INTEGER PRIMARY KEY, value TEXT NOT NULL CHECK (value <> 'bad'))" },
    { sql: 'CREATE TABLE log (id INTEGER PRIMARY KEY, value TEXT NOT NULL)' },
  ]);
  return database;
}

/** The steps of a body: inserts so many rows, inserts one that is rejected, reads, reads and goes on after an error, or fails. */
type Step = number | 'bad' | 'read' | 'try' | 'fail';

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(1, 2, 3, 11, 45) },
  { weight: 2, arbitrary: fc.constantFrom('read' as const, 'try' as const) },
  { weight: 1, arbitrary: fc.constantFrom('bad' as const, 'fail' as const) },
);
const bodies = fc.array(fc.record({ steps: fc.array(step, { maxLength: 5 }), repeatable: fc.boolean() }), {
  minLength: 1,
  maxLength: 6,
});

test('whatever fails in a group, each write is stored as a whole or not at all, and what it reads is what it wrote', async () => {
  const database = await open();
  let next = 0;
  await fc.assert(
    fc.asyncProperty(bodies, async (all) => {
      await database.write(async (writer) => {
        await writer.run('DELETE FROM items');
        await writer.run('DELETE FROM log');
      });
      const written = all.map(({ steps, repeatable }, body) =>
        database.write(
          async (writer) => {
            const insert = (value: string) => {
              if (!writer.insertSoon) throw new TypeError('the writer of an embedded database puts rows off');
              writer.insertSoon(soon, [next++, value]);
              writer.insertSoon(unseen, [value]);
            };
            let mine = 0;
            for (const what of steps) {
              if (what === 'fail') throw new Error('as planned');
              else if (what === 'bad') insert('bad');
              else if (what === 'read' || what === 'try') {
                const count = `SELECT count(*) FROM items WHERE value = 'of ${body}' LIMIT 1`;
                const reading = writer.query(count);
                const rows = what === 'try' ? await reading.catch(() => [[BigInt(mine)]]) : await reading;
                expect(rows).toEqual([[BigInt(mine)]]);
              } else {
                for (let i = 0; i < what; i++) insert(`of ${body}`);
                mine += what;
              }
            }
          },
          { repeatable },
        ),
      );
      const outcomes = await Promise.allSettled(written);
      const works = all.map(({ steps }) => !steps.includes('bad') && !steps.includes('fail'));
      expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(works);
      const expected = all.flatMap(({ steps }, body) =>
        works[body]
          ? Array(steps.reduce<number>((sum, one) => sum + (typeof one === 'number' ? one : 0), 0)).fill([`of ${body}`])
          : [],
      );
      expect(await database.query('SELECT value FROM items ORDER BY id')).toEqual(expected);
      expect(await database.query('SELECT value FROM log ORDER BY id')).toEqual(expected);
    }),
    { numRuns: 60 },
  );
  await database.close();
});

test('rows of several writes share statements', () => {
  const texts: number[] = [];
  soon.run(Array(2 * 43).fill(0), (text, values) => {
    expect(text).toBe(soon.text(values.length / 2));
    texts.push(values.length / 2);
  });
  expect(texts).toEqual([32, 8, 2, 1]);
});

test('a row with a value that cannot be stored is rejected when it is given', async () => {
  const database = await open();
  const outcome = database.write((writer) => {
    expect(() => writer.insertSoon?.(soon, [1, '\ud800'])).toThrow(/half a surrogate pair/);
    return 'goes on';
  });
  expect(await outcome).toBe('goes on');
  await database.close();
});
