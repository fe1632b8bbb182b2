/** Marks of commits, on a server of stores: what they are, who is told of them and when, and which reads their guard lets through. */
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { asUnavailable } from '../pipeline/unavailable.ts';
import { SharedStateError } from '../shared/shared-state.ts';
import { Database } from './database.ts';
import { CommitUnknownError, SkippedReadError } from './errors.ts';
import { openRemote } from './remote/open-remote.ts';
import { adoptStore, beginMarks, markGuard, readMark } from './store-identity.ts';
import { startSqlServer } from './testing/sql-server.ts';
import { temporaryDirectory } from './testing/temporary.ts';
import { EVERYTHING } from './touched-slots.ts';

let database: Database;

beforeEach(async () => {
  const server = await startSqlServer({ path: join(temporaryDirectory(), 'store.db') });
  onTestFinished(() => server.close());
  database = new Database(await openRemote(server.url, {}));
  onTestFinished(() => database.close());
  await database.applyMigration([{ sql: 'CREATE TABLE t (a INTEGER PRIMARY KEY)' }]);
  await adoptStore(database, { platform: 'p', store: 'sandbox', commits: 0 }, false);
});

const insert = (a: number, scope?: string) =>
  database.write((tx) => tx.run('INSERT INTO t VALUES (?)', [a], scope === undefined ? undefined : { scope }));
const stored = async () => (await database.query('SELECT a FROM t ORDER BY a')).map(([a]) => Number(a));

test('the guard lets reads through from its mark on', async () => {
  await beginMarks(database);
  const mark = await readMark(database);
  expect(await database.readIf(markGuard(mark), 'SELECT 1', [])).toEqual([[1n]]);
  await expect(database.readIf(markGuard(mark + 1), 'SELECT 1', [])).rejects.toThrow(SkippedReadError);
});

test('each start with replicas has a mark above all before it', async () => {
  await beginMarks(database);
  const first = await readMark(database);
  await beginMarks(database);
  expect(await readMark(database)).toBeGreaterThan(first);
});

test('a commit of a store without replicas is not marked, and announced to nobody', async () => {
  const announce = vi.fn(async () => {});
  database.markCommits(announce);
  await insert(1, 'a');
  expect(await readMark(database)).toBe(0);
  expect(announce).not.toHaveBeenCalled();
});

test('a commit is announced with its mark and scopes before it is acknowledged', async () => {
  await beginMarks(database);
  const begun = await readMark(database);
  const { promise, resolve } = Promise.withResolvers<void>();
  const announced: unknown[] = [];
  database.markCommits(async (scopes, mark) => {
    announced.push([[...scopes], mark - begun, await stored()]);
    await promise;
  });
  let isAcknowledged = false;
  const written = insert(1, 'a').then(() => {
    isAcknowledged = true;
  });
  await expect.poll(() => announced).toEqual([[['a'], 1, [1]]]);
  expect(isAcknowledged).toBe(false);
  resolve();
  await written;
  await insert(2);
  expect(announced[1]).toEqual([[EVERYTHING], 2, [1, 2]]);
});

test('a commit that cannot be announced is stored, and its write does not fail as one that is not', async () => {
  await beginMarks(database);
  const away = new SharedStateError('nobody hears it');
  database.markCommits(() => Promise.reject(away));
  const error: unknown = await insert(1, 'a').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CommitUnknownError);
  expect(error).toMatchObject({ cause: away });
  expect(asUnavailable(error), 'to a client, 503 says that nothing was changed').toBe(error);
  expect(await stored()).toEqual([1]);
});

test('nothing is committed that cannot be marked', async () => {
  await beginMarks(database);
  database.markCommits(async () => {});
  await database.applyMigration([
    { sql: "CREATE TRIGGER fails BEFORE UPDATE ON __store BEGIN SELECT RAISE(FAIL, 'no marks'); END" },
  ]);
  await expect(insert(1, 'a')).rejects.toThrow('no marks');
  expect(await stored()).toEqual([]);
});
