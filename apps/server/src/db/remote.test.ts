/** Behaviour that occurs only over a network, and parts of the test server that the client does not use by itself. */
import { join } from 'node:path';
import type { HranaFault, HranaServer } from '@broadside/test-servers/hrana';
import { createClient } from '@libsql/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CommitUnknownError, type Database, DatabaseOpenError, WriteAbortedError } from './database.ts';
import { openDatabase } from './open-database.ts';
import { storageFailure } from './storage-failure.ts';
import { startSqlServer } from './testing/sql-server.ts';
import { temporaryDirectory } from './testing/temporary.ts';

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail('resolved'),
    (error: unknown) => error,
  );
}

interface Remote {
  readonly server: HranaServer;
  readonly database: Database;
  /** Cuts the connection at the next request that contains this SQL text. */
  failAt(sql: string, fault: HranaFault): void;
}

async function remote(): Promise<Remote> {
  let planned: { sql: string; fault: HranaFault } | undefined;
  const server = await startSqlServer({
    path: join(temporaryDirectory(), 'store.db'),
    // Of streams whose connection is cut, the server rolls back soon; no other one is to expire, however slow the machine is.
    streamTimeout: 600_000,
    busyTimeout: 60_000,
    fault: (texts) => {
      const plan = planned;
      if (plan === undefined || !texts.some((text) => text.startsWith(plan.sql))) return undefined;
      planned = undefined;
      return plan.fault;
    },
  });
  onTestFinished(() => server.close());
  const database = await openDatabase(server.url);
  await database.write((tx) => tx.run('CREATE TABLE t (a)'));
  return {
    server,
    database,
    failAt: (sql, fault) => {
      planned = { sql, fault };
    },
  };
}

describe('Database over the network', () => {
  it.each([
    ['drop-answer', [[1n], [2n], [3n]]],
    ['drop-request', [[3n]]],
  ] as const)('a COMMIT without an answer (%s) is reported as unknown to the whole group', async (fault, stored) => {
    const { database, failAt } = await remote();
    failAt('COMMIT', fault);
    const settled = await Promise.allSettled(
      [1, 2].map((a) => database.write((tx) => tx.run('INSERT INTO t VALUES (?)', [a]))),
    );
    for (const one of settled)
      expect(one).toMatchObject({ status: 'rejected', reason: expect.any(CommitUnknownError) });
    // The queue continues, and reading determines the outcome.
    await database.write((tx) => tx.run('INSERT INTO t VALUES (3)'));
    expect(await database.query('SELECT a FROM t ORDER BY a')).toEqual(stored);
  });

  it.each(['drop-answer', 'drop-request'] as const)(
    'a connection lost inside a group (%s) stores nothing of it',
    async (fault) => {
      const { database, failAt } = await remote();
      failAt('INSERT INTO t VALUES (2)', fault);
      const settled = await Promise.allSettled(
        [1, 2, 3].map((a) => database.write((tx) => tx.run(`INSERT INTO t VALUES (${a})`))),
      );
      expect(settled[0]).toMatchObject({ status: 'rejected', reason: expect.any(WriteAbortedError) });
      expect(settled[1]).toMatchObject({ status: 'rejected', reason: expect.any(WriteAbortedError) });
      expect(settled[2]?.status).toBe('fulfilled');
      expect(await database.query('SELECT a FROM t')).toEqual([[3n]]);
    },
  );

  it('a body that swallows a lost connection is not acknowledged', async () => {
    const { database, failAt } = await remote();
    failAt('INSERT INTO t VALUES (2)', 'drop-answer');
    const error = await failure(
      database.write(async (tx) => {
        await tx.run('INSERT INTO t VALUES (1)');
        await failure(tx.run('INSERT INTO t VALUES (2)'));
        await failure(tx.run('INSERT INTO t VALUES (3)'));
      }),
    );
    expect(error).toBeInstanceOf(WriteAbortedError);
    await database.write((tx) => tx.run('INSERT INTO t VALUES (4)'));
    expect(await database.query('SELECT a FROM t')).toEqual([[4n]]);
  });

  it('a transaction that the server has given up takes no more statements, which would be stored on their own', async () => {
    const { database, server } = await remote();
    const error = await failure(
      database.write(async (tx) => {
        await tx.run("INSERT INTO t VALUES ('slow')");
        server.expireStreams();
        await failure(tx.run("INSERT INTO t VALUES ('late')"));
        await failure(tx.run("INSERT INTO t VALUES ('after')"));
      }),
    );
    expect(error).toBeInstanceOf(WriteAbortedError);
    expect(await database.query('SELECT a FROM t')).toEqual([]);
  });

  it('a body that takes too long loses its transaction, and only it', async () => {
    const { database, server } = await remote();
    const error = await failure(
      database.write(async (tx) => {
        await tx.run('INSERT INTO t VALUES (1)');
        server.expireStreams();
        await tx.run('INSERT INTO t VALUES (2)');
      }),
    );
    expect(error).toBeInstanceOf(WriteAbortedError);
    expect(error).toMatchObject({ cause: { code: 'TRANSACTION_TIMEOUT' } });
    expect(storageFailure(error)).toMatch(/has ended the transaction/);
    await database.write((tx) => tx.run('INSERT INTO t VALUES (3)'));
    expect(await database.query('SELECT a FROM t')).toEqual([[3n]]);
  });

  it('a transaction that is lost before its COMMIT gets there is known to have stored nothing', async () => {
    const { database, server } = await remote();
    const error = await failure(
      database.write(async (tx) => {
        await tx.run('INSERT INTO t VALUES (1)');
        server.expireStreams();
      }),
    );
    expect(storageFailure(error)).toMatch(/has ended the transaction/);
    expect(await database.query('SELECT a FROM t')).toEqual([]);
  });

  it('a server that is down rejects reads, writes and ping; close still works', async () => {
    const { database, server } = await remote();
    await server.close();
    await failure(database.ping());
    await failure(database.query('SELECT 1'));
    const settled = await Promise.allSettled(
      [1, 2, 3].map((a) => database.write((tx) => tx.run('INSERT INTO t VALUES (?)', [a]))),
    );
    expect(settled.map((one) => one.status)).toEqual(['rejected', 'rejected', 'rejected']);
    await database.close();
  });

  it('sends the token', async () => {
    const server = await startSqlServer({ path: join(temporaryDirectory(), 'store.db'), authToken: 'right' });
    onTestFinished(() => server.close());
    const allowed = await openDatabase(server.url, { authToken: 'right' });
    await allowed.ping();
    for (const authToken of ['wrong', undefined]) {
      const rejected = await failure(openDatabase(server.url, authToken === undefined ? {} : { authToken }));
      expect(rejected).toBeInstanceOf(DatabaseOpenError);
      expect(String(rejected)).toMatch(/^.*cannot be opened: .*token.*$/);
    }
  });
});

describe('the libSQL server for tests', () => {
  async function start(): Promise<{
    post(path: string, body: unknown): Promise<[number, unknown]>;
    server: HranaServer;
  }> {
    const server = await startSqlServer({ path: join(temporaryDirectory(), 'store.db') });
    onTestFinished(() => server.close());
    return {
      server,
      post: async (path, body) => {
        const answer = await fetch(server.url + path, { method: 'POST', body: JSON.stringify(body) });
        const isJson = answer.headers.get('content-type') === 'application/json';
        const content: unknown = isJson ? await answer.json() : await answer.text();
        return [answer.status, content];
      },
    };
  }

  const stmt = (sql: string): object => ({ type: 'execute', stmt: { sql } });

  function batonOf(body: unknown): string {
    if (typeof body === 'object' && body !== null && 'baton' in body && typeof body.baton === 'string')
      return body.baton;
    return expect.fail(`no baton in ${JSON.stringify(body)}`);
  }

  it('responds to version probes, and rejects Protobuf', async () => {
    const { server, post } = await start();
    const statuses = ['/v2', '/v3', '/v3-protobuf'].map(async (path) => (await fetch(server.url + path)).status);
    expect(await Promise.all(statuses)).toEqual([200, 200, 404]);
    expect((await post('/v3-protobuf/pipeline', {}))[0]).toBe(404);
  });

  it('version 3 knows the autocommit state', async () => {
    const { post } = await start();
    const steps = [
      { stmt: { sql: 'BEGIN' }, condition: { type: 'is_autocommit' } },
      { stmt: { sql: 'SELECT 1' }, condition: { type: 'is_autocommit' } },
      {
        stmt: { sql: 'SELECT 2' },
        condition: {
          type: 'and',
          conds: [
            { type: 'ok', step: 0 },
            { type: 'not', cond: { type: 'ok', step: 1 } },
          ],
        },
      },
      {
        stmt: { sql: 'SELECT 3' },
        condition: {
          type: 'or',
          conds: [
            { type: 'error', step: 0 },
            { type: 'error', step: 2 },
          ],
        },
      },
    ];
    const requests = [{ type: 'get_autocommit' }, { type: 'batch', batch: { steps } }, { type: 'get_autocommit' }];
    const [status, body] = await post('/v3/pipeline', { requests });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      results: [
        { type: 'ok', response: { type: 'get_autocommit', is_autocommit: true } },
        {
          response: {
            result: {
              step_results: [{}, null, { rows: [[{ type: 'integer', value: '2' }]] }, null],
              step_errors: [null, null, null, null],
            },
          },
        },
        { type: 'ok', response: { type: 'get_autocommit', is_autocommit: false } },
      ],
    });
    expect((await post('/v2/pipeline', { requests: [{ type: 'get_autocommit' }] }))[0]).toBe(400);
  });

  it('keeps texts, describes and runs sequences', async () => {
    const { post } = await start();
    const [, body] = await post('/v2/pipeline', {
      requests: [
        { type: 'sequence', sql: 'CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)' },
        { type: 'store_sql', sql_id: 5, sql: 'SELECT a FROM t WHERE a > :least' },
        {
          type: 'execute',
          stmt: { sql_id: 5, named_args: [{ name: 'least', value: { type: 'integer', value: '1' } }] },
        },
        {
          type: 'execute',
          stmt: { sql_id: 5, named_args: [{ name: ':least', value: { type: 'float', value: 0.5 } }], want_rows: false },
        },
        { type: 'describe', sql_id: 5 },
        { type: 'close_sql', sql_id: 5 },
        stmt('SELECT * FROM nowhere'),
        stmt('SELECT 1; SELECT 2'),
        { type: 'close' },
      ],
    });
    expect(body).toMatchObject({
      baton: null,
      results: [
        { response: { type: 'sequence' } },
        { response: { type: 'store_sql' } },
        {
          response: {
            result: { cols: [{ name: 'a', decltype: 'INTEGER' }], rows: [[{ type: 'integer', value: '2' }]] },
          },
        },
        { response: { result: { rows: [] } } },
        { response: { result: { params: [{ name: ':least' }], is_readonly: true, is_explain: false } } },
        { response: { type: 'close_sql' } },
        { type: 'error', error: { code: 'SQL_INPUT_ERROR' } },
        { type: 'error', error: { code: 'SQL_MANY_STATEMENTS' } },
        { response: { type: 'close' } },
      ],
    });
    expect(await post('/v2/pipeline', { requests: [{ type: 'execute', stmt: { sql_id: 5 } }] })).toEqual([
      400,
      expect.any(String),
    ]);
  });

  it('a baton is good for one request, and not after the stream has expired', async () => {
    const { post, server } = await start();
    const [, first] = await post('/v2/pipeline', {
      requests: [stmt('CREATE TABLE t (a)'), stmt('BEGIN IMMEDIATE'), stmt('INSERT INTO t VALUES (1)')],
    });
    const baton = batonOf(first);
    const [, second] = await post('/v2/pipeline', { baton, requests: [stmt('INSERT INTO t VALUES (2)')] });
    expect(await post('/v2/pipeline', { baton, requests: [stmt('COMMIT')] })).toEqual([400, 'Received a reused baton']);
    expect(await post('/v2/pipeline', { baton: 'made up', requests: [] })).toEqual([400, 'Received an invalid baton']);
    server.expireStreams();
    expect(server.openStreams).toBe(0);
    const [status, expired] = await post('/v2/pipeline', { baton: batonOf(second), requests: [stmt('COMMIT')] });
    expect([status, expired]).toMatchObject([500, { code: 'STREAM_EXPIRED' }]);
    const [, after] = await post('/v2/pipeline', { requests: [stmt('SELECT count(*) FROM t'), { type: 'close' }] });
    expect(after).toMatchObject({
      results: [{ response: { result: { rows: [[{ type: 'integer', value: '0' }]] } } }, {}],
    });
  });

  it.each([
    ['not an object', [1]],
    ['no requests', {}],
    ['an unknown request', { requests: [{ type: 'dance' }] }],
    [
      'an integer out of range',
      {
        requests: [
          { type: 'execute', stmt: { sql: 'SELECT ?', args: [{ type: 'integer', value: '9223372036854775808' }] } },
        ],
      },
    ],
  ])('rejects %s with 400', async (_, body) => {
    const { post } = await start();
    expect((await post('/v2/pipeline', body))[0]).toBe(400);
  });

  it('a waiting writer does not hold up others, and gives up in the end', async () => {
    const server = await startSqlServer({ path: join(temporaryDirectory(), 'store.db'), busyTimeout: 60 });
    onTestFinished(() => server.close());
    const client = createClient({ url: server.url });
    await client.execute('CREATE TABLE t (a)');
    const holder = await client.transaction('write');
    await holder.execute('INSERT INTO t VALUES (1)');
    const waiting = failure(client.execute('INSERT INTO t VALUES (2)'));
    expect((await client.execute('SELECT count(*) FROM t')).rows[0]?.[0]).toBe(0);
    expect(await waiting).toMatchObject({ code: 'SQLITE_BUSY' });
    await holder.commit();
    await client.batch(['INSERT INTO t VALUES (3)', 'INSERT INTO t VALUES (4)'], 'write');
    expect((await client.execute('SELECT count(*) FROM t')).rows[0]?.[0]).toBe(3);
  });
});
