/** Drafts that are played together give what they give one after the other, in fewer statements. */
import { join } from 'node:path';
import { type ProxyServer, startProxy } from '@broadside/test-servers/proxy';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Writer } from '../access.ts';
import { Database, violatedConstraint } from '../database.ts';
import type { Draft, DraftedStatement } from '../session.ts';
import { startSqlServer } from '../testing/sql-server.ts';
import { temporaryDirectory } from '../testing/temporary.ts';
import { jointScript } from './joint-script.ts';
import { openRemote } from './open-remote.ts';
import { effectsOf } from './trigger-effects.ts';

const INSERT = {
  one: 'INSERT INTO "one" ("id", "n") VALUES (?, ?)',
  two: 'INSERT OR FAIL INTO "two" ("id", "n") VALUES (?, ?)',
  log: 'INSERT INTO "log" ("text") VALUES (?)',
};
const SCHEMA = [
  'CREATE TABLE one (id INTEGER PRIMARY KEY, n INTEGER)',
  'CREATE TABLE two (id INTEGER PRIMARY KEY, n INTEGER)',
  'CREATE TABLE log (seq INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT)',
  'CREATE TABLE sums (n INTEGER)',
  'CREATE TABLE sums_of_sums (n INTEGER)',
  'INSERT INTO sums VALUES (0)',
  'INSERT INTO sums_of_sums VALUES (0)',
  'CREATE TRIGGER counts AFTER INSERT ON one BEGIN UPDATE "sums" SET n = n + NEW.n; END',
  'CREATE TRIGGER more AFTER UPDATE ON sums BEGIN UPDATE sums_of_sums SET n = n * 3 + NEW.n; END',
];
const READS = {
  one: 'SELECT "n" FROM "one" WHERE "id" = ?',
  two: 'SELECT "n" FROM "two" WHERE "id" = ?',
  count: 'SELECT count(*) FROM "two"',
  log: 'SELECT max("seq") FROM "log" WHERE 1',
  sums: 'SELECT "n" FROM "sums" LIMIT 1',
  deep: 'SELECT "n" FROM "sums_of_sums"',
  both: 'SELECT (SELECT max("id") FROM "one") + (SELECT count(*) FROM "two")',
};

interface Step {
  readonly kind: 'one' | 'two' | 'log' | 'update' | keyof typeof READS;
  readonly is: 'read' | 'write';
}

const writes = fc.constantFrom('one', 'two', 'log', 'update').map((kind): Step => ({ kind, is: 'write' }));
const reads = fc
  .constantFrom('one', 'two', 'count', 'log', 'sums', 'deep', 'both')
  .map((kind): Step => ({ kind, is: 'read' }));
const bodies = fc.array(fc.array(fc.oneof(writes, reads), { maxLength: 6 }), { minLength: 1, maxLength: 9 });

/** Runs steps and returns what they gave. @param i which one of several bodies it is */
async function run(tx: Writer, steps: readonly Step[], i: number): Promise<string[]> {
  const given: string[] = [];
  for (const [k, { kind, is }] of steps.entries()) {
    const id = 100 * i + k;
    if (is === 'read') {
      const asked = kind === 'one' || kind === 'two' ? [100] : [];
      const rows = await tx.query(READS[kind === 'update' ? 'sums' : kind], asked);
      given.push(String(rows));
    } else if (kind === 'update')
      given.push(String(await tx.run('UPDATE "two" SET "n" = "n" + 1 WHERE "id" < ?', [id])));
    else if (kind === 'log') given.push(String(await tx.run(INSERT.log, [`${id}`])));
    else given.push(String(await tx.run(kind === 'one' ? INSERT.one : INSERT.two, [id, i + k])));
  }
  return given;
}

describe('drafts that are played together', () => {
  let database: Database;
  let plain: Database;
  let proxy: ProxyServer;

  beforeEach(async () => {
    const server = await startSqlServer({ path: join(temporaryDirectory(), 'store.db') });
    onTestFinished(() => server.close());
    proxy = await startProxy(Number(new URL(server.url).port));
    onTestFinished(() => proxy.close());
    database = new Database(await openRemote(`http://127.0.0.1:${proxy.port}`, {}));
    onTestFinished(() => database.close());
    const other = await startSqlServer({ path: join(temporaryDirectory(), 'other.db') });
    onTestFinished(() => other.close());
    plain = new Database(await openRemote(other.url, {}));
    onTestFinished(() => plain.close());
    for (const one of [database, plain]) for (const sql of SCHEMA) await one.write((tx) => tx.run(sql));
    await learn();
  });

  /** Has the effects of triggers read. */
  const learn = () => database.write((tx) => tx.run('UPDATE sums SET n = n'), { repeatable: true });

  async function trips(work: () => Promise<unknown>): Promise<number> {
    const before = proxy.roundTrips;
    await work();
    return proxy.roundTrips - before;
  }

  const TABLES = ['one', 'two', 'log', 'sums', 'sums_of_sums'];
  const contents = (of: Database) => Promise.all(TABLES.map((table) => of.query(`SELECT * FROM ${table}`)));

  it('give what they give one after the other, whatever they read and write', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, async (all) => {
        for (const one of [database, plain]) {
          await one.write(async (tx) => {
            for (const table of TABLES.slice(0, 3)) await tx.run(`DELETE FROM ${table}`);
            await tx.run(`DELETE FROM sqlite_sequence`);
            for (const table of TABLES.slice(3)) await tx.run(`UPDATE ${table} SET n = 0`);
          });
        }
        const together = await Promise.all(
          all.map((steps, i) => database.write((tx) => run(tx, steps, i + 1), { repeatable: true })),
        );
        const apart: string[][] = [];
        for (const [i, steps] of all.entries()) apart.push(await plain.write((tx) => run(tx, steps, i + 1)));
        expect(together).toEqual(apart);
        expect(await contents(database)).toEqual(await contents(plain));
      }),
      { numRuns: 80 },
    );
  });

  const insert = (id: number) => database.write((tx) => tx.run(INSERT.two, [id, 1]), { repeatable: true });

  it('are played one by one where a statement fails, which takes a round trip more', async () => {
    let settled: PromiseSettledResult<number>[] = [];
    expect(
      await trips(async () => {
        settled = await Promise.allSettled([1, 2, 1, 3].map(insert));
      }),
    ).toBe(3);
    expect(settled.map((one) => (one.status === 'rejected' ? violatedConstraint(one.reason) : one.value))).toEqual([
      1,
      1,
      'unique',
      1,
    ]);
    expect(await database.query('SELECT id FROM two')).toEqual([[1n], [2n], [3n]]);
    expect(await trips(() => Promise.all([4, 5].map(insert)))).toBe(2);
  });

  it('are played one by one where the schema has changed since its triggers were read', async () => {
    await plainChange('CREATE TRIGGER later AFTER INSERT ON two BEGIN UPDATE sums SET n = 1000; END');
    const both = () =>
      Promise.all(
        [11, 12].map((id) =>
          database.write(
            async (tx) => {
              const [before] = await tx.query(READS.sums);
              await tx.run(INSERT.two, [id, 1]);
              const [after] = await tx.query(READS.sums);
              return [Number(before?.[0]), Number(after?.[0])];
            },
            { repeatable: true },
          ),
        ),
      );
    expect(await both()).toEqual([
      [0, 1000],
      [1000, 1000],
    ]);
  });

  const plainChange = (sql: string) => database.write((tx) => tx.run(sql));
});

describe('a joint script', () => {
  const effects = effectsOf([
    { rows: [[7n]], changed: 0 },
    { rows: [['one', SCHEMA[7] ?? '']], changed: 0 },
  ]);
  if (effects === undefined) throw new TypeError('effects are given');

  const statement = (sql: string, args: DraftedStatement['args'] = []): DraftedStatement => ({
    sql,
    args,
    writes: !sql.startsWith('SELECT'),
  });
  const draft = (statements: readonly DraftedStatement[], threw = false): Draft => ({ statements, drawn: [], threw });
  const create = (id: number) =>
    draft([
      statement(READS.two, [1n]),
      statement(INSERT.one, [BigInt(id), 1n]),
      statement(INSERT.log, [`${id}`]),
      statement(READS.two, [1n]),
    ]);
  const textsOf = (drafts: readonly Draft[]) =>
    jointScript(drafts, effects, false)
      ?.steps.slice(2)
      .map(({ sql }) => sql.replace(/^(\w+).*?"(\w+)".*?(VALUES.*)?$/, '$1 $2 $3').trim());

  it('has a read and an insertion once for all that share them', () => {
    expect(textsOf([1, 2, 3].map(create))).toEqual([
      'SELECT n',
      'INSERT one VALUES (?, ?), (?, ?)',
      'INSERT one VALUES (?, ?)',
      'INSERT log VALUES (?), (?)',
      'INSERT log VALUES (?)',
    ]);
  });

  it('reads again what a trigger may have changed', () => {
    const body = draft([statement(READS.sums), statement(INSERT.one, [1n, 1n]), statement(READS.sums)]);
    expect(textsOf([body])).toBeUndefined();
    expect(textsOf([body, body])).toHaveLength(5);
  });

  it('is not made where a draft failed after it had written', () => {
    expect(textsOf([create(1), draft(create(2).statements, true)])).toBeUndefined();
    expect(textsOf([create(1), draft([statement(READS.two, [1n])], true)])).toHaveLength(3);
  });
});
