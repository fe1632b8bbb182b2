/** Reads that are begun in the round trip of others: given to whoever asks for the same, and left out where their guard fails. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProxyServer, startProxy } from '@broadside/test-servers/proxy';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Reader } from './access.ts';
import { AheadReads } from './ahead-reads.ts';
import { Database } from './database.ts';
import { SkippedReadError } from './errors.ts';
import { openRemote } from './remote/open-remote.ts';
import { startSqlServer } from './testing/sql-server.ts';

const ONE = 'SELECT b FROM t WHERE a = ? LIMIT 1';
const closers: (() => Promise<unknown>)[] = [];
let database: Database;
let proxy: ProxyServer;
let texts: readonly string[] = [];
let begun = 0;

beforeAll(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'broadside-ahead-'));
  const path = join(directory, 'store.db');
  const fault = (sent: readonly string[]) => {
    texts = sent;
    return undefined;
  };
  const server = await startSqlServer({ path, fault });
  proxy = await startProxy(Number(new URL(server.url).port));
  database = new Database(await openRemote(`http://127.0.0.1:${proxy.port}`, {}));
  closers.push(
    () => database.close(),
    () => proxy.close(),
    () => server.close(),
    async () => rmSync(directory, { recursive: true, force: true }),
  );
  await database.write((tx) => tx.run('CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)'));
  await database.write((tx) => tx.run("INSERT INTO t VALUES (1, 'one'), (2, 'two'), (3, 'three')"));
});
afterAll(async () => {
  for (const close of closers) await close();
});
beforeEach(() => {
  begun = proxy.roundTrips;
});

const trips = () => proxy.roundTrips - begun;
const guard = (path: string) => (reader: Reader) => reader.read("SELECT json_extract('{}', ?)", [path]);

it('a read that was begun is given to whoever asks for the same, with no further round trip', async () => {
  const reads = new AheadReads(database, guard('$'));
  reads.begin((reader) => reader.read(ONE, [1]));
  reads.begin((reader) => reader.read(ONE, [2]));
  expect(await database.query(ONE, [3])).toEqual([['three']]);
  expect(texts, 'the guard is run once').toHaveLength(4);
  expect(await reads.read(ONE, [1])).toEqual([['one']]);
  expect(await reads.read(ONE, [2])).toEqual([['two']]);
  expect(trips()).toBe(1);
  expect(await reads.read(ONE, [3])).toEqual([['three']]);
  expect(trips()).toBe(2);
});

it('a read whose guard fails is not made, and made when it is asked for', async () => {
  const failing = { sql: "SELECT json_extract('{}', ?)", args: ['no access'] };
  // It would fail if it were run.
  await expect(database.readIf(failing, "SELECT json_extract('{}', 'a')", [])).rejects.toThrow(SkippedReadError);
  const reads = new AheadReads(database, guard('no access'));
  reads.begin((reader) => reader.read(ONE, [1]));
  expect(await database.query(ONE, [2]), 'others of the round trip are').toEqual([['two']]);
  expect(trips()).toBe(2);
  expect(await reads.read(ONE, [1])).toEqual([['one']]);
  expect(trips()).toBe(3);
});

it('rows that were read in another way are found by the statement that asks for one of them', async () => {
  const reads = new AheadReads(database);
  reads.beginFor(ONE, { sql: 'SELECT b, a FROM t WHERE a < ?', args: [3] }, ([, a]) => [Number(a)]);
  expect(await reads.read(ONE, [2])).toMatchObject([['two', 2n]]);
  expect(trips()).toBe(1);
  expect(await reads.read(ONE, [3]), 'and others are read').toEqual([['three']]);
  expect(trips()).toBe(2);
});

it('an error is that of whoever asks, and of nobody else', async () => {
  const reads = new AheadReads(database);
  const wrong = "SELECT json_extract('{}', 'a')";
  reads.begin((reader) => reader.read(wrong));
  reads.begin(() => {
    throw new Error('a parameter is wrong');
  });
  reads.beginFor(ONE, { sql: wrong, args: [] }, () => [1]);
  await expect(reads.read(wrong)).rejects.toThrow('bad JSON path');
  expect(await reads.read(ONE, [1])).toEqual([['one']]);
});
