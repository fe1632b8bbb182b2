/** The driver for stores on servers, over a real one: what is shared, what is kept, and what happens when it is away. */
import { join } from 'node:path';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { startProxy } from '@broadside/test-servers/proxy';
import { type Sqld, sqldMissing, startSqld } from '@broadside/test-servers/sqld';
import { LibsqlError } from '@libsql/client';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  CommitUnknownError,
  Database,
  DatabaseOpenError,
  StoreUnreachableError,
  WriteAbortedError,
} from '../database.ts';
import { openDatabase } from '../open-database.ts';
import { storageFailure } from '../storage-failure.ts';
import { startSqlServer } from '../testing/sql-server.ts';
import { temporaryDirectory } from '../testing/temporary.ts';
import { openRemote } from './open-remote.ts';

const missing = sqldMissing();

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => expect.fail(`resolved with ${String(value)}`),
    (error: unknown) => error,
  );
}

/** Repeats a work until it succeeds. */
async function eventually<Result>(work: () => Promise<Result>): Promise<Result> {
  let last: { readonly result: Result } | undefined;
  const attempt = async (): Promise<boolean> => {
    last = await work().then(
      (result) => ({ result }),
      () => undefined,
    );
    return last !== undefined;
  };
  await expect.poll(() => attempt()).toBe(true);
  return last?.result ?? expect.fail('it has not succeeded');
}

describe.skipIf(missing)(`a store on sqld${missing === undefined ? '' : ` (${missing})`}`, () => {
  let server: Sqld;
  let database: Database;

  async function open(url: string, patience?: number): Promise<Database> {
    const opened = new Database(await openRemote(url, patience === undefined ? {} : { patience }));
    onTestFinished(() => opened.close());
    return opened;
  }

  beforeEach(async () => {
    server = await startSqld({ directory: join(temporaryDirectory(), 'store') });
    onTestFinished(() => server.close());
    database = await open(server.url);
    await database.write((tx) => tx.run('CREATE TABLE t (a INTEGER PRIMARY KEY)'));
  });

  const add = (a: number, to = database) => to.write((tx) => tx.run('INSERT INTO t VALUES (?)', [a]));
  const all = async (from = database) => (await from.query('SELECT a FROM t ORDER BY a')).flat();

  it('reads of one turn are one round trip, each with its own result or error', async () => {
    const proxy = await startProxy(server.port);
    onTestFinished(() => proxy.close());
    const far = await open(`http://127.0.0.1:${proxy.port}`);
    await add(1);
    const before = proxy.roundTrips;
    const [rows, wrong, count] = await Promise.all([
      far.query('SELECT a FROM t'),
      failure(far.query('SELECT b FROM t')),
      far.query('SELECT count(*) FROM t WHERE a > ?', [5]),
    ]);
    expect(proxy.roundTrips - before).toBe(1);
    expect([rows, count]).toEqual([[[1n]], [[0n]]]);
    expect(wrong).toBeInstanceOf(LibsqlError);
    expect(String(wrong)).toContain('no such column');
  });

  it('more reads than streams all have their answers', async () => {
    const sql = (i: number) => `SELECT ${i}, 'a text of this length is stored by the server and sent by its number'`;
    const rows = await Promise.all(Array.from({ length: 400 }, (_, i) => database.query(sql(i))));
    expect(rows.map(([row]) => row?.[0])).toEqual(Array.from({ length: 400 }, (_, i) => BigInt(i)));
  });

  it('one read with too large a result fails alone', async () => {
    const [small, large] = await Promise.all([
      database.query('SELECT 1'),
      failure(database.query('SELECT hex(zeroblob(6000000)), hex(zeroblob(6000000))')),
    ]);
    expect(small).toEqual([[1n]]);
    expect(large).toBeInstanceOf(LibsqlError);
  });

  it('a connection that was cut while nobody used it is made again, without an error', async () => {
    const proxy = await startProxy(server.port);
    onTestFinished(() => proxy.close());
    const far = await open(`http://127.0.0.1:${proxy.port}`);
    await add(1);
    proxy.cut();
    expect(await all(far)).toEqual([1n]);
  });

  it('a server that was killed is away, and used again once it is back', async () => {
    await add(1);
    await server.kill();
    const read = await failure(all());
    expect(read).toBeInstanceOf(StoreUnreachableError);
    expect(String(read)).not.toContain('\n');
    const written = await failure(add(2));
    expect(written).toBeInstanceOf(WriteAbortedError);
    for (const error of [read, written]) expect(storageFailure(error)).toBe('its server cannot be reached');
    await server.start();
    expect(await eventually(() => all())).toEqual([1n]);
    await add(3);
    expect(await all()).toEqual([1n, 3n]);
  });

  it('a server that is stopped is given up after a while, and used again once it goes on', async () => {
    const hasty = await open(server.url, 300);
    await add(1, hasty);
    await server.stop();
    expect(await failure(all(hasty))).toMatchObject({ reason: 'it has not answered within 0.3 s', isLate: true });
    expect(await failure(add(2, hasty))).toBeInstanceOf(WriteAbortedError);
    server.resume();
    expect(await eventually(() => all(hasty))).toEqual([1n]);
  });

  it('a write that has waited too long for the lock fails alone, and its connection stays', {
    timeout: 30_000,
  }, async () => {
    const proxy = await startProxy(server.port);
    onTestFinished(() => proxy.close());
    // Less than the 5 seconds after which the server ends a transaction that keeps others waiting.
    const waiting = await open(`http://127.0.0.1:${proxy.port}`, 2500);
    expect(await all(waiting)).toEqual([]);
    const { connections } = proxy;
    const { promise: given, resolve: give } = Promise.withResolvers<void>();
    // Otherwise a failure would leave the database waiting for the body when it is closed.
    onTestFinished(() => give());
    const { promise: held, resolve: hold } = Promise.withResolvers<void>();
    const holding = database.write(async (tx) => {
      await tx.run('INSERT INTO t VALUES (1)');
      hold();
      await given;
    });
    await held;
    const error = await failure(add(2, waiting));
    give();
    await holding;
    expect(error).toBeInstanceOf(WriteAbortedError);
    expect(error).toMatchObject({ cause: { reason: 'its lock was not free within 3.75 s' } });
    await add(3, waiting);
    expect(await all(waiting)).toEqual([1n, 3n]);
    expect(proxy.connections).toBe(connections);
  });

  it('a commit after which the log is written back waits for whoever got the lock then, until the server ends that one', async () => {
    const patience = 4500;
    const writer = await open(server.url, patience);
    await database.write((tx) => tx.run('CREATE TABLE big (bytes BLOB)'));
    const { promise: given, resolve: give } = Promise.withResolvers<void>();
    onTestFinished(() => give());
    const { promise: isWaited, resolve: wait } = Promise.withResolvers<void>();
    const writing = writer.write(async (tx) => {
      // More pages than the log has before it is written back.
      await tx.run(
        `INSERT INTO big WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 800) SELECT zeroblob(10000) FROM n`,
      );
      await isWaited;
    });
    // As a server that is stopped when it gets the lock: it holds it for 5 seconds.
    const stopped = failure(
      database.write(async (tx) => {
        await tx.run('INSERT INTO t VALUES (1)');
        await given;
      }),
    );
    // Until it waits for the lock.
    await delay(500);
    wait();
    await writing;
    give();
    expect(await stopped).toMatchObject({ code: 'TRANSACTION_TIMEOUT' });
    expect(await all()).toEqual([]);
    expect(await database.query('SELECT sum(length(bytes)) FROM big')).toEqual([[8_000_000n]]);
  });

  it('an answer that came while this process was stopped is taken, though its time is over', async () => {
    const hasty = await open(server.url, 500);
    await add(1, hasty);
    const reading = all(hasty);
    // Until it is sent.
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000);
    expect(await reading).toEqual([1n]);
  });

  it('nothing that was acknowledged is lost with a server that is killed in the midst of writes', async () => {
    const acknowledged: number[] = [];
    let number = 0;
    const write = async (): Promise<void> => {
      number += 1;
      const own = number;
      await add(own).then(
        () => acknowledged.push(own),
        (error: unknown) =>
          expect(error instanceof WriteAbortedError || error instanceof CommitUnknownError, String(error)).toBe(true),
      );
    };
    for (let round = 0; round < 4; round += 1) {
      for (let i = 0; i < 5; i += 1) await write();
      // Others follow while the server dies, and fail; the first of them may be stored without an answer.
      const writing = Array.from({ length: 10 }, () => write());
      const dying = server.kill();
      for (let i = 0; i < 10; i += 1) await write();
      await Promise.all([...writing, dying]);
      await server.start();
      await eventually(() => all());
    }
    const stored = new Set(await all());
    expect(acknowledged.length).toBeGreaterThanOrEqual(20);
    expect(acknowledged.filter((number) => !stored.has(BigInt(number)))).toEqual([]);
  });

  it('is not used while a server that was started again acknowledges commits before they are on its disk', async () => {
    await add(1);
    await server.kill();
    await server.start('relaxed');
    await expect.poll(async () => storageFailure(await failure(all()))).toMatch(/a failure of the power can undo/);
    expect(await failure(add(2))).toBeInstanceOf(WriteAbortedError);
    await server.kill();
    await server.start();
    expect(await eventually(() => all())).toEqual([1n]);
    await add(3);
    expect(await all()).toEqual([1n, 3n]);
  });

  it('a write that waits behind a process that has stopped is stored when the server has ended its transaction', async () => {
    const stopped = await open(server.url);
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const held = stopped.write(async (tx) => {
      await tx.run('INSERT INTO t VALUES (1)');
      begun.resolve();
      await goOn.promise;
    });
    const lost = failure(held);
    await begun.promise;
    await add(2);
    goOn.resolve();
    // It kept others waiting, which clients are told to repeat: nothing was stored.
    expect(storageFailure(await lost)).toMatch(/has ended the transaction/);
    expect(await all()).toEqual([2n]);
  });

  it('is not opened where a commit is acknowledged before it is on the disk, unless that is accepted', async () => {
    const weak = await startSqld({ directory: join(temporaryDirectory(), 'weak'), durability: 'relaxed' });
    onTestFinished(() => weak.close());
    const refused = await failure(openDatabase(weak.url, { setting: 'BROADSIDE_DATABASE_URL' }));
    expect(refused).toBeInstanceOf(DatabaseOpenError);
    expect(String(refused)).toMatch(
      /^.*BROADSIDE_DATABASE_URL.*durability_mode.*BROADSIDE_ACCEPT_WEAK_DURABILITY=1.*$/,
    );
    const warnings: string[] = [];
    const accepted = await openDatabase(weak.url, { acceptWeakDurability: (warning) => warnings.push(warning) });
    await accepted.close();
    expect(warnings).toEqual([expect.stringContaining('is not durable')]);
  });
});

describe('a store whose server holds some answers back', () => {
  const PATIENCE_MS = 600;

  /** A store on a server that answers requests with these texts later, by milliseconds. */
  async function holding(ofText: Readonly<Record<string, number>>): Promise<Database> {
    const server = await startSqlServer({
      path: join(temporaryDirectory(), 'store.db'),
      hold: (sql) => {
        const [, ms] = Object.entries(ofText).find(([text]) => sql.some((one) => one.includes(text))) ?? [];
        return ms === undefined ? undefined : delay(ms);
      },
    });
    onTestFinished(() => server.close());
    const database = new Database(await openRemote(server.url, { patience: PATIENCE_MS }));
    onTestFinished(() => database.close());
    await database.write((tx) => tx.run('CREATE TABLE t (a INTEGER PRIMARY KEY)'));
    return database;
  }

  it('whose answer to a write settles whether it is alive, however late it says so', async () => {
    const alive = 'SELECT 1 LIMIT 1';
    const database = await holding({ 'VALUES (1)': 1.2 * PATIENCE_MS, [alive]: 10 * PATIENCE_MS });
    await database.write((tx) => tx.run('INSERT INTO t VALUES (1)'));
    await database.write(async (tx) => {
      await tx.run('INSERT INTO t VALUES (2)');
      await delay(PATIENCE_MS);
    });
    expect((await database.query('SELECT a FROM t')).flat()).toEqual([1n, 2n]);
  });

  it('fails a read that takes too long alone, where it answers others meanwhile', async () => {
    const database = await holding({ 'AS slow': 10 * PATIENCE_MS });
    const slow = failure(database.query('SELECT a AS slow FROM t'));
    await database.write(async (tx) => {
      await tx.run('INSERT INTO t VALUES (1)');
      expect(await slow).toMatchObject({ reason: 'it has not answered this within 0.6 s', isLate: true });
    });
    expect((await database.query('SELECT a FROM t')).flat()).toEqual([1n]);
  });
});

describe('a store whose server is not there', () => {
  it('is not opened, which one line says', async () => {
    const server = await startSqlServer({ path: join(temporaryDirectory(), 'store.db') });
    await server.close();
    const error = await failure(openDatabase(server.url, { setting: 'BROADSIDE_DATABASE_URL' }));
    expect(error).toBeInstanceOf(DatabaseOpenError);
    expect(String(error)).toMatch(
      /^DatabaseOpenError: The database http.* \(BROADSIDE_DATABASE_URL\) cannot be opened: .*$/,
    );
  });
});
