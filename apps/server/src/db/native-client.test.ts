import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LibsqlBatchError } from '@libsql/client/sqlite3';
import Native from 'libsql';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { lockDataDirectory } from './data-lock.ts';
import { Database, DatabaseOpenError, WriteAbortedError } from './database.ts';
import { type NativeClient, openNativeClient } from './native-client.ts';
import { openDatabase } from './open-database.ts';
import { startChild } from './testing/child.ts';
import { temporaryDirectory } from './testing/temporary.ts';

function open(path = join(temporaryDirectory(), 'store.db'), busyTimeout = 200): NativeClient {
  const client = openNativeClient({ path, busyTimeout });
  onTestFinished(() => client.close());
  return client;
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail('resolved'),
    (error: unknown) => error,
  );
}

describe('set-up of the connections', () => {
  it.each([
    ['journal_mode', 'wal'],
    ['synchronous', 2n],
    ['foreign_keys', 1n],
    ['busy_timeout', 200n],
    ['cache_size', -16000n],
    ['temp_store', 2n],
  ])('%s is %s for reading and for writing', async (name, value) => {
    const client = open();
    const { rows } = await client.execute(`PRAGMA ${name}`);
    expect(rows[0]?.[0]).toBe(value);
    const transaction = await client.transaction();
    expect(client.readRows(`PRAGMA ${name}`)).toEqual([[value]]);
    await transaction.rollback();
  });

  it('the one for reading is opened with the first read beside a transaction, and stays', async () => {
    const client = open();
    await client.execute('CREATE TABLE t (a)');
    client.readRows('SELECT a FROM t');
    expect(client.connections).toBe(1);
    const transaction = await client.transaction();
    await transaction.execute('INSERT INTO t VALUES (1)');
    expect(client.readRows('SELECT a FROM t')).toEqual([]);
    await transaction.commit();
    for (let i = 0; i < 3; i++) client.rest();
    expect(client.readRows('SELECT a FROM t')).toEqual([[1n]]);
    expect(client.connections).toBe(2);
  });
});

describe('where memory is saved', () => {
  const count = 'SELECT count(*) FROM t';
  const frugal = async () => {
    const client = openNativeClient({ path: join(temporaryDirectory(), 'store.db'), frugal: true });
    onTestFinished(() => client.close());
    await client.execute('CREATE TABLE t (a)');
    return client;
  };

  it('one connection reads and writes, with few pages in memory', async () => {
    const client = await frugal();
    await client.execute('INSERT INTO t VALUES (1)');
    expect(client.readRows(count)).toEqual([[1n]]);
    await client.batch([count], 'read');
    expect(client.connections).toBe(1);
    expect(client.readRows('PRAGMA cache_size')).toEqual([[-2000n]]);
    expect(() => client.readRows('INSERT INTO t VALUES (2)')).toThrow(TypeError);
  });

  it('what reads beside a transaction sees nothing of it, on a connection that is opened then', async () => {
    const client = await frugal();
    const transaction = await client.transaction();
    await transaction.execute('INSERT INTO t VALUES (1)');
    expect(client.readRows(count)).toEqual([[0n]]);
    expect((await client.execute(count)).rows[0]?.[0]).toBe(0n);
    expect(client.connections).toBe(2);
    await transaction.commit();
    expect(client.readRows(count)).toEqual([[1n]]);
    client.close();
    expect(client.connections).toBe(0);
    expect(() => client.readRows(count)).toThrow('The client is closed');
  });

  it('what has rested goes on, with nothing changed', async () => {
    const client = await frugal();
    await client.execute('INSERT INTO t VALUES (1)');
    const transaction = await client.transaction();
    client.readRows(count);
    for (let i = 0; i < 3; i++) client.rest();
    await transaction.execute('INSERT INTO t VALUES (2)');
    await transaction.commit();
    expect(client.connections).toBe(2);
    for (let i = 0; i < 3; i++) client.rest();
    expect(client.connections).toBe(1);
    expect(client.readRows(count)).toEqual([[2n]]);
    expect(client.readRows('SELECT name FROM sqlite_master')).toEqual([['t']]);
    for (let i = 0; i < 2; i++) client.rest();
    await client.execute('INSERT INTO t VALUES (3)');
    client.rest();
    client.close();
    client.rest();
    client.reconnect();
    expect(client.readRows(count)).toEqual([[3n]]);
  });

  it('a store that cannot rest goes on too', async () => {
    const client = await frugal();
    await client.execute('PRAGMA query_only = ON');
    for (let i = 0; i < 2; i++) client.rest();
    await client.execute('PRAGMA query_only = OFF');
    const transaction = await client.transaction();
    await transaction.execute('INSERT INTO t VALUES (1)');
    await transaction.commit();
    expect(client.readRows(count)).toEqual([[1n]]);
  });

  it('stores that rest, and that are closed, leave their memory to others', async () => {
    const path = join(temporaryDirectory(), 'store.db');
    const large = openNativeClient({ path });
    for (let i = 0; i < 60; i++) {
      const checks = Array.from({ length: 40 }, (_, k) => `SELECT new.a FROM t${i} WHERE a = ${k};`).join(' ');
      await large.executeMultiple(
        `CREATE TABLE t${i} (a); CREATE TRIGGER u${i} AFTER INSERT ON t${i} BEGIN ${checks} END`,
      );
    }
    large.close();
    // In processes of their own: what other tests leave in this one comes and goes.
    const [usual, rested, closed] = await Promise.all(['open', 'rest', 'close'].map((use) => memoryOf(path, use)));
    expect(rested).toBeLessThan((usual ?? 0) / 3);
    expect(closed).toBeLessThan((usual ?? 0) / 3);
  });
});

/** Bytes by which a process has grown that has opened a store many times, and then uses each as named. */
async function memoryOf(path: string, use: string): Promise<number> {
  const child = startChild('open-stores.ts', [path, use]);
  const { value } = await child.lines.next();
  return Number(value);
}

describe('bad arguments', () => {
  it('throw, whatever they are, and the process lives on', async () => {
    const client = open();
    await client.execute('CREATE TABLE t (a)');
    const sql = 'INSERT INTO t VALUES (?)';
    for (const value of [new Date(0), Number.NaN, 2n ** 63n, 'a\0', 2 ** 53]) {
      const error = await failure(client.execute({ sql, args: [value] }));
      expect(error instanceof TypeError || error instanceof RangeError, String(error)).toBe(true);
      await failure(client.batch([{ sql, args: [value] }]));
      await failure(client.execute({ sql: 'INSERT INTO t VALUES (:a)', args: { a: value } }));
    }
    // These two abort the process when they reach the binding.
    await client.execute({ sql, args: [true] });
    await client.execute({ sql: 'INSERT INTO t VALUES (:a)', args: { a: false } });
    await failure(client.execute(sql));
    await failure(client.execute({ sql, args: [1, 2] }));
    await failure(client.execute('SELECT 1\0'));
    await failure(client.executeMultiple('SELECT 1;\0'));
    expect(client.readRows('SELECT a FROM t ORDER BY rowid')).toEqual([[1n], [0n]]);
  });
});

describe('the writer connection', () => {
  it('is shared in order: single writes and transactions wait for an open transaction', async () => {
    const client = open();
    await client.execute('CREATE TABLE t (a)');
    const log: string[] = [];
    const first = await client.transaction('write');
    const write = client.execute("INSERT INTO t VALUES ('write')").then(() => log.push('write'));
    const second = client.transaction('write').then(async (tx) => {
      log.push('second begins');
      await new Promise((resolve) => setTimeout(resolve, 10));
      await tx.execute("INSERT INTO t VALUES ('second')");
      await tx.commit();
      log.push('second');
    });
    const batch = client.batch(["INSERT INTO t VALUES ('batch')"]).then(() => log.push('batch'));
    await first.execute("INSERT INTO t VALUES ('first')");
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(log).toEqual([]);
    await first.rollback();
    await Promise.all([write, second, batch]);
    expect(log.slice(0, 2)).toEqual(['write', 'second begins']);
    expect(client.readRows('SELECT a FROM t ORDER BY rowid')).toEqual([['write'], ['second'], ['batch']]);
  });

  it('close rolls an open transaction back and rejects the waiting ones; the stale transaction stays harmless', async () => {
    const client = open();
    await client.execute('CREATE TABLE t (a)');
    const stale = await client.transaction('write');
    await stale.execute('INSERT INTO t VALUES (1)');
    const waiting = failure(client.execute('INSERT INTO t VALUES (2)'));
    client.close();
    expect(await waiting).toMatchObject({ code: 'CLIENT_CLOSED' });
    expect(stale.closed).toBe(true);
    client.reconnect();
    const fresh = await client.transaction('write');
    stale.close();
    await failure(stale.execute('SELECT 1'));
    // The stale one must not have given the writer free.
    const later = client.execute('INSERT INTO t VALUES (3)');
    await fresh.execute('INSERT INTO t VALUES (4)');
    await fresh.rollback();
    await later;
    expect(client.readRows('SELECT a FROM t')).toEqual([[3n]]);
  });

  it('rejects transaction control outside transaction(), and ends the transaction that a script leaves open', async () => {
    const client = open();
    await client.execute('CREATE TABLE t (a)');
    expect(await failure(client.execute('BEGIN'))).toMatchObject({ code: 'TRANSACTION_CONTROL' });
    expect(await failure(client.batch(['COMMIT']))).toMatchObject({ code: 'TRANSACTION_CONTROL' });
    await client.executeMultiple('BEGIN; INSERT INTO t VALUES (1)');
    await client.execute('INSERT INTO t VALUES (2)');
    expect(client.readRows('SELECT a FROM t')).toEqual([[2n]]);
  });

  it('a read transaction cannot write', async () => {
    const client = open();
    await client.execute('CREATE TABLE t (a)');
    const tx = await client.transaction('read');
    expect((await tx.execute('SELECT count(*) FROM t')).rows[0]?.[0]).toBe(0n);
    expect(await failure(tx.execute('INSERT INTO t VALUES (1)'))).toMatchObject({ code: 'SQLITE_READONLY' });
    tx.close();
    expect(await failure(client.batch(['INSERT INTO t VALUES (1)'], 'read'))).toMatchObject({
      code: 'SQLITE_READONLY',
    });
    await client.execute('INSERT INTO t VALUES (2)');
    expect(client.readRows('SELECT a FROM t')).toEqual([[2n]]);
  });

  it('recovers from SQLITE_BUSY: a statement left in progress would make every later COMMIT fail', async () => {
    const path = join(temporaryDirectory(), 'store.db');
    const client = open(path, 20);
    const database = new Database(client);
    await client.execute('CREATE TABLE t (a)');
    const other = new Native(path);
    for (const sql of ['INSERT INTO t VALUES (?)', 'INSERT INTO t VALUES (?) RETURNING a']) {
      other.exec('BEGIN IMMEDIATE');
      expect(await failure(client.execute(sql, [1]))).toMatchObject({ code: 'SQLITE_BUSY' });
      expect(await failure(client.batch([{ sql, args: [1] }]))).toMatchObject({ code: 'SQLITE_BUSY' });
      expect(await failure(client.transaction('write'))).toMatchObject({ code: 'SQLITE_BUSY' });
      const aborted = await failure(database.write((tx) => tx.run(sql, [1])));
      expect(aborted).toBeInstanceOf(WriteAbortedError);
      expect(aborted).toMatchObject({ cause: { code: 'SQLITE_BUSY' } });
      other.exec('COMMIT');
      await database.write((tx) => tx.run('INSERT INTO t VALUES (2)'));
      await client.batch([{ sql, args: [3] }]);
    }
    other.close();
    expect(await database.query('SELECT a FROM t')).toEqual([[2n], [3n], [2n], [3n]]);
  });

  it('migrate rejects a dangling foreign key', async () => {
    const client = open();
    await client.executeMultiple('CREATE TABLE a (id PRIMARY KEY); CREATE TABLE b (a REFERENCES a)');
    await client.batch(['INSERT INTO a VALUES (1)', 'INSERT INTO b VALUES (1)']);
    expect(await failure(client.migrate(['DELETE FROM a']))).toMatchObject({ code: 'SQLITE_CONSTRAINT' });
    expect(client.readRows('SELECT count(*) FROM a')).toEqual([[1n]]);
    expect(client.readRows('PRAGMA foreign_keys')).toEqual([[1n]]);
    expect((await client.execute('PRAGMA foreign_keys')).rows[0]?.[0]).toBe(1n);
  });
});

describe('a migration', () => {
  /** Statements of which each takes some milliseconds. */
  const long = Array.from(
    { length: 8 },
    () =>
      'INSERT INTO t WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000) SELECT i FROM n',
  );

  it('lets other work pass, and others neither see nor disturb what it has done so far', async () => {
    const client = open();
    await client.executeMultiple('CREATE TABLE t (a)');
    const seen: unknown[] = [];
    let isOver = false;
    const look = () => {
      if (isOver) return;
      seen.push(client.readRows('SELECT count(*) FROM t')[0]?.[0]);
      setImmediate(look);
    };
    setImmediate(look);
    const migrated = client.migrate(long).finally(() => {
      isOver = true;
    });
    const written = client.execute('DELETE FROM t WHERE a <= 10');
    expect(await migrated).toHaveLength(long.length);
    await written;
    expect(seen.length).toBeGreaterThanOrEqual(long.length / 2);
    expect(new Set(seen)).toEqual(new Set([0n]));
    expect(client.readRows('SELECT count(*) FROM t')).toEqual([[BigInt(long.length * 29_990)]]);
  });

  it('that fails after others had their turn leaves nothing behind, and says which statement it was', async () => {
    const client = open();
    await client.executeMultiple('CREATE TABLE t (a); INSERT INTO t VALUES (1)');
    const failed = await failure(client.migrate([...long, 'INSERT INTO u VALUES (1)']));
    expect(failed).toBeInstanceOf(LibsqlBatchError);
    expect(failed).toMatchObject({ statementIndex: long.length });
    expect(client.readRows('SELECT count(*) FROM t')).toEqual([[1n]]);
    expect((await client.execute('PRAGMA foreign_keys')).rows[0]?.[0]).toBe(1n);
    expect(await failure(client.migrate(['COMMIT']))).toMatchObject({ code: 'TRANSACTION_CONTROL' });
    await client.execute('INSERT INTO t VALUES (2)');
  });

  it('during which the client is closed changes nothing', async () => {
    const path = join(temporaryDirectory(), 'store.db');
    const client = openNativeClient({ path });
    await client.executeMultiple('CREATE TABLE t (a)');
    const failed = failure(client.migrate(long));
    setImmediate(() => client.close());
    expect(await failed).toMatchObject({ code: 'TRANSACTION_CLOSED' });
    const again = openNativeClient({ path });
    expect(again.readRows('SELECT count(*) FROM t')).toEqual([[0n]]);
    again.close();
  });
});

describe('cached statements', () => {
  it('more texts than fit in the cache work, frequently used ones included', async () => {
    const client = open();
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 1200; i++) {
        expect(client.readRows(`SELECT ${i}, ?`, [round])).toEqual([[BigInt(i), BigInt(round)]]);
        expect(client.readRows('SELECT 7 LIMIT 1')).toEqual([[7n]]);
      }
    }
  });

  it('a SELECT that fails half way holds no snapshot', async () => {
    const client = open();
    await client.executeMultiple(`CREATE TABLE t (a); INSERT INTO t VALUES ('1'), ('2'), ('{'), ('4')`);
    for (let i = 0; i < 3; i++) {
      expect(() => client.readRows('SELECT json(a) FROM t')).toThrow('malformed JSON');
      expect(() => client.readRows("SELECT json(a) FROM t WHERE a = '{' LIMIT 1")).toThrow('malformed JSON');
      await client.execute("INSERT INTO t VALUES ('5')");
      expect(client.readRows('SELECT count(*) FROM t')).toEqual([[BigInt(5 + i)]]);
    }
    expect((await client.execute('PRAGMA wal_checkpoint(TRUNCATE)')).rows[0]?.busy).toBe(0n);
  });

  it('results can be described after the client was closed', async () => {
    const client = open();
    const result = await client.execute('SELECT 1 AS one');
    client.close();
    expect({ ...result.rows[0] }).toEqual({ one: 1n });
    expect(JSON.stringify(result)).toContain('"columns":["one"]');
  });
});

describe('Database over the native client', () => {
  it('runs the bodies of a group without a turn of the event loop between them', async () => {
    const database = new Database(open());
    await database.write((tx) => tx.run('CREATE TABLE t (a)'));
    let turn = 0;
    let counting = true;
    const count = (): void => {
      turn++;
      if (counting) setImmediate(count);
    };
    const turns = new Set<number>();
    const writes = Array.from({ length: 30 }, (_, i) =>
      database.write(async (tx) => {
        turns.add(turn);
        await tx.run('INSERT INTO t VALUES (?)', [i]);
        await tx.query('SELECT count(*) FROM t');
        turns.add(turn);
      }),
    );
    setImmediate(count);
    await Promise.all(writes);
    counting = false;
    expect(turns.size).toBe(1);
  });

  it('close leaves one complete file', async () => {
    const path = join(temporaryDirectory(), 'store.db');
    const database = await openDatabase(path);
    await database.write((tx) => tx.run('CREATE TABLE t (a)'));
    await database.close();
    expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  });
});

describe('openDatabase', () => {
  const directory = temporaryDirectory;

  it.each([
    ['a path', (path: string) => path],
    ['a file: URL', (path: string) => `file://${path}`],
    ['a file: URL with escapes', (path: string) => `file:${path.replaceAll('s', '%73')}`],
  ])('takes %s', async (_, url) => {
    const path = join(directory(), 'store.db');
    const database = await openDatabase(url(path));
    await database.write((tx) => tx.run('CREATE TABLE t (a)'));
    await database.close();
    expect(statSync(path).size).toBeGreaterThan(0);
  });

  async function refusal(url: string): Promise<string> {
    const error = await failure(openDatabase(url));
    if (!(error instanceof DatabaseOpenError)) throw error;
    expect(error.message).not.toContain('\n');
    return error.message;
  }

  it('explains errors in opening a file', async () => {
    const root = directory();
    const text = join(root, 'notes.db');
    const torn = join(root, 'torn.db');
    writeFileSync(text, 'not a database, '.repeat(100));
    mkdirSync(join(root, 'folder.db'));
    await (await openDatabase(torn)).close();
    writeFileSync(torn, readFileSync(torn).fill(0xff, 100));
    const cases: [string, string][] = [
      [join(root, 'missing', 'a.db'), `the directory ${join(root, 'missing')} does not exist`],
      [join(text, 'a.db'), `${text} is not a directory`],
      [join(root, 'folder.db'), 'it is a directory'],
      [text, 'it is not a database file; restore the stores from one backup'],
      [torn, 'it is damaged; restore the stores from one backup'],
    ];
    for (const [path, reason] of cases)
      expect(await refusal(path)).toBe(`The database ${path} cannot be opened: ${reason}.`);
  });

  it('waits while another connection prepares a new file', () => {
    const root = directory();
    // It holds lock.db exclusively, and not in WAL mode: SQLite's own timeout does not cover that switch.
    const lock = lockDataDirectory(root);
    let waits = 0;
    vi.spyOn(Atomics, 'wait').mockImplementation(() => {
      if (++waits === 3) lock.release();
      return 'timed-out';
    });
    const client = open(join(root, 'lock.db'), 1);
    expect([waits, client.readRows('PRAGMA journal_mode')]).toEqual([3, [['wal']]]);
  });

  it('gives up on a file that another process keeps locked', async () => {
    const root = directory();
    const holder = startChild('./lock-holder.ts', [root]);
    expect((await holder.lines.next()).value).toBe('locked');
    const path = join(root, 'lock.db');
    const wait = vi.spyOn(Atomics, 'wait').mockReturnValue('timed-out');
    expect(() => open(path, 1)).toThrow(`The database ${path} cannot be opened: another process keeps it locked.`);
    expect(wait.mock.calls.length).toBeGreaterThan(10);
  });

  it.skipIf(process.getuid?.() === 0)('says that a file or its directory is not writable', async () => {
    const root = directory();
    const path = join(root, 'store.db');
    await (await openDatabase(path)).close();
    chmodSync(path, 0o400);
    expect(await refusal(path)).toBe(`The database ${path} cannot be opened: it is read-only.`);
    chmodSync(path, 0o600);
    chmodSync(root, 0o500);
    expect(await refusal(path)).toBe(`The database ${path} cannot be opened: the directory ${root} is not writable.`);
    chmodSync(root, 0o700);
  });

  it.each([
    ['postgres://u:p@h/db?password=secret', 'the scheme "postgres:" is unknown'],
    [':memory:', 'databases in memory lose data'],
    ['file::memory:', 'databases in memory lose data'],
    ['', 'it must be a file'],
    ['file:a.db?mode=ro', 'takes no query'],
    ['https://host/path?unknown=secret', 'Unknown URL query argument "unknown"'],
  ])('rejects %j', async (url, reason) => {
    const message = await refusal(url);
    expect(message).toMatch(new RegExp(reason));
    expect(message).not.toContain('secret');
  });
});
