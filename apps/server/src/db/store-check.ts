/** Whether a database file is whole, found by SQLite itself in a thread of its own. The file may be open elsewhere: it is only read. */
import { errorText } from '../error-text.ts';

/** What is wrong with a row that refers to another. */
interface ForeignFinding {
  readonly table: string;
  readonly row: string;
  readonly parent: string;
}

/** What is wrong with a file. */
export interface StoreFindings {
  /** Sentences of SQLite, the first hundred. */
  readonly damage: readonly string[];
  readonly foreign: readonly ForeignFinding[];
}

const MOST = 100;

/** Runs `integrity_check` and `foreign_key_check`. A file that is no database is one finding. */
export async function checkStoreFile(file: string): Promise<StoreFindings> {
  // Loaded when it is used: a start needs none of it.
  const { default: Database } = await import('libsql/promise');
  try {
    const connection = new Database(file, { timeout: 5, fileMustExist: true });
    try {
      await connection.exec('PRAGMA query_only = ON');
      const rows = async (sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
        const statement: { all(): Promise<readonly Readonly<Record<string, unknown>>[]> } =
          await connection.prepare(sql);
        return statement.all();
      };
      const said = (await rows(`PRAGMA integrity_check(${MOST})`)).map((row) => String(Object.values(row)[0]));
      const damage = said.filter((text) => text !== 'ok');
      if (damage.length > 0) return { damage, foreign: [] };
      const foreign = await rows('PRAGMA foreign_key_check');
      return {
        damage,
        foreign: foreign.slice(0, MOST).map(({ table, rowid, parent }) => ({
          table: String(table),
          row: String(rowid),
          parent: String(parent),
        })),
      };
    } finally {
      connection.close();
    }
  } catch (error) {
    return { damage: [errorText(error)], foreign: [] };
  }
}
