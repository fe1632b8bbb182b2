/** Fills the column by which names are ordered, for rows that were written before there was one. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { collatedName } from '@broadside/core/text';
import type { Database } from './database.ts';
import type { Progress } from './migrate.ts';

/** Before the first row. */
const BEFORE_ALL = -(2n ** 63n);
/** Rows of one transaction, unless the caller says otherwise. */
const PORTION = 4000;

/**
 * Fills `name_collated` of all tables that have it, in portions: each is a transaction. A row that has it already is left as it
 * is, so that what a process that was killed has done is not done again. Processes that fill a store at the same time write the
 * same.
 * @param progress called before each portion
 * @param portion the most rows of one
 */
export async function fillCollatedNames(database: Database, progress: Progress, portion = PORTION): Promise<void> {
  const tables = await database.query(
    `SELECT "tables".name FROM sqlite_master AS "tables" CROSS JOIN pragma_table_info("tables".name) AS "columns"
      WHERE "tables".type = 'table' AND "columns".name = 'name_collated' ORDER BY 1`,
  );
  for (const [table] of tables) await fillTable(database, String(table), progress, portion);
}

async function fillTable(database: Database, table: string, progress: Progress, portion: number): Promise<void> {
  for (let after = BEFORE_ALL, filled = 0; ; ) {
    const rows = await database.query(
      `SELECT rowid, "name" FROM "${table}" WHERE rowid > ? AND "name_collated" = '' AND "name" <> ''
        ORDER BY rowid LIMIT ?`,
      [after, BigInt(portion)],
    );
    const last = rows.at(-1)?.[0];
    if (typeof last !== 'bigint') return;
    progress(`order of names in ${table}, ${filled} done`);
    // A line of the log about it leaves the process in a turn of the event loop.
    await nextTurn();
    const made = rows.map(([row, name]) => [String(row), collatedName(String(name))]);
    await database.write((writer) =>
      writer.run(
        `UPDATE "${table}" SET "name_collated" = json_extract("made".value, '$[1]') FROM json_each(?) AS "made"
          WHERE "${table}".rowid = CAST(json_extract("made".value, '$[0]') AS INTEGER)`,
        [JSON.stringify(made)],
      ),
    );
    after = last;
    filled += rows.length;
  }
}
