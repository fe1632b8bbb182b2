/** Ids of entities, over rollbacks, failed commits and restarts of the process that hands them out. */
import path from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { Database, Writer } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { EntityIds, IdReserve } from './ids.ts';

/** A store of nothing but ids, with a process that hands them out. */
class Process {
  readonly database: Database;
  readonly reserve: IdReserve;

  private constructor(database: Database) {
    this.database = database;
    this.reserve = new IdReserve(database);
  }

  static async start(file: string): Promise<Process> {
    const database = await openDatabase(file);
    onTestFinished(() => database.close());
    await database.write(async (writer) => {
      await writer.run('CREATE TABLE IF NOT EXISTS sequences (name TEXT PRIMARY KEY, value INTEGER NOT NULL)');
      // What was handed out in the order of the bodies. An id that was handed out twice violates the key.
      await writer.run('CREATE TABLE IF NOT EXISTS used (place INTEGER PRIMARY KEY, seq INTEGER NOT NULL UNIQUE)');
      await writer.run(
        'CREATE TABLE IF NOT EXISTS later (place INTEGER REFERENCES used (place) DEFERRABLE INITIALLY DEFERRED)',
      );
    });
    return new Process(database);
  }

  /** Creates entities in one write. */
  create(count: number, end: 'well' | 'rejected' | 'failed commit' = 'well', repeatable = true): Promise<void> {
    this.reserve.fill();
    return this.database.write(
      async (writer) => {
        const ids = new EntityIds(writer, this.reserve);
        for (let i = 0; i < count; i++) await use(writer, (await ids.next()).seq);
        if (end === 'rejected') throw new Error('rejected');
        if (end === 'failed commit') await writer.run('INSERT INTO later VALUES (-1)');
      },
      { repeatable },
    );
  }

  async used(): Promise<bigint[]> {
    const rows = await this.database.query('SELECT seq FROM used ORDER BY place');
    return rows.map(([seq]) => BigInt(Number(seq)));
  }
}

const use = (writer: Writer, seq: bigint) =>
  writer.run('INSERT INTO used (place, seq) SELECT coalesce(max(place), 0) + 1, ? FROM used', [seq]);

const write = fc.record({
  count: fc.integer({ min: 0, max: 80 }),
  end: fc.constantFrom('well', 'well', 'well', 'rejected', 'failed commit'),
  repeatable: fc.boolean(),
});

test('no id is handed out twice and none after a higher one, whatever is undone and whenever the process ends', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.array(write, { maxLength: 12 }), { maxLength: 6 }), { maxLength: 4 }),
      async (lives) => {
        const file = path.join(temporaryDirectory(), 'store.db');
        for (const groups of lives) {
          const process = await Process.start(file);
          for (const group of groups) {
            const created = group.map(({ count, end, repeatable }) => process.create(count, end, repeatable));
            const ends = await Promise.allSettled(created);
            const failed = group.some(({ end }) => end === 'failed commit');
            if (!failed) {
              expect(ends.map(({ status }) => status)).toEqual(
                group.map(({ end }) => (end === 'well' ? 'fulfilled' : 'rejected')),
              );
            }
          }
          const used = await process.used();
          expect(used).toEqual([...used].sort((a, b) => Number(a - b)));
          // As after a crash: what is in memory is lost.
          await process.database.close();
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('ids in reserve save the statement that takes one, in all but the first writes', async () => {
  const process = await Process.start(path.join(temporaryDirectory(), 'store.db'));
  const value = async () => (await process.database.query("SELECT value FROM sequences WHERE name = 'entity'"))[0]?.[0];
  await process.create(1);
  await process.create(1);
  const before = await value();
  for (let i = 0; i < 20; i++) await process.create(1);
  expect(await value()).toBe(before);
  const used = await process.used();
  expect(used).toHaveLength(22);
  expect(Number((used.at(-1) ?? 0n) - (used[0] ?? 0n))).toBe(21);
});

test('a process that creates nothing takes no ids', async () => {
  const process = await Process.start(path.join(temporaryDirectory(), 'store.db'));
  for (let i = 0; i < 3; i++) await process.create(0);
  expect(await process.database.query('SELECT count(*) FROM sequences')).toEqual([[0n]]);
});
