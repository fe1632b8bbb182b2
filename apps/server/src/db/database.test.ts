/** Reads and writes of a store over both ways of access. */
import { join } from 'node:path';
import type { Client } from '@libsql/client';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Database, DatabaseClosedError, WriteAbortedError, WriteInWriteError, type Writer } from './database.ts';
import { openDatabase } from './open-database.ts';
import { failure, insert, items, type Opened, ways } from './testing/access-ways.ts';
import { temporaryDirectory } from './testing/temporary.ts';

describe.each(ways)('$name', ({ open, missing }) => {
  let another: () => Promise<Opened>;
  let client: Client;
  let database: Database;
  let begun: Opened['begun'];
  let drafts: boolean;

  beforeEach(async ({ skip }) => {
    if (missing !== undefined) return skip(missing);
    another = await open();
    ({ client, database, begun, drafts } = await another());
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

  describe('Database.query', () => {
    it('gives rows that are real arrays, with and without LIMIT 1', async () => {
      await Promise.all([1, 2, 3].map((id) => database.write(add(id))));
      const rows = await database.query('SELECT id, name FROM items ORDER BY id');
      expect(rows.map(([id, name]) => `${id}${name}`)).toEqual(['1n1', '2n2', '3n3']);
      expect(await database.query('SELECT id FROM items WHERE id > ? ORDER BY id LIMIT 1', [1])).toStrictEqual([[2n]]);
      expect(await database.query('SELECT id FROM items WHERE id > ? ORDER BY id LIMIT 1', [9])).toStrictEqual([]);
      expect(await database.query('SELECT id FROM items WHERE id > 9')).toStrictEqual([]);
    });

    it('reads more rows than one fetch of the binding', async () => {
      const sql = 'WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n WHERE x < ?) SELECT x FROM n';
      for (const count of [99, 100, 101, 1000]) {
        const rows = await database.query(sql, [count]);
        expect(rows.map((row) => row[0])).toEqual(Array.from({ length: count }, (_, i) => BigInt(i + 1)));
      }
    });

    it.each([
      "INSERT INTO items VALUES (1, 'a', 1)",
      "INSERT INTO items VALUES (1, 'a', 1) RETURNING id",
      'WITH a AS (SELECT 1) DELETE FROM items',
      'CREATE TABLE more (a)',
      'BEGIN IMMEDIATE',
    ])('rejects to write: %s', async (sql) => {
      await database.write(add(7));
      expect(await failure(database.query(sql))).toBeInstanceOf(TypeError);
      expect(await names()).toEqual(['n7']);
    });

    it('sees a write as soon as it is acknowledged, and not before', async () => {
      let inside: unknown;
      await database.write(async (tx) => {
        await add(1)(tx);
        inside = await names();
        expect(await tx.query('SELECT name FROM items')).toEqual([['n1']]);
      });
      expect(inside).toEqual([]);
      expect(await names()).toEqual(['n1']);
    });

    it('ping resolves', async () => {
      await database.ping();
    });
  });

  describe('Database.write', () => {
    it('20 interactive writes at once all succeed', async () => {
      await database.write((tx) => tx.run(insert, [1, 'counter', 0]));
      const seen = await Promise.all(
        Array.from({ length: 20 }, () =>
          database.write(async (tx) => {
            const [row] = await tx.query('SELECT size FROM items WHERE id = 1 LIMIT 1');
            await new Promise((resolve) => setTimeout(resolve, 1));
            const next = Number(row?.[0]) + 1;
            await tx.run('UPDATE items SET size = ? WHERE id = 1', [next]);
            return next;
          }),
        ),
      );
      expect(seen).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
      expect(await database.query('SELECT size FROM items')).toEqual([[20n]]);
    });

    it('20 interactive transactions of the client at once all succeed', async () => {
      await Promise.all(
        Array.from({ length: 20 }, async (_, id) => {
          const tx = await client.transaction('write');
          await tx.execute('SELECT count(*) FROM items');
          await tx.execute({ sql: insert, args: [id, `n${id}`, 1] });
          await tx.commit();
        }),
      );
      expect(await names()).toHaveLength(20);
    });

    it('writes that wait together share a transaction, 64 at most', async () => {
      await Promise.all(Array.from({ length: 64 }, (_, id) => database.write(add(id))));
      expect(begun()).toBe(1);
      await Promise.all(Array.from({ length: 65 }, (_, id) => database.write(add(100 + id))));
      expect(begun()).toBe(3);
      expect(await names()).toHaveLength(129);
    });

    it('runs in the order of the calls, and later bodies see earlier ones', async () => {
      const counts = await Promise.all(
        [1, 2, 3, 4, 5].map((id) =>
          database.write(async (tx) => {
            await add(id)(tx);
            return (await tx.query('SELECT group_concat(id) FROM (SELECT id FROM items ORDER BY id)'))[0]?.[0];
          }),
        ),
      );
      expect(counts).toEqual(['1', '1,2', '1,2,3', '1,2,3,4', '1,2,3,4,5']);
    });

    it('a body that throws rolls back only its own changes', async () => {
      const settled = await Promise.allSettled([
        database.write(add(1)),
        database.write(async (tx) => {
          await add(2)(tx);
          await tx.run('DELETE FROM items WHERE id = 1');
          throw new RangeError('mine');
        }),
        database.write(async (tx) => {
          await add(3)(tx);
          await add(4, 'n1')(tx);
        }),
        database.write(async (tx) => {
          await add(5)(tx);
          await failure(add(6, 'n1')(tx));
          await add(7)(tx);
        }),
      ]);
      expect(settled.map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
      expect(settled[1]).toMatchObject({ reason: new RangeError('mine') });
      expect(settled[2]).toMatchObject({ reason: { code: 'SQLITE_CONSTRAINT' } });
      expect(await names()).toEqual(['n1', 'n5', 'n7']);
    });

    it('a body alone that throws leaves nothing', async () => {
      const error = await failure(
        database.write(async (tx) => {
          await add(1)(tx);
          throw new Error('no');
        }),
      );
      expect(error).toEqual(new Error('no'));
      expect(await names()).toEqual([]);
    });

    it('any mix of good and bad bodies stores exactly the good ones', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom('good', 'rejects', 'throws', 'constraint'), { maxLength: 80 }),
          fc.constantFrom('all', 'some', 'none'),
          async (kinds, repeatable) => {
            await database.write((tx) => tx.run('DELETE FROM items'));
            const results = await Promise.allSettled(
              kinds.map((kind, id) =>
                database.write(
                  async (tx) => {
                    if (kind === 'rejects') throw new Error(kind);
                    await add(id)(tx);
                    if (kind === 'throws') throw new Error(kind);
                    if (kind === 'constraint') await tx.run(insert, [1000 + id, 'x', -1]);
                  },
                  { repeatable: repeatable === 'all' || (repeatable === 'some' && id % 2 === 0) },
                ),
              ),
            );
            expect(results.map((one) => one.status)).toEqual(
              kinds.map((k) => (k === 'good' ? 'fulfilled' : 'rejected')),
            );
            expect(await names()).toEqual(kinds.flatMap((kind, id) => (kind === 'good' ? [`n${id}`] : [])));
          },
        ),
        { numRuns: 24 },
      );
    });

    describe('bodies that can be repeated', () => {
      const repeatable = { repeatable: true };

      /** Runs bodies together, and gives the number of times that each ran. */
      async function runs(
        bodies: readonly ((tx: Writer) => Promise<unknown>)[],
        options = bodies.map(() => repeatable),
      ) {
        const counts = bodies.map(() => 0);
        const writes = bodies.map((body, place) =>
          database.write((tx) => {
            counts[place] = (counts[place] ?? 0) + 1;
            return body(tx);
          }, options[place]),
        );
        await Promise.allSettled(writes);
        return counts;
      }
      const rejects = async () => {
        throw new Error('no');
      };
      const throwsLate = async (tx: Writer) => {
        await add(99)(tx);
        throw new Error('too late');
      };

      it('run once where all succeed, or fail before they write, or once more as a draft', async () => {
        expect(await runs([add(1), rejects, add(2)])).toEqual(drafts ? [2, 2, 2] : [1, 1, 1]);
        expect(await names()).toEqual(['n1', 'n2']);
      });

      it('run again where one of them has failed after it had written', async () => {
        expect(await runs([add(1), rejects, throwsLate, add(2)])).toEqual(drafts ? [2, 2, 2, 2] : [2, 2, 2, 1]);
        expect(await names()).toEqual(['n1', 'n2']);
      });

      it('run once beside one that cannot be repeated, or alone', async () => {
        const mixed = [{ repeatable: false }, repeatable, repeatable];
        const once = drafts ? 2 : 1;
        expect(await runs([add(1), throwsLate, add(2)], mixed)).toEqual([1, once, once]);
        expect(await runs([throwsLate])).toEqual([once]);
        expect(await names()).toEqual(['n1', 'n2']);
      });

      it('have the answer of the transaction that was committed', async () => {
        const count = (tx: Writer) => tx.query('SELECT count(*) FROM items').then((rows) => rows[0]?.[0]);
        const [first, failed, last] = await Promise.allSettled([
          database.write((tx) => add(1)(tx).then(() => count(tx)), repeatable),
          database.write(throwsLate, repeatable),
          database.write(count, repeatable),
        ]);
        expect(first).toEqual({ status: 'fulfilled', value: 1n });
        expect(failed).toMatchObject({ status: 'rejected', reason: new Error('too late') });
        expect(last).toEqual({ status: 'fulfilled', value: 1n });
      });

      it('are lost with a transaction that a statement rolls back, and pending writes get a new one', async () => {
        const settled = await Promise.allSettled([
          database.write(add(1), repeatable),
          database.write((tx) => tx.run("INSERT OR ROLLBACK INTO items VALUES (1, 'again', 1)"), repeatable),
          database.write(add(3), repeatable),
        ]);
        expect(settled[0]).toMatchObject({ status: 'rejected', reason: expect.any(WriteAbortedError) });
        expect(settled[1]).toMatchObject({ status: 'rejected', reason: { cause: { code: 'SQLITE_CONSTRAINT' } } });
        expect(settled[2]?.status).toBe('fulfilled');
        expect(await names()).toEqual(['n3']);
      });
    });

    it('a body that waits for nothing is run like one that does', async () => {
      const settled = await Promise.allSettled([
        database.write((tx) => tx.change(insert, [1, 'n1', 1])),
        database.write((tx) => {
          void tx.change(insert, [2, 'n2', 1]);
          throw new RangeError('at once');
        }),
        database.write(async (tx) => tx.change(insert, [3, 'n3', 1])),
      ]);
      expect(settled).toMatchObject([{ value: 1 }, { reason: new RangeError('at once') }, { value: 1 }]);
      expect(await names()).toEqual(['n1', 'n3']);
    });

    it('a failed COMMIT is acknowledged to no caller, and the queue continues', async () => {
      const settled = await Promise.allSettled([
        database.write(add(1)),
        // A deferred constraint fails at COMMIT only.
        database.write((tx) => tx.run('INSERT INTO later VALUES (99)')),
        database.write(add(2)),
      ]);
      for (const one of settled)
        expect(one).toMatchObject({ status: 'rejected', reason: { code: 'SQLITE_CONSTRAINT' } });
      expect(await names()).toEqual([]);
      await database.write(add(3));
      expect(await names()).toEqual(['n3']);
    });

    it('a statement that rolls the shared transaction back is acknowledged to no caller; pending writes get a new one', async () => {
      const settled = await Promise.allSettled([
        database.write(add(1)),
        database.write((tx) => tx.run("INSERT OR ROLLBACK INTO items VALUES (1, 'again', 1)")),
        database.write(add(3)),
      ]);
      expect(settled[0]).toMatchObject({ status: 'rejected', reason: expect.any(WriteAbortedError) });
      expect(settled[1]).toMatchObject({ status: 'rejected', reason: { cause: { code: 'SQLITE_CONSTRAINT' } } });
      expect(settled[2]?.status).toBe('fulfilled');
      expect(await names()).toEqual(['n3']);
    });

    it('statements still on the way when a body gives up are undone with it', async () => {
      const settled = await Promise.allSettled([
        database.write((tx) => Promise.all([tx.run(insert, [1, 'a', -1]), add(2)(tx), add(3)(tx)])),
        database.write(add(4)),
      ]);
      expect(settled.map((one) => one.status)).toEqual(['rejected', 'fulfilled']);
      expect(await names()).toEqual(['n4']);
    });

    it('a write inside a write is rejected without side effects', async () => {
      const helper = async (): Promise<void> => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        await database.write(add(2));
      };
      let rejected: unknown;
      await database.write(async (tx) => {
        await add(1)(tx);
        rejected = await failure(helper());
      });
      expect(rejected).toBeInstanceOf(WriteInWriteError);
      expect(await names()).toEqual(['n1']);
      // In a body that waits for nothing, and for something that it does not wait for.
      let later: Promise<unknown> | undefined;
      await database.write(() => {
        later = failure(database.write(add(3)));
      });
      expect(await later).toBeInstanceOf(WriteInWriteError);
      expect(await failure(database.write(() => database.close()))).toBeInstanceOf(WriteInWriteError);
    });

    it('what a body has started may write once the body has ended', async () => {
      const ended = Promise.withResolvers<void>();
      let later: Promise<unknown> | undefined;
      await database.write(async (tx) => {
        later = ended.promise.then(() => database.write(add(2)));
        await add(1)(tx);
      });
      ended.resolve();
      await later;
      expect(await names()).toEqual(['n1', 'n2']);
    });

    it('the writer is of no use after its body, and cannot control the transaction', async () => {
      let leaked: Writer | undefined;
      await database.write(async (tx) => {
        leaked = tx;
        for (const sql of ['COMMIT', 'ROLLBACK', 'SAVEPOINT a', '/* */ end']) {
          expect(await failure(tx.run(sql))).toBeInstanceOf(TypeError);
        }
        await add(1)(tx);
      });
      if (leaked === undefined) expect.fail('the body did not run');
      expect(await failure(leaked.run("INSERT INTO items VALUES (2, 'b', 1)"))).toBeInstanceOf(TypeError);
      expect(await failure(leaked.query('SELECT 1'))).toBeInstanceOf(TypeError);
      expect(await names()).toEqual(['n1']);
    });

    it('close lets queued writes finish and rejects new ones', async () => {
      const queued = Promise.all(Array.from({ length: 70 }, (_, id) => database.write(add(id))));
      const closed = database.close();
      expect(database.close()).toBe(closed);
      const late = failure(database.write(add(999)));
      await closed;
      expect(await late).toBeInstanceOf(DatabaseClosedError);
      expect(await queued).toHaveLength(70);
      expect(await failure(database.query('SELECT 1'))).toBeInstanceOf(DatabaseClosedError);
      expect(await failure(database.ping())).toBeInstanceOf(DatabaseClosedError);
      const { client: reopened } = await another();
      expect((await reopened.execute('SELECT count(*) FROM items')).rows[0]?.[0]).toBe(70n);
      reopened.close();
    });

    it('a write to another database inside a write is allowed', async () => {
      const other = await openDatabase(join(temporaryDirectory(), 'other.db'));
      await database.write(async (tx) => {
        await add(1)(tx);
        await other.write((inner) => inner.run('CREATE TABLE a (b)'));
      });
      expect(await other.query("SELECT name FROM sqlite_master WHERE name = 'a'")).toEqual([['a']]);
      await other.close();
    });
  });
});
