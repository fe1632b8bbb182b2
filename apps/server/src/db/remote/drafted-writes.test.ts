/** Writes by drafts: two round trips for a group, and never anything else than what the bodies do. */
import { join } from 'node:path';
import { type ProxyServer, startProxy } from '@broadside/test-servers/proxy';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Database, violatedConstraint, type Writer } from '../database.ts';
import { startSqlServer } from '../testing/sql-server.ts';
import { temporaryDirectory } from '../testing/temporary.ts';
import { openRemote } from './open-remote.ts';

const repeatable = { repeatable: true };

describe('writes by drafts', () => {
  let database: Database;
  let other: Database;
  let proxy: ProxyServer;

  async function open(port: number): Promise<Database> {
    const opened = new Database(await openRemote(`http://127.0.0.1:${port}`, {}));
    onTestFinished(() => opened.close());
    return opened;
  }

  beforeEach(async () => {
    const server = await startSqlServer({ path: join(temporaryDirectory(), 'store.db'), busyTimeout: 60_000 });
    onTestFinished(() => server.close());
    const port = Number(new URL(server.url).port);
    proxy = await startProxy(port);
    onTestFinished(() => proxy.close());
    database = await open(proxy.port);
    other = await open(port);
    await database.write((tx) => tx.run('CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)'));
    await database.write((tx) => tx.run('CREATE TABLE sums (n INTEGER)'));
    await database.write((tx) => tx.run('INSERT INTO sums VALUES (0)'));
    await database.write((tx) =>
      tx.run('CREATE TRIGGER counts AFTER INSERT ON t BEGIN UPDATE sums SET n = n + 1; END'),
    );
  });

  const insert = (tx: Writer, a: number) => tx.run('INSERT INTO t VALUES (?, ?)', [a, 'x']);
  const sum = async (tx: Writer) => Number((await tx.query('SELECT n FROM sums'))[0]?.[0]);
  const stored = async () => (await other.query('SELECT a FROM t ORDER BY a')).map(([a]) => Number(a));

  async function roundTrips(work: () => Promise<unknown>): Promise<number> {
    const before = proxy.roundTrips;
    await work();
    return proxy.roundTrips - before;
  }

  it('a body that reads what it has written takes a round trip for its reads, one for its statements and one for COMMIT', async () => {
    let seen: number[] = [];
    const trips = await roundTrips(() =>
      database.write(async (tx) => {
        seen = [];
        for (const a of [1, 2, 3]) {
          await insert(tx, a);
          seen.push(await sum(tx));
        }
      }, repeatable),
    );
    expect(trips).toBe(3);
    expect(seen).toEqual([1, 2, 3]);
    expect(await stored()).toEqual([1, 2, 3]);
  });

  it('bodies that wait together share these round trips', async () => {
    const trips = await roundTrips(() =>
      Promise.all(Array.from({ length: 20 }, (_, a) => database.write((tx) => insert(tx, a), repeatable))),
    );
    expect(trips).toBe(2);
    expect(await stored()).toHaveLength(20);
  });

  it('a write whose draft takes its time does not keep those before it waiting', async () => {
    const before = Promise.withResolvers<void>();
    const first = database.write((tx) => insert(tx, 1), repeatable).then(() => before.resolve());
    const second = database.write(async (tx) => {
      await before.promise;
      await insert(tx, 2);
    }, repeatable);
    await Promise.all([first, second]);
    expect(await stored()).toEqual([1, 2]);
  });

  it('a body that cannot be repeated does not slow down those beside it', async () => {
    const slow = database.write(async (tx) => {
      for (let a = 100; a < 110; a += 1) await insert(tx, a);
    });
    const trips = await roundTrips(() => Promise.all([slow, database.write((tx) => insert(tx, 1), repeatable)]));
    expect(trips).toBe(13);
    expect(await stored()).toHaveLength(11);
  });

  it('a constraint names its body, and the others are stored without another round trip', async () => {
    let settled: PromiseSettledResult<number>[] = [];
    const trips = await roundTrips(async () => {
      settled = await Promise.allSettled([1, 2, 1, 3].map((a) => database.write((tx) => insert(tx, a), repeatable)));
    });
    expect(trips).toBe(2);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(settled.map((one) => (one.status === 'rejected' ? violatedConstraint(one.reason) : undefined))[2]).toBe(
      'unique',
    );
    expect(await stored()).toEqual([1, 2, 3]);
  });

  it('a body that goes on after an error is run in the transaction itself', async () => {
    await database.write((tx) => insert(tx, 1), repeatable);
    const tried = async (tx: Writer) => {
      const error = await insert(tx, 1).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (error !== undefined) await insert(tx, 2);
      return violatedConstraint(error);
    };
    const [first, second] = await Promise.all([
      database.write(tried, repeatable),
      database.write((tx) => insert(tx, 9), repeatable),
    ]);
    expect([first, second]).toEqual(['unique', 1]);
    expect(await stored()).toEqual([1, 2, 9]);
  });

  it('what has changed since the draft decides', async () => {
    let isFirst = true;
    const result = await database.write(async (tx) => {
      const n = await sum(tx);
      if (isFirst) {
        isFirst = false;
        await other.write((inner) => insert(inner, 100));
      }
      await insert(tx, 10 + n);
      return n;
    }, repeatable);
    expect(result).toBe(1);
    expect(await stored()).toEqual([11, 100]);
  });

  it('a body that decides by what it has written takes one round trip more, beside others that do not', async () => {
    let ids = 0n;
    // Its second row has the number of rows that it finds, among them its first.
    const depends = async (tx: Writer) => {
      const id = Number(tx.draws?.sequence(() => (ids += 1n)));
      await insert(tx, 1000 + id);
      await insert(tx, 100 + (await sum(tx)));
    };
    // One for what the draft reads, two to play, and COMMIT.
    expect(await roundTrips(() => database.write(depends, repeatable))).toBe(4);
    expect(await stored()).toEqual([101, 1001]);
    const beside = () => database.write((tx) => insert(tx, 1), repeatable);
    expect(await roundTrips(() => Promise.all([database.write(depends, repeatable), beside()]))).toBe(4);
    expect(await stored()).toEqual([1, 101, 103, 1001, 1002]);
  });

  it('a body that is never what its draft was is run in the transaction itself', async () => {
    let runs = 0;
    await database.write(async (tx) => {
      runs += 1;
      await insert(tx, runs);
    }, repeatable);
    expect(await stored()).toEqual([runs]);
  });

  it('a body that decides against its draft leaves nothing, and the others stay', async () => {
    let isFirst = true;
    const settled = await Promise.allSettled([
      database.write((tx) => insert(tx, 1), repeatable),
      database.write(async (tx) => {
        await insert(tx, 2);
        if (!isFirst) throw new Error('too many');
        isFirst = false;
      }, repeatable),
      database.write((tx) => insert(tx, 3), repeatable),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await stored()).toEqual([1, 3]);
  });

  it('values from outside of the store are the same in both runs', async () => {
    let made = 0n;
    const next = () => {
      made += 1n;
      return made;
    };
    const body = async (tx: Writer) => {
      const at = tx.draws?.time(() => `t${next()}`) ?? 'undrawn';
      const seq = tx.draws?.sequence(next) ?? 0n;
      await tx.run('INSERT INTO t VALUES (?, ?)', [seq, at]);
    };
    expect(await roundTrips(() => database.write(body, repeatable))).toBe(2);
    expect(await other.query('SELECT a, b FROM t')).toEqual([[2n, 't1']]);
  });

  it('any mix of bodies gives what they give one after the other', async () => {
    const kinds = fc.constantFrom('insert', 'same', 'late', 'early', 'caught', 'counted', 'returning');
    await fc.assert(
      fc.asyncProperty(fc.array(kinds, { minLength: 1, maxLength: 8 }), async (bodies) => {
        await other.write(async (tx) => {
          await tx.run('DELETE FROM t');
          await tx.run('UPDATE sums SET n = 0');
          await insert(tx, 0);
        });
        const run = (kind: (typeof bodies)[number], a: number) => async (tx: Writer) => {
          if (kind === 'early') throw new Error('early');
          if (kind === 'caught') await insert(tx, 0).catch(() => {});
          if (kind === 'returning') await tx.query('INSERT INTO t VALUES (?, ?) RETURNING a', [a, 'x']);
          else if (kind === 'counted') await insert(tx, 1000 * a + (await sum(tx)));
          else await insert(tx, kind === 'same' ? 0 : a);
          if (kind === 'late') throw new Error('late');
          return sum(tx);
        };
        const settled = await Promise.allSettled(bodies.map((kind, i) => database.write(run(kind, i + 1), repeatable)));
        let count = 1;
        const rows = [0];
        const expected = bodies.map((kind, i) => {
          if (kind === 'early' || kind === 'late' || kind === 'same') return 'rejected';
          rows.push(kind === 'counted' ? 1000 * (i + 1) + count : i + 1);
          count += 1;
          return count;
        });
        expect(settled.map((one) => (one.status === 'fulfilled' ? one.value : 'rejected'))).toEqual(expected);
        expect(await stored()).toEqual(rows.toSorted((a, b) => a - b));
      }),
      { numRuns: 60 },
    );
  });
});
