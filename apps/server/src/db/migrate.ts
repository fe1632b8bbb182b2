/** Applies the migrations that drizzle-kit generated, at start. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorText } from '../error-text.ts';
import type { Arg, Database } from './database.ts';
import { hasTable } from './has-table.ts';
import { sqlFacts } from './sql-text.ts';

/** The migrations folder is not usable, or the database does not fit it. The message is one line. */
export class MigrationError extends Error {
  override readonly name: string = 'MigrationError';
}

/** The database holds migrations that this build does not know. */
export class NewerDatabaseError extends MigrationError {
  override readonly name = 'NewerDatabaseError';
  constructor(unknown: readonly string[]) {
    super(
      `The database was written by a newer version: it holds the migration ${unknown.join(', ')}, ` +
        'which this version does not know. Nothing was changed. Start the newer version, or go back as in docs/guides/upgrading.md.',
    );
  }
}

interface Migration {
  readonly tag: string;
  /** SHA-256 of the text, in hex, the same for both kinds of line end. */
  readonly hash: string;
  readonly text: string;
}

const bookkeeping =
  'CREATE TABLE IF NOT EXISTS __migrations (tag TEXT PRIMARY KEY NOT NULL, hash TEXT NOT NULL, applied_at INTEGER NOT NULL)';

const RECORD = 'INSERT INTO __migrations (tag, hash, applied_at) VALUES (?, ?, ?)';

/** The steps that were done of a migration that is under way; -1 is its beginning. */
const stepTable =
  'CREATE TABLE IF NOT EXISTS __migration_steps (tag TEXT NOT NULL, step INTEGER NOT NULL, PRIMARY KEY (tag, step))';

/** Called before work that may take long, with its name. */
export type Progress = (step: string) => void;

/** Work on the rows of a store that SQL cannot do. It may be interrupted at any time and is then done again, or by two at once. */
export type Fill = (database: Database, progress: Progress) => Promise<void>;

/** Options of applying migrations. */
interface MigrateOptions {
  readonly progress?: Progress;
  /** What must be done before a migration, by its tag: the store has all migrations before that one. */
  readonly fills?: Readonly<Record<string, Fill>>;
  /** The number of pages from which indexes are made one by one; below that it takes a second at most. */
  readonly large?: number;
}

const LARGE = 10_000;

/**
 * Brings the database up to the migrations in `folder` (with its `meta/_journal.json`), and records them in the table
 * `__migrations`. Each is one transaction, with two exceptions. A database that has nothing yet takes several in one, up to the next
 * that has something to fill. Of one that only makes and drops indexes of a large database each statement is one, and what a process
 * that was killed has done is not done again. Other versions reject the database from the first step on. Processes that start at the same time on one database do not disturb each other.
 * @param appliedAt The time to record.
 * @throws NewerDatabaseError, before anything is changed; MigrationError if the folder is not usable, an applied
 * migration is not the one in the folder any more, or one fails (which leaves nothing of it behind, or what was done in steps),
 * or the work before it.
 */
export async function migrate(
  database: Database,
  folder: string,
  appliedAt: Date,
  { progress = () => {}, fills = {}, large = LARGE }: MigrateOptions = {},
): Promise<void> {
  const migrations = readMigrations(folder);
  const pending = await missing(database, migrations);
  const prepared = pending.map((migration) => ({ migration, statements: statementsOf(migration) }));
  for (const group of await groupsOf(database, prepared, fills)) {
    const [first] = group;
    if (first) await fillBefore(database, first.migration, fills, progress);
    if (await areAppliedAtOnce(database, group, appliedAt, progress)) continue;
    for (const each of group) await apply(database, each, appliedAt, progress, large);
  }
  // Once more: a newer version may have started meanwhile and gone further.
  await missing(database, migrations);
}

interface Prepared {
  readonly migration: Migration;
  readonly statements: readonly string[];
}

/** What a migration does, and its record. */
function worksOf({ migration: { tag, hash }, statements }: Prepared, appliedAt: Date) {
  const record = { sql: RECORD, args: [tag, hash, appliedAt.getTime()] };
  return [record, ...statements.map((sql) => ({ sql }))];
}

/**
 * Migrations that are applied together: each by itself, but of a database that has nothing yet all up to the next one that has something to
 * fill, since a commit for each takes nearly all of the time then.
 */
async function groupsOf(
  database: Database,
  prepared: readonly Prepared[],
  fills: Readonly<Record<string, Fill>>,
): Promise<readonly (readonly Prepared[])[]> {
  const isNew = prepared.length > 1 && (await database.query('SELECT 1 FROM sqlite_master LIMIT 1')).length === 0;
  const groups: Prepared[][] = [];
  for (const each of prepared) {
    const last = groups.at(-1);
    if (last && isNew && !fills[each.migration.tag]) last.push(each);
    else groups.push([each]);
  }
  return groups;
}

/** Applies a group in one transaction. @returns false where it is no group, or they do not go together: nothing was done then */
async function areAppliedAtOnce(
  database: Database,
  group: readonly Prepared[],
  appliedAt: Date,
  progress: Progress,
): Promise<boolean> {
  if (group.length < 2) return false;
  try {
    for (const { migration } of group) progress(migration.tag);
    const works = group.flatMap((each) => worksOf(each, appliedAt));
    await database.applyMigration([{ sql: bookkeeping }, ...works]);
    return true;
  } catch {
    // One of them fails, or another process was faster: one by one, each is told apart.
    return false;
  }
}

/** Applies one. @throws MigrationError */
async function apply(
  database: Database,
  { migration, statements }: Prepared,
  appliedAt: Date,
  progress: Progress,
  large: number,
): Promise<void> {
  if (statements.every((sql) => INDEX_ONLY.test(sql)) && (await isLarge(database, large))) {
    return applyInSteps(database, { ...migration, statements }, appliedAt, progress);
  }
  progress(migration.tag);
  try {
    await database.applyMigration([{ sql: bookkeeping }, ...worksOf({ migration, statements }, appliedAt)]);
  } catch (error) {
    // Another process may have been faster, or the response was lost: the state of the database decides.
    const applied = await appliedMigrations(database);
    if (applied.get(migration.tag) === migration.hash) return;
    const reason = errorText(error);
    throw new MigrationError(`The migration ${migration.tag} failed and was undone: ${reason}`, { cause: error });
  }
}

/** @throws MigrationError; what was filled stays, and the next start goes on */
async function fillBefore(
  database: Database,
  { tag }: Migration,
  fills: Readonly<Record<string, Fill>>,
  progress: Progress,
): Promise<void> {
  try {
    await fills[tag]?.(database, progress);
  } catch (error) {
    const reason = errorText(error);
    throw new MigrationError(`Rows could not be filled for the migration ${tag}; the next start continues: ${reason}`, {
      cause: error,
    });
  }
}

const INDEX_ONLY = /^\s*(?:CREATE (?:UNIQUE )?|DROP )INDEX\b/i;

/** Returns whether a database has many pages, or one of its migrations is under way in steps. */
async function isLarge(database: Database, pages: number): Promise<boolean> {
  const [row] = await database.query('SELECT page_count FROM pragma_page_count');
  return Number(row?.[0]) >= pages || (await stepsDone(database)).size > 0;
}

/** Applies a migration of indexes, a transaction for each statement, from the step on at which it was interrupted. */
async function applyInSteps(
  database: Database,
  { tag, hash, statements }: Pick<Migration, 'tag' | 'hash'> & { readonly statements: readonly string[] },
  appliedAt: Date,
  progress: Progress,
): Promise<void> {
  const run = async (step: number, work: readonly { readonly sql: string; readonly args?: Arg[] }[]): Promise<void> => {
    const record = { sql: 'INSERT INTO __migration_steps (tag, step) VALUES (?, ?)', args: [tag, step] };
    try {
      await database.applyMigration([{ sql: stepTable }, record, ...work]);
    } catch (error) {
      const done = (await stepsDone(database)).get(tag);
      const isApplied = (await appliedMigrations(database)).get(tag) === hash;
      // Another process may have been faster: with this step, or with all of them.
      if (isApplied && (done === undefined || done >= step)) return;
      const reason = errorText(error);
      const place = `step ${step + 1} of ${statements.length}`;
      throw new MigrationError(
        `The migration ${tag} failed at ${place}, which was undone; the next start continues there: ${reason}`,
        { cause: error },
      );
    }
  };
  const first = (await stepsDone(database)).get(tag);
  if (first === undefined) {
    await run(-1, [{ sql: bookkeeping }, { sql: RECORD, args: [tag, hash, appliedAt.getTime()] }]);
  }
  for (const [step, sql] of statements.entries()) {
    if (first !== undefined && step <= first) continue;
    progress(`${tag}, step ${step + 1} of ${statements.length}`);
    // A line of the log about it leaves the process in a turn of the event loop.
    await nextTurn();
    await run(step, [{ sql }]);
  }
  // It holds the steps of one migration: the next one begins when this one has ended.
  await database.applyMigration([{ sql: 'DROP TABLE IF EXISTS __migration_steps' }]);
}

/** The last step that was done of each migration that is under way. */
async function stepsDone(database: Database): Promise<ReadonlyMap<string, number>> {
  if (!(await hasTable(database, '__migration_steps'))) return new Map();
  const rows = await database.query('SELECT tag, max(step) FROM __migration_steps GROUP BY tag');
  return new Map(rows.map(([tag, step]) => [String(tag), Number(step)]));
}

/**
 * The tags of the migrations in `folder` that the database does not have yet, in order; empty means ready.
 * @throws as {@link migrate}.
 */
export async function pendingMigrations(database: Database, folder: string): Promise<readonly string[]> {
  const pending = await missing(database, readMigrations(folder));
  return pending.map((migration) => migration.tag);
}

async function missing(database: Database, migrations: readonly Migration[]): Promise<readonly Migration[]> {
  const applied = await appliedMigrations(database);
  const known = new Set(migrations.map((migration) => migration.tag));
  const unknown = [...applied.keys()].filter((tag) => !known.has(tag));
  if (unknown.length > 0) throw new NewerDatabaseError(unknown);
  for (const { tag, hash } of migrations) {
    const found = applied.get(tag);
    if (found !== undefined && found !== hash) {
      throw new MigrationError(`The migration ${tag} was changed after it had been applied to this database.`);
    }
  }
  const pending = migrations.filter((migration) => !applied.has(migration.tag));
  const first = pending[0];
  if (first !== undefined && migrations.indexOf(first) !== applied.size) {
    // Each one is generated against the schema that the one before it leaves.
    throw new MigrationError(`The migration ${first.tag} is missing in this database, but later ones were applied.`);
  }
  const interrupted = applied.size === 0 ? new Map<string, number>() : await stepsDone(database);
  return [...migrations.filter(({ tag }) => applied.has(tag) && interrupted.has(tag)), ...pending];
}

async function appliedMigrations(database: Database): Promise<ReadonlyMap<string, string>> {
  if (!(await hasTable(database, '__migrations'))) return new Map();
  const rows = await database.query('SELECT tag, hash FROM __migrations ORDER BY tag');
  return new Map(rows.map(([tag, hash]) => [String(tag), String(hash)]));
}

function readMigrations(folder: string): readonly Migration[] {
  const journal = parseJson(readText(join(folder, 'meta', '_journal.json')));
  const entries = isRecord(journal) ? journal.entries : undefined;
  if (!Array.isArray(entries)) throw new MigrationError(`${join(folder, 'meta', '_journal.json')} lists no entries.`);
  return entries.map((entry: unknown): Migration => {
    const tag = isRecord(entry) ? entry.tag : undefined;
    if (typeof tag !== 'string') throw new MigrationError(`${folder}: an entry of the journal has no tag.`);
    return readMigration(folder, tag);
  });
}

function readMigration(folder: string, tag: string): Migration {
  const text = readText(join(folder, `${tag}.sql`)).replaceAll('\r\n', '\n');
  return { tag, hash: createHash('sha256').update(text).digest('hex'), text };
}

/** Takes a migration apart. Done for those that are pending only: it takes longer than all else of a start that has none. */
function statementsOf({ tag, text }: Migration): readonly string[] {
  const statements = text.split('--> statement-breakpoint').filter((sql) => sqlFacts(sql).statements > 0);
  for (const sql of statements) {
    const facts = sqlFacts(sql);
    // A driver would run the first statement and leave out the rest without a word.
    if (facts.statements > 1) {
      throw new MigrationError(`${tag}.sql: a statement-breakpoint is missing after: ${sql.trim().slice(0, 80)}`);
    }
    if (facts.kind === 'control') {
      throw new MigrationError(`${tag}.sql must not control its transaction: ${sql.trim().slice(0, 80)}`);
    }
  }
  return statements;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new MigrationError(`${path} cannot be read.`, { cause: error });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Returns the tag of the last migration in a folder. @throws MigrationError */
export function lastMigration(folder: string): string {
  return readMigrations(folder).at(-1)?.tag ?? '';
}
