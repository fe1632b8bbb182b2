import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Database } from './database.ts';
import { MigrationError, migrate, NewerDatabaseError, pendingMigrations } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { startChild } from './testing/child.ts';
import { startSqlServer } from './testing/sql-server.ts';
import { temporaryDirectory } from './testing/temporary.ts';

const first = `CREATE TABLE \`people\` (\`id\` integer PRIMARY KEY, \`name\` text);
--> statement-breakpoint
CREATE UNIQUE INDEX \`people_name\` ON \`people\` (\`name\`);--> statement-breakpoint
INSERT INTO people VALUES (1, 'a;b--c');
`;
// Rebuilding a table, as drizzle-kit writes it: its PRAGMAs do nothing inside a transaction.
const second = `CREATE TABLE pets (owner integer REFERENCES people (id) ON DELETE CASCADE);--> statement-breakpoint
INSERT INTO pets VALUES (1);
`;
const third = `PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE \`__new_people\` (\`id\` integer PRIMARY KEY, \`name\` text NOT NULL, \`age\` integer);--> statement-breakpoint
INSERT INTO \`__new_people\` SELECT id, name, NULL FROM people;--> statement-breakpoint
DROP TABLE \`people\`;--> statement-breakpoint
ALTER TABLE \`__new_people\` RENAME TO \`people\`;--> statement-breakpoint
PRAGMA foreign_keys=ON;
`;
const now = new Date(1_700_000_000_123);

function folderWith(migrations: Record<string, string>): string {
  const folder = join(temporaryDirectory(), 'drizzle');
  mkdirSync(join(folder, 'meta'), { recursive: true });
  const entries = Object.keys(migrations).map((tag, idx) => ({ idx, version: '6', when: idx, tag, breakpoints: true }));
  writeFileSync(join(folder, 'meta', '_journal.json'), JSON.stringify({ version: '7', dialect: 'sqlite', entries }));
  for (const [tag, sql] of Object.entries(migrations)) writeFileSync(join(folder, `${tag}.sql`), sql);
  return folder;
}

async function failure(promise: Promise<unknown>): Promise<Error> {
  const error = await promise.then(
    () => expect.fail('resolved'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) expect.fail(`rejected with ${String(error)}`);
  expect(error.message).not.toContain('\n');
  return error;
}

const indexes = `CREATE INDEX pets_of_owner ON pets (owner);--> statement-breakpoint
DROP INDEX pets_of_owner;--> statement-breakpoint
CREATE INDEX pets_of_owner ON pets (owner DESC);--> statement-breakpoint
CREATE INDEX people_by_name ON people (name, id);
`;

const ways = ['a file', 'a server'] as const;

describe.each(ways)('migrations on %s', (way) => {
  let database: Database;

  beforeEach(async () => {
    const path = join(temporaryDirectory(), 'store.db');
    if (way === 'a file') {
      database = await openDatabase(path);
      return;
    }
    const server = await startSqlServer({ path });
    onTestFinished(() => server.close());
    database = await openDatabase(server.url);
  });
  afterEach(() => database.close());

  async function tables(): Promise<unknown[]> {
    const rows = await database.query("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name");
    return rows.map((row) => row[0]);
  }

  it('are applied to a fresh database, once, and continued later', async () => {
    const start = folderWith({ '0000_one': first });
    expect(await pendingMigrations(database, start)).toEqual(['0000_one']);
    await migrate(database, start, now);
    await migrate(database, start, new Date(0));
    expect(await pendingMigrations(database, start)).toEqual([]);
    expect(await database.query('SELECT * FROM people')).toEqual([[1n, 'a;b--c']]);

    const longer = folderWith({ '0000_one': first, '0001_two': second, '0002_three': third });
    expect(await pendingMigrations(database, longer)).toEqual(['0001_two', '0002_three']);
    await migrate(database, longer, new Date(7));
    expect(await pendingMigrations(database, longer)).toEqual([]);
    // Dropping the old table would have deleted this row, with foreign keys on.
    expect(await database.query('SELECT owner FROM pets')).toEqual([[1n]]);
    expect(await database.query('SELECT * FROM people')).toEqual([[1n, 'a;b--c', null]]);
    expect(await database.query('SELECT tag, length(hash), applied_at FROM __migrations ORDER BY tag')).toEqual([
      ['0000_one', 64n, BigInt(now.getTime())],
      ['0001_two', 64n, 7n],
      ['0002_three', 64n, 7n],
    ]);
    const error = await failure(database.write((tx) => tx.run('INSERT INTO pets VALUES (99)')));
    expect(error.message).toContain('FOREIGN KEY');
  });

  it.each([1, 2, 4, 5])('of indexes of a large database go on where they were interrupted: at step %i', async (at) => {
    const before = { '0000_one': first, '0001_two': second };
    const folder = folderWith({ ...before, '0002_indexes': indexes });
    await migrate(database, folderWith(before), now);
    const apply = database.applyMigration.bind(database);
    const steps = vi.spyOn(database, 'applyMigration');
    for (let step = 0; step < at; step++) steps.mockImplementationOnce(apply);
    // A process that is killed says nothing more.
    steps.mockImplementationOnce(() => Promise.reject(new Error('killed')));
    const reports: string[] = [];
    const options = { large: 0, progress: (step: string) => reports.push(step) };
    await expect(migrate(database, folder, now, options)).rejects.toThrow('killed');
    expect(await pendingMigrations(database, folder)).toEqual(['0002_indexes']);
    await expect(pendingMigrations(database, folderWith(before))).rejects.toThrow(NewerDatabaseError);
    const started = reports.splice(0).length;
    // The next start finds it in steps, whatever the size.
    await migrate(database, folder, now, { progress: options.progress });
    // The step at which it was interrupted is done again.
    expect(reports).toHaveLength(4 - Math.min(4, at - 1));
    expect(started).toBe(Math.min(4, at));
    expect(await pendingMigrations(database, folder)).toEqual([]);
    const made =
      "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql LIKE '%(owner%' OR name = 'people_by_name'";
    expect((await database.query(made)).map(([, sql]) => sql)).toEqual([
      'CREATE INDEX pets_of_owner ON pets (owner DESC)',
      expect.stringContaining('people_by_name'),
    ]);
    expect(await tables()).not.toContain('__migration_steps');
  });

  it('does what must be done before a migration when all others are there, and no more when it is applied', async () => {
    const folder = folderWith({ '0000_one': first, '0001_two': second, '0002_indexes': indexes });
    const pending: (readonly string[])[] = [];
    const fills = {
      '0002_indexes': async (filled: Database) => {
        pending.push(await pendingMigrations(filled, folder));
        if (pending.length === 1) throw new Error('no space is left');
        await filled.write((writer) => writer.run("UPDATE people SET name = 'filled'"));
      },
    };
    const error = await failure(migrate(database, folder, now, { fills }));
    expect(error).toBeInstanceOf(MigrationError);
    expect(error.message).toMatch(/0002_indexes; the next start continues: no space is left/);
    await migrate(database, folder, now, { fills });
    await migrate(database, folder, now, { fills });
    expect(pending).toEqual([['0002_indexes'], ['0002_indexes']]);
    expect(await database.query('SELECT name FROM people')).toEqual([['filled']]);
  });

  it('of a new database share a commit, up to one that has something to fill; of others each has its own', async () => {
    const applying = vi.spyOn(database, 'applyMigration');
    const folder = folderWith({ '0000_one': first, '0001_two': second, '0002_indexes': indexes });
    await migrate(database, folder, now, { fills: { '0002_indexes': () => Promise.resolve() } });
    expect(applying).toHaveBeenCalledTimes(2);
    const more = { '0003_three': 'CREATE TABLE three (x)', '0004_four': 'CREATE TABLE four (x)' };
    const longer = folderWith({ '0000_one': first, '0001_two': second, '0002_indexes': indexes, ...more });
    await migrate(database, longer, now);
    expect(applying).toHaveBeenCalledTimes(4);
    expect(await pendingMigrations(database, longer)).toEqual([]);
  });

  it.each([0, 1, 2])('a failure at statement %i leaves nothing of its migration', async (at) => {
    const statements = ['CREATE TABLE a (x)', 'INSERT INTO a VALUES (1)', 'CREATE TABLE b (x)'];
    const folder = (third: string): string => folderWith({ '0000_one': first, '0001_two': third });
    const broken = statements.toSpliced(at, 0, 'INSERT INTO nowhere VALUES (1)').join('--> statement-breakpoint\n');
    const error = await failure(migrate(database, folder(broken), now));
    expect(error).toBeInstanceOf(MigrationError);
    expect(error.message).toMatch(/^The migration 0001_two failed and was undone: .*nowhere/);
    expect(await tables()).toEqual(['__migrations', 'people']);
    expect(await database.query('SELECT tag FROM __migrations')).toEqual([['0000_one']]);
    await migrate(database, folder(statements.join('--> statement-breakpoint\n')), now);
    expect(await tables()).toEqual(['__migrations', 'a', 'b', 'people']);
  });

  it('a failure of the very first one leaves nothing at all', async () => {
    await failure(
      migrate(database, folderWith({ '0000_one': 'CREATE TABLE a (x);--> statement-breakpoint\nnonsense' }), now),
    );
    expect(await tables()).toEqual([]);
  });

  it('a database of a newer version is rejected and not changed', async () => {
    await migrate(database, folderWith({ '0000_one': first, '0001_two': second }), now);
    const before = await tables();
    const older = folderWith({ '0000_one': first });
    const error = await failure(migrate(database, older, now));
    expect(error).toBeInstanceOf(NewerDatabaseError);
    expect(error.message).toContain('0001_two');
    expect(await failure(pendingMigrations(database, older))).toBeInstanceOf(NewerDatabaseError);
    // Also when this version has something of its own to apply.
    await failure(migrate(database, folderWith({ '0000_one': first, '0001_other': 'CREATE TABLE other (a)' }), now));
    expect(await tables()).toEqual(before);
  });

  it('another process that is faster does no harm, and a newer one is noticed', async () => {
    const folder = folderWith({ '0000_one': first, '0001_two': second });
    const apply = database.applyMigration.bind(database);
    const race = vi.spyOn(database, 'applyMigration');
    // Between the look at the database and the first statement.
    race.mockImplementationOnce(async (statements) => {
      await migrate(database, folder, new Date(1));
      await apply(statements);
    });
    await migrate(database, folder, new Date(2));
    expect(await database.query('SELECT DISTINCT applied_at FROM __migrations')).toEqual([[1n]]);

    const older = folderWith({ '0000_one': first, '0001_two': second, '0002_x': 'CREATE TABLE x (a)' });
    const newer = folderWith({
      '0000_one': first,
      '0001_two': second,
      '0002_x': 'CREATE TABLE x (a)',
      '0003_y': 'DROP TABLE x',
    });
    race.mockImplementationOnce(async (statements) => {
      await migrate(database, newer, now);
      await apply(statements);
    });
    expect(await failure(migrate(database, older, now))).toBeInstanceOf(NewerDatabaseError);
  });

  it('a migration that was changed after it was applied is rejected; line ends do not count', async () => {
    await migrate(database, folderWith({ '0000_one': first }), now);
    await migrate(database, folderWith({ '0000_one': first.replaceAll('\n', '\r\n') }), now);
    const error = await failure(migrate(database, folderWith({ '0000_one': `${first} `, '0001_two': second }), now));
    expect(error).toBeInstanceOf(MigrationError);
    expect(error.message).toBe('The migration 0000_one was changed after it had been applied to this database.');
    expect(await tables()).not.toContain('pets');
  });

  it('a migration that appears before applied ones is rejected', async () => {
    await migrate(database, folderWith({ '0000_one': first, '0002_three': 'CREATE TABLE c (a)' }), now);
    const folder = folderWith({ '0000_one': first, '0001_two': second, '0002_three': 'CREATE TABLE c (a)' });
    expect((await failure(migrate(database, folder, now))).message).toContain('0001_two is missing');
  });
});

describe('a migrations folder', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openDatabase(join(temporaryDirectory(), 'store.db'));
  });
  afterEach(() => database.close());

  it.each([
    ['a missing statement-breakpoint', 'CREATE TABLE a (x); CREATE TABLE b (x);', 'a statement-breakpoint is missing'],
    ['transaction control', 'CREATE TABLE a (x);--> statement-breakpoint\nCOMMIT;', 'must not control its transaction'],
  ])('with %s is rejected', async (_, sql, message) => {
    const error = await failure(migrate(database, folderWith({ '0000_one': sql }), now));
    expect(error.message).toContain(message);
    expect(await database.query('SELECT count(*) FROM sqlite_master')).toEqual([[0n]]);
  });

  it('that is missing or incomplete is rejected', async () => {
    const folder = folderWith({ '0000_one': first });
    expect((await failure(migrate(database, join(folder, 'no'), now))).message).toContain('cannot be read');
    writeFileSync(join(folder, 'meta', '_journal.json'), '{"entries":[{"tag":"0001_gone"}]}');
    expect((await failure(migrate(database, folder, now))).message).toContain('0001_gone.sql cannot be read');
    writeFileSync(join(folder, 'meta', '_journal.json'), '{');
    expect((await failure(migrate(database, folder, now))).message).toContain('lists no entries');
  });
});

it.each([1, 2, 3, 4, 5])(
  'processes that open a new file at the same moment apply each migration once (%i)',
  async () => {
    const path = join(temporaryDirectory(), 'store.db');
    const tags = Array.from({ length: 25 }, (_, i) => `${String(i).padStart(4, '0')}_m`);
    const folder = folderWith(
      Object.fromEntries(
        tags.map((tag, i) => [
          tag,
          `CREATE TABLE t${i} (a);--> statement-breakpoint\nINSERT INTO t${i} VALUES (${i});`,
        ]),
      ),
    );
    const signal = join(folder, 'go');
    const children = [1, 2, 3].map(() => startChild('./migrate-runner.ts', [path, folder, signal]));
    for (const child of children) expect((await child.lines.next()).value).toBe('ready');
    writeFileSync(signal, '');
    for (const child of children) expect(await child.ended).toEqual({ code: 0, stderr: '' });
    const database = await openDatabase(path);
    expect((await database.query('SELECT tag FROM __migrations ORDER BY tag')).map((row) => row[0])).toEqual(tags);
    for (const i of tags.keys()) expect(await database.query(`SELECT a FROM t${i}`)).toEqual([[BigInt(i)]]);
    await database.close();
  },
);
