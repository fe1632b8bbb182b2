/** Facts of a store that no process has open, read by another thread: counting may take long. */

/** What a store holds. */
export interface StoreSummary {
  /** The migration that was applied last; empty before the first. */
  readonly migration: string;
  /** Id of the platform; empty before the store has one. */
  readonly platform: string;
  /** Numbers of rows by table, of those that were asked for and are there. */
  readonly counts: Readonly<Record<string, number>>;
}

/** Reads the facts, and brings all that is in the WAL into the file, so that the file alone is the store. */
export async function summarizeStore(file: string, tables: readonly string[]): Promise<StoreSummary> {
  // Loaded when it is used: a start needs none of it.
  const { default: Database } = await import('libsql/promise');
  const connection = new Database(file, { timeout: 5 });
  const texts = async (sql: string): Promise<readonly string[]> => {
    const statement: { all(): Promise<readonly Readonly<Record<string, unknown>>[]> } = await connection.prepare(sql);
    return (await statement.all()).map(({ found }) => String(found));
  };
  try {
    const present = new Set(await texts("SELECT name AS found FROM sqlite_master WHERE type = 'table'"));
    const counts: Record<string, number> = {};
    for (const table of tables.filter((name) => present.has(name))) {
      const [count = '0'] = await texts(`SELECT count(*) AS found FROM "${table}"`);
      counts[table] = Number(count);
    }
    const migrations = present.has('__migrations')
      ? await texts('SELECT tag AS found FROM __migrations ORDER BY tag DESC LIMIT 1')
      : [];
    const platforms = present.has('__store') ? await texts('SELECT platform AS found FROM __store LIMIT 1') : [];
    await connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return { migration: migrations[0] ?? '', platform: platforms[0] ?? '', counts };
  } finally {
    connection.close();
  }
}
