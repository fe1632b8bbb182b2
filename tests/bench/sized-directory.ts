/** What a data directory holds, counted from outside while a server has it open. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import Database from 'libsql';

/** Files in a directory and below it. */
export interface Sizes {
  readonly files: number;
  readonly bytes: number;
}

/** Counts files, of which none goes meanwhile. */
export function sizesOf(directory: string): Sizes {
  let [files, bytes] = [0, 0];
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    files++;
    bytes += statSync(path.join(entry.parentPath, entry.name)).size;
  }
  return { files, bytes };
}

/** Counts the rows in all tables of the default world. */
export function rowsOf(directory: string): number {
  let rows = 0;
  for (const store of ['platform', 'ads-production', 'ads-sandbox']) {
    const database = new Database(path.join(directory, `${store}.db`), { readonly: true });
    try {
      const tables: unknown[] = database
        .prepare(
          "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND sql NOT LIKE 'CREATE VIRTUAL%'",
        )
        .raw(true)
        .all();
      for (const [table] of tables.filter(Array.isArray)) {
        const counted: unknown = database
          .prepare(`SELECT count(*) FROM "${String(table)}"`)
          .raw(true)
          .get();
        rows += Number(Array.isArray(counted) ? counted[0] : counted);
      }
    } finally {
      database.close();
    }
  }
  return rows;
}
