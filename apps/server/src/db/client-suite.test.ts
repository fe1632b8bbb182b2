import { type Client, LibsqlBatchError, LibsqlError } from '@libsql/client';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Arg, type Database, violatedConstraint, type Writer } from './database.ts';
import { failure, insert, items, type Opened, ways } from './testing/access-ways.ts';

describe.each(ways)('$name', ({ open, missing }) => {
  let another: () => Promise<Opened>;
  let client: Client;
  let database: Database;

  beforeEach(async ({ skip }) => {
    if (missing !== undefined) return skip(missing);
    another = await open();
    ({ client, database } = await another());
    await client.executeMultiple(items);
    onTestFinished(() => client.close());
  });

  async function names(): Promise<unknown[]> {
    const rows = await database.query('SELECT name FROM items ORDER BY id');
    return rows.map((row) => row[0]);
  }

  function add(id: number, name = `n${id}`): (tx: Writer) => Promise<number> {
    return (tx) => tx.run(insert, [id, name, 1]);
  }

  describe('values', () => {
    const cases: [Arg, unknown, string][] = [
      [9223372036854775807n, 9223372036854775807n, 'integer'],
      [-9223372036854775808n, -9223372036854775808n, 'integer'],
      [9007199254740993n, 9007199254740993n, 'integer'],
      [0, 0n, 'integer'],
      [-7, -7n, 'integer'],
      [true, 1n, 'integer'],
      [false, 0n, 'integer'],
      [0.1, 0.1, 'real'],
      [-123456789012.375, -123456789012.375, 'real'],
      ['', '', 'text'],
      ['12', '12', 'text'],
      ['ß 😀 👩‍👩‍👧 \u{10FFFF} \uFEFF\n"\'', 'ß 😀 👩‍👩‍👧 \u{10FFFF} \uFEFF\n"\'', 'text'],
      [null, null, 'null'],
    ];
    it.each(cases)('%o comes back as %o, stored as %s', async (value, back, type) => {
      await database.write((tx) => tx.run('CREATE TABLE anything (value)'));
      await database.write((tx) => tx.run('INSERT INTO anything VALUES (?)', [value]));
      expect(await database.query('SELECT value, typeof(value) FROM anything')).toStrictEqual([[back, type]]);
      expect(await database.write((tx) => tx.query('SELECT value, ? FROM anything LIMIT 1', [value]))).toStrictEqual([
        [back, back],
      ]);
    });

    it('blobs come back as array buffers of their own', async () => {
      const window = new Uint8Array([9, 0, 255, 128, 9]).subarray(1, 4);
      const result = await client.execute('SELECT ?, ?, typeof(?)', [window, new Uint8Array(0), window]);
      const [full, empty, type] = Array.from(result.rows[0] ?? []);
      expect(full).toStrictEqual(new Uint8Array([0, 255, 128]).buffer);
      expect(empty).toStrictEqual(new ArrayBuffer(0));
      expect(type).toBe('blob');
      expect(await database.query('SELECT ? LIMIT 1', [window])).toStrictEqual([
        [new Uint8Array([0, 255, 128]).buffer],
      ]);
    });

    it('any integer and any text survives', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
          fc.string({ unit: 'binary' }).filter((text) => !/[\0\p{Surrogate}]/u.test(text)),
          async (integer, text) => {
            expect(await database.query('SELECT ?, ?', [integer, text])).toStrictEqual([[integer, text]]);
          },
        ),
        { numRuns: 200 },
      );
    });

    it('arguments that the database would alter are rejected, without side effects', async () => {
      const holes: Arg[] = [1];
      holes.length = 3;
      const bad: Arg[][] = [
        [1, 'a'],
        [1, 'a', 1, 1],
        holes,
        [1, 'a', Number.NaN],
        [1, 'a', Number.NEGATIVE_INFINITY],
        [1, 'a\0b', 1],
        [1, '\ud800', 1],
        [2n ** 63n, 'a', 1],
        [1, 'a', 2 ** 60],
      ];
      for (const args of bad) {
        const error = await failure(database.write((tx) => tx.run(insert, args)));
        expect(error instanceof TypeError || error instanceof RangeError, String(error)).toBe(true);
        const question = await failure(
          database.query('SELECT id FROM items WHERE id = ? AND name = ? AND size = ?', args),
        );
        expect(question instanceof TypeError || question instanceof RangeError, String(question)).toBe(true);
      }
      expect(await names()).toEqual([]);
      await database.write(add(1));
      expect(await names()).toEqual(['n1']);
    });
  });

  describe('the Client contract', () => {
    it('gives rows by index and by name', async () => {
      const { columns, columnTypes, rows, rowsAffected } = await client.execute(
        "SELECT 1 AS id, 'x' AS name, 2.5 AS id, name AS \"length\", size AS toString FROM (SELECT * FROM items UNION SELECT 1, 'y', 3)",
      );
      expect(columns).toEqual(['id', 'name', 'id', 'length', 'toString']);
      expect(columnTypes).toHaveLength(5);
      expect(rowsAffected).toBe(0);
      const row = rows[0];
      expect(row?.length).toBe(5);
      expect([row?.[0], row?.[1], row?.[2], row?.[3], row?.[4], row?.[5]]).toEqual([1n, 'x', 2.5, 'y', 3n, undefined]);
      expect(Object.entries(row ?? {})).toEqual([
        ['id', 1n],
        ['name', 'x'],
        ['toString', 3n],
      ]);
    });

    it('takes named arguments', async () => {
      const args = { ':a': 1n, b: 'two' };
      const { rows } = await client.execute({ sql: 'SELECT :a AS a, @b AS b, :a AS c', args });
      expect({ ...rows[0] }).toEqual({ a: 1n, b: 'two', c: 1n });
    });

    it('counts rows and gives row ids beyond 2^53', async () => {
      const id = 2n ** 62n + 1n;
      const first = await client.execute({ sql: insert, args: [id, 'a', 1n] });
      expect([first.rowsAffected, first.lastInsertRowid]).toEqual([1, id]);
      await client.execute({ sql: insert, args: [5n, 'b', 1n] });
      expect((await client.execute('UPDATE items SET size = size + 1')).rowsAffected).toBe(2);
      const returned = await client.execute('UPDATE items SET size = 7 WHERE id = 5 RETURNING name, size');
      expect(returned.rowsAffected).toBe(1);
      expect({ ...returned.rows[0] }).toEqual({ name: 'b', size: 7n });
      expect((await client.execute('SELECT * FROM items')).rowsAffected).toBe(0);
      expect(await database.write((tx) => tx.run('DELETE FROM items RETURNING id'))).toBe(2);
      expect(await database.write((tx) => tx.run('CREATE TABLE n (a)'))).toBe(0);
    });

    it('runs exactly one statement', async () => {
      const two = await failure(
        client.execute("INSERT INTO items VALUES (1, 'a', 1); INSERT INTO items VALUES (2, 'b', 1)"),
      );
      expect(two).toMatchObject({ code: 'SQL_MANY_STATEMENTS' });
      expect(await failure(client.execute(' -- nothing'))).toMatchObject({ code: 'SQL_NO_STATEMENT' });
      expect(await names()).toEqual([]);
    });

    it.each([0, 1, 2, 3])('a batch with a failure at %i stores nothing', async (index) => {
      const statements = [1, 2, 3].map((id) => ({ sql: insert, args: [id, `n${id}`, 1] }));
      statements.splice(index, 0, { sql: insert, args: [10, 'bad', -1] });
      const error = await failure(client.batch(statements, 'write'));
      expect(error).toBeInstanceOf(LibsqlBatchError);
      expect(error).toMatchObject({ code: 'SQLITE_CONSTRAINT', statementIndex: index });
      expect(await names()).toEqual([]);
      statements.splice(index, 1);
      const results = await client.batch(statements, 'write');
      expect(results.map((result) => result.rowsAffected)).toEqual([1, 1, 1]);
      expect(await names()).toEqual(['n1', 'n2', 'n3']);
    });

    it('an interactive transaction is seen by others when it commits, and never when it does not', async () => {
      const first = await client.transaction('write');
      await first.execute({ sql: insert, args: [1, 'kept', 1] });
      expect((await first.execute('SELECT count(*) FROM items')).rows[0]?.[0]).toBe(1n);
      expect(await names()).toEqual([]);
      await first.commit();
      expect(first.closed).toBe(true);
      expect(await names()).toEqual(['kept']);

      const second = await client.transaction('write');
      await second.batch([{ sql: insert, args: [2, 'rolled back', 1] }]);
      await second.rollback();
      const third = await client.transaction('write');
      await third.executeMultiple("INSERT INTO items VALUES (3, 'closed', 1); DELETE FROM items WHERE id = 1");
      third.close();
      expect(await names()).toEqual(['kept']);
      expect(await failure(third.execute('SELECT 1'))).toMatchObject({ code: 'TRANSACTION_CLOSED' });
    });

    it('migrate rebuilds a table without losing the rows that refer to it', async () => {
      await client.batch(["INSERT INTO items VALUES (1, 'a', 1)", 'INSERT INTO parts VALUES (1)'], 'write');
      await client.migrate([
        'CREATE TABLE renewed (id INTEGER PRIMARY KEY, name TEXT, size INTEGER, more TEXT)',
        'INSERT INTO renewed SELECT id, name, size, NULL FROM items',
        'DROP TABLE items',
        'ALTER TABLE renewed RENAME TO items',
      ]);
      expect(await database.query('SELECT item FROM parts')).toEqual([[1n]]);
      const orphan = await failure(client.execute('INSERT INTO parts VALUES (99)'));
      expect(violatedConstraint(orphan)).toBe('foreign key');
    });

    it('rejects work after close, and works again after reconnect', async () => {
      client.close();
      expect(client.closed).toBe(true);
      await failure(client.execute('SELECT 1'));
      await failure(client.execute("INSERT INTO items VALUES (1, 'a', 1)"));
      await failure(client.batch(['SELECT 1'], 'write'));
      await failure(client.executeMultiple('SELECT 1'));
      await failure(client.transaction('write').then((tx) => tx.execute('SELECT 1')));
      await client.reconnect();
      expect(client.closed).toBe(false);
      expect((await client.execute('SELECT count(*) FROM items')).rows[0]?.[0]).toBe(0n);
    });
  });

  describe('errors', () => {
    it('distinguishes the kinds of constraint', async () => {
      await database.write(add(1, 'taken'));
      const kinds: [string, string][] = [
        ["INSERT INTO items VALUES (1, 'x', 1)", 'unique'],
        ["INSERT INTO items VALUES (2, 'taken', 1)", 'unique'],
        ["INSERT INTO items VALUES (2, 'x', NULL)", 'not null'],
        ["INSERT INTO items VALUES (2, 'x', -1)", 'check'],
        ['INSERT INTO parts VALUES (99)', 'foreign key'],
      ];
      for (const [sql, kind] of kinds) {
        for (const error of [await failure(client.execute(sql)), await failure(database.write((tx) => tx.run(sql)))]) {
          expect(error).toBeInstanceOf(LibsqlError);
          expect(error).toMatchObject({ code: 'SQLITE_CONSTRAINT' });
          expect(violatedConstraint(error), sql).toBe(kind);
        }
      }
      expect(violatedConstraint(await failure(client.execute('SELECT * FROM nowhere')))).toBeUndefined();
      expect(await names()).toEqual(['taken']);
    });

    it('cached statements survive constraint errors and schema changes', async () => {
      const all = 'SELECT * FROM items ORDER BY id';
      for (let round = 0; round < 3; round++) {
        await failure(database.write((tx) => tx.run(insert, [1, 'a', -1])));
        await database.write((tx) => tx.run(insert, [round, `r${round}`, 1]));
      }
      expect(await database.query(all)).toHaveLength(3);
      // From another client, as another process would do it.
      const { client: other } = await another();
      await other.execute("ALTER TABLE items ADD COLUMN colour TEXT DEFAULT 'red'");
      // By name: a connection of sqld that does not know of the change yet would give what `*` was.
      const [row] = await database.query('SELECT id, name, size, colour FROM items ORDER BY id');
      expect(row).toEqual([0n, 'r0', 1n, 'red']);
      const named = await client.execute(all);
      expect(named.columns).toEqual(['id', 'name', 'size', 'colour']);
      expect(named.rows[0]?.colour).toBe('red');
      await other.execute('ALTER TABLE items RENAME COLUMN colour TO shade');
      expect((await client.execute(all)).rows[0]?.shade).toBe('red');
      other.close();
      await database.write((tx) => tx.run(insert, [9, 'r9', 1]));
      expect(await database.query(all)).toHaveLength(4);
    });
  });
});
