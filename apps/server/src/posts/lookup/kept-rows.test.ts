import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../db/database.ts';
import { openDatabase } from '../../db/open-database.ts';
import { type Keepable, KeptRows, type KeptTable } from './kept-rows.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'broadside-kept-rows-'));
let database: Database;
beforeAll(async () => {
  database = await openDatabase(path.join(directory, 'kept.db'));
  await database.applyMigration([{ sql: 'CREATE TABLE birds (id TEXT PRIMARY KEY, name TEXT NOT NULL)' }]);
  await database.write((writer) => writer.run("INSERT INTO birds VALUES ('1', 'wren')"));
});
afterAll(async () => {
  await database.close();
  rmSync(directory, { recursive: true, force: true });
});

interface Bird extends Keepable {
  readonly name: string;
}

const WEIGHT = 100;

/** Gives every bird that is asked for, and counts how often. */
function counting(): { readonly birds: KeptTable<Bird>; readonly read: string[] } {
  const read: string[] = [];
  const birds: KeptTable<Bird> = {
    name: 'birds',
    idOf: (key) => key,
    read: (_, keys) => {
      read.push(...keys);
      return keys.map((key) => [key, { name: `bird ${key}`, weight: WEIGHT }] as const);
    },
  };
  return { birds, read };
}

test('never weighs more than its limit, and keeps what is used', async () => {
  const { birds, read } = counting();
  const limit = 100 * WEIGHT;
  const kept = new KeptRows(birds, { database, limit });
  let heaviest = 0;
  for (let i = 0; i < 5000; i++) {
    // The first is used all the time.
    await kept.read(['first', `${i}`], new Map());
    heaviest = Math.max(heaviest, kept.weight);
  }
  expect(heaviest).toBeLessThanOrEqual(limit + 2 * WEIGHT);
  expect(heaviest).toBeGreaterThan(limit / 2);
  expect(read.filter((key) => key === 'first')).toHaveLength(1);
});

test('counts the texts that are made of its rows', async () => {
  const { birds, read } = counting();
  const kept = new KeptRows(birds, { database, limit: 1000 });
  await kept.read(['1'], new Map());
  kept.grow(400);
  expect(kept.weight).toBe(500);
  kept.grow(400);
  kept.grow(600);
  await kept.read(['1'], new Map());
  expect(read).toEqual(['1', '1']);
});

test('keeps nothing where others may write the store', async () => {
  const { birds, read } = counting();
  const kept = new KeptRows(birds, { database, limit: 0 });
  await kept.read(['1'], new Map());
  await kept.read(['1'], new Map());
  expect(read).toEqual(['1', '1']);
  expect(kept.weight).toBe(0);
});

test('forgets a row when it is written, and all of them when a write says no more than the table', async () => {
  const { birds, read } = counting();
  const kept = new KeptRows(birds, { database, limit: 10_000 });
  const look = async () => {
    read.length = 0;
    await kept.read(['1', '2'], new Map());
    return [...read];
  };
  await look();
  const rename = "UPDATE birds SET name = 'robin' WHERE id = '1'";
  await database.write((writer) => writer.run(rename, [], { scope: '', id: '1' }));
  expect(await look()).toEqual(['1']);
  await database.write((writer) => writer.run(rename));
  expect(await look()).toEqual(['1', '2']);
  expect(await look()).toEqual([]);
  await database.write((writer) => writer.run(rename, [], { scope: '' }));
  expect(await look()).toEqual(['1', '2']);
});

test('does not keep what is written while it is read', async () => {
  const { birds, read } = counting();
  let write: (() => Promise<unknown>) | undefined = () =>
    database.write((writer) => writer.run("UPDATE birds SET name = 'tit'", [], { scope: '', id: '1' }));
  const slow: KeptTable<Bird> = {
    ...birds,
    read: async (...asked) => {
      const found = await birds.read(...asked);
      await write?.();
      return found;
    },
  };
  const kept = new KeptRows(slow, { database, limit: 10_000 });
  await kept.read(['1', '2'], new Map());
  write = undefined;
  read.length = 0;
  await kept.read(['1', '2'], new Map());
  expect(read).toEqual(['1']);
});
