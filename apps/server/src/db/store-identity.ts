/**
 * The identity of a store, in a table of one row: to which platform it belongs, which of its stores it is, and how many
 * commits it has had. See `world/store-marks.ts` for what is made of it.
 */
import type { Database, Reader } from './database.ts';
import { hasTable } from './has-table.ts';
import type { Guard } from './remote-store.ts';

/** The row. */
export interface StoreIdentity {
  /** Id of the platform, the same in all of its stores. */
  readonly platform: string;
  /** Name of the store. */
  readonly store: string;
  /** Commits of the process that owns the file. Stores with several writers do not count, unless they have replicas: see {@link beginMarks}. */
  readonly commits: number;
}

const table =
  'CREATE TABLE IF NOT EXISTS __store (one INTEGER PRIMARY KEY CHECK (one = 1), platform TEXT NOT NULL, store TEXT NOT NULL, commits INTEGER NOT NULL)';

/**
 * Counts each commit of a store in its own transaction from now on.
 * @param commits those so far
 * @param committed called with the number after each commit that is on disk
 */
export function countCommits(database: Database, commits: number, committed: (commits: number) => void): void {
  let counted = commits;
  database.countCommits('UPDATE __store SET commits = commits + 1', () => {
    counted += 1;
    committed(counted);
  });
}

/** The row of a store; `undefined` before it has one. */
export async function storeIdentity(database: Database): Promise<StoreIdentity | undefined> {
  if (!(await hasTable(database, '__store'))) return undefined;
  const [row] = await database.query('SELECT platform, store, commits FROM __store LIMIT 1');
  if (row === undefined) return undefined;
  const [platform, store, commits] = row;
  return { platform: String(platform), store: String(store), commits: Number(commits) };
}

/** Returns whether anything was ever stored: migrations alone do not count. */
export async function isUsed(database: Database): Promise<boolean> {
  const tables = await database.query(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('users', 'accounts')",
  );
  for (const [name] of tables) {
    const rows = await database.query(`SELECT 1 FROM ${String(name)} LIMIT 1`);
    if (rows.length > 0) return true;
  }
  return false;
}

/** Writes the row. A row that another process wrote meanwhile stays, unless it is to be replaced. */
export async function adoptStore(
  database: Database,
  { platform, store, commits }: StoreIdentity,
  replace: boolean,
): Promise<void> {
  await database.applyMigration([
    { sql: table },
    ...(replace ? [{ sql: 'DELETE FROM __store' }] : []),
    {
      sql: 'INSERT OR IGNORE INTO __store (one, platform, store, commits) VALUES (1, ?, ?, ?)',
      args: [platform, store, commits],
    },
  ]);
}

/** No process makes so many commits of a file: from this number on, they are counted by all writers of a store with replicas. */
const MARKS_BEGIN = 2 ** 40;

/** Counts a commit within its transaction, where the store has replicas, and gives its number: its mark. */
export const MOVE_MARK = `UPDATE __store SET commits = commits + 1 WHERE commits >= ${MARKS_BEGIN} RETURNING commits`;

/**
 * Has commits marked from now on, by whoever makes them. What was committed before this has a lower mark, also where it was
 * written without one.
 */
export async function beginMarks(database: Database): Promise<void> {
  await database.applyMigration([{ sql: 'UPDATE __store SET commits = max(commits, ?) + 1', args: [MARKS_BEGIN] }]);
}

/** The mark of the latest commit that a store, or a replica of it, has. */
export async function readMark(reader: Pick<Reader, 'read'>): Promise<number> {
  const [row] = await reader.read('SELECT commits FROM __store LIMIT 1');
  return Number(row?.[0] ?? 0);
}

/** A guard for reads of a replica: it fails where that has not got as far as a mark. */
export function markGuard(mark: number): Guard {
  return {
    sql: "SELECT json_extract('{}', iif((SELECT max(commits) FROM __store) >= ?, '$', 'behind')) LIMIT 1",
    args: [mark],
  };
}
