/**
 * A store on a server that is being filled from elsewhere, which takes many transactions. It says so in a table of its own until all is there: no
 * server opens it before, and whoever begins anew ends what another process had begun.
 */
import { LibsqlError } from '@libsql/client/sqlite3';
import type { Arg, Database } from './database.ts';
import { StoreUnreachableError } from './errors.ts';
import { hasTable } from './has-table.ts';
import { quote } from './insertion.ts';

const TABLE = '__filling';

/** The end of a sentence about a store that is not whole. */
export const FILLING = 'a backup is being restored into it; if that was cut off, repeat `broadside backup restore`';

/** A statement with its arguments. */
interface Step {
  readonly sql: string;
  readonly args?: readonly Arg[];
}

/** The store has something that was not left by a filling that was cut off. */
export class UsedStoreError extends Error {
  override readonly name = 'UsedStoreError';
}

/** Another process fills the store by now. */
export class TakenFillingError extends Error {
  override readonly name = 'TakenFillingError';
}

/** The token of whoever fills a store; `undefined` for one that nobody fills. */
export async function fillingOf(store: Pick<Database, 'query'>): Promise<string | undefined> {
  if (!(await hasTable(store, TABLE))) return undefined;
  const [row] = await store.query(`SELECT token FROM ${TABLE} LIMIT 1`);
  return String(row?.[0]);
}

/** A store that this process fills. */
export class Filling {
  readonly #database: Database;
  readonly #token: string;

  private constructor(database: Database, token: string) {
    this.#database = database;
    this.#token = token;
  }

  /**
   * Begins to fill an empty store, or one whose filling was cut off.
   * @param token of this filling, which no other has
   * @throws UsedStoreError where it has anything else; nothing is changed then
   */
  static async begin(database: Database, token: string): Promise<Filling> {
    const known = await fillingOf(database);
    if (known === undefined) {
      await refuseUsed(database);
      await database.applyMigration([
        { sql: `CREATE TABLE ${TABLE} (token TEXT NOT NULL)` },
        { sql: `INSERT INTO ${TABLE} (token) VALUES (?)`, args: [token] },
      ]);
    } else {
      await new Filling(database, known).#change([{ sql: `UPDATE ${TABLE} SET token = ?`, args: [token] }]);
    }
    const filling = new Filling(database, token);
    if (known === undefined) {
      // A server that had looked before can have begun to use it.
      await refuseUsed(database).catch(async (error: unknown) => {
        await filling.end();
        throw error;
      });
    }
    for (const name of await tablesOf(database)) await filling.#change([{ sql: `DROP TABLE ${quote(name)}` }]);
    return filling;
  }

  /**
   * Ends what is left of a filling that was completed.
   * @returns whether the store was still marked
   */
  static async release(database: Database, token: string): Promise<boolean> {
    if ((await fillingOf(database)) !== token) return false;
    await new Filling(database, token).end();
    return true;
  }

  /** Runs statements in one transaction, with foreign keys off. @throws TakenFillingError */
  run(steps: readonly Step[]): Promise<void> {
    return this.#change(steps);
  }

  /** From now on the store is like any other. */
  async end(): Promise<void> {
    await this.#change([{ sql: `DROP TABLE ${TABLE}` }]);
  }

  async #change(steps: readonly Step[]): Promise<void> {
    // Fails, and the transaction with it, where the token is another one.
    const sql = `SELECT json_extract('{}', iif((SELECT token FROM ${TABLE}) = ?, '$', 'taken')) LIMIT 1`;
    try {
      await this.#database.applyMigration([{ sql, args: [this.#token] }, ...steps]);
    } catch (error) {
      if (error instanceof StoreUnreachableError || !(error instanceof LibsqlError)) throw error;
      if ((await fillingOf(this.#database)) !== this.#token) throw new TakenFillingError();
      throw error;
    }
  }
}

/** @throws UsedStoreError */
async function refuseUsed(database: Database): Promise<void> {
  if ((await tablesOf(database)).length > 0) throw new UsedStoreError();
}

async function tablesOf(database: Pick<Database, 'query'>): Promise<readonly string[]> {
  const rows = await database.query(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name <> '${TABLE}' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
  );
  return rows.map(([name]) => String(name));
}
