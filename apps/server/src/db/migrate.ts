/** Applies the migrations that drizzle-kit generated, at start. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from './database.ts';
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
        'which this version does not know. Nothing was changed.',
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

/**
 * Brings the database up to the migrations in `folder` (with its `meta/_journal.json`), each in one transaction, and
 * records them in the table `__migrations`. Processes that start at the same time on one database do not disturb each other.
 * @param appliedAt The time to record.
 * @throws NewerDatabaseError, before anything is changed; MigrationError if the folder is not usable, an applied
 * migration is not the one in the folder any more, or one fails (which leaves nothing of it behind).
 */
export async function migrate(database: Database, folder: string, appliedAt: Date): Promise<void> {
  const migrations = readMigrations(folder);
  const pending = await missing(database, migrations);
  const prepared = pending.map((migration) => ({ migration, statements: statementsOf(migration) }));
  for (const { migration, statements } of prepared) {
    try {
      await database.applyMigration([
        { sql: bookkeeping },
        {
          sql: 'INSERT INTO __migrations (tag, hash, applied_at) VALUES (?, ?, ?)',
          args: [migration.tag, migration.hash, appliedAt.getTime()],
        },
        ...statements.map((sql) => ({ sql })),
      ]);
    } catch (error) {
      // Another process may have been faster, or the response was lost: the state of the database decides.
      const applied = await appliedMigrations(database);
      if (applied.get(migration.tag) === migration.hash) continue;
      const reason = error instanceof Error ? error.message : String(error);
      throw new MigrationError(`The migration ${migration.tag} failed and was undone: ${reason}`, { cause: error });
    }
  }
  // Once more: a newer version may have started meanwhile and gone further.
  await missing(database, migrations);
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
  return pending;
}

async function appliedMigrations(database: Database): Promise<ReadonlyMap<string, string>> {
  const table = await database.query(
    "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '__migrations' LIMIT 1",
  );
  if (table.length === 0) return new Map();
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
