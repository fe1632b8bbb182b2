/** A store as text that can be compared: its schema, and a hash of the rows of each table. */
import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import Sqlite from 'libsql';
import { z } from 'zod';

/** Cells that tell when or by what start something was made. */
const VOLATILE: Readonly<Record<string, readonly string[]>> = {
  __migrations: ['applied_at'],
  __store: ['platform', 'commits'],
  platform_keys: ['key_sealed', 'created_at'],
};

const Rows = z.array(z.array(z.unknown()));

/** The schema of a store: statements by the name of what they made. */
export function schemaOf(file: string): readonly string[] {
  return reading(file, (all) =>
    all(`SELECT "type" || ' ' || "name" || ': ' || coalesce("sql", '') FROM sqlite_master ORDER BY 1`).map(([text]) =>
      String(text),
    ),
  );
}

/** The number of migrations that were applied to a store. */
export function migrationsOf(file: string): number {
  return reading(file, (all) => all('SELECT "tag" FROM "__migrations"').length);
}

/** Describes a store that is sound. @throws AssertionError when its pages or indexes are not */
export function digestOf(file: string): Readonly<Record<string, unknown>> {
  return reading(file, (all) => {
    assert.deepEqual(all('PRAGMA integrity_check'), [['ok']]);
    const tables = all(`SELECT "name" FROM sqlite_master WHERE "type" = 'table' ORDER BY 1`).map(([name]) =>
      String(name),
    );
    const contents = tables.map((table) => {
      const left = new Set(VOLATILE[table]);
      const columns = all(`SELECT "name" FROM pragma_table_info('${table}')`).map(([name]) => `"${String(name)}"`);
      const compared = columns.filter((name) => !left.has(name.slice(1, -1)));
      const rows = all(`SELECT ${compared.join()} FROM "${table}"`);
      const hash = createHash('sha256');
      for (const row of rows) hash.update(JSON.stringify(row));
      return [table, `${rows.length} rows, ${hash.digest('hex').slice(0, 16)}`];
    });
    return { schema: schemaOf(file), ...Object.fromEntries(contents) };
  });
}

function reading<Result>(
  file: string,
  read: (all: (sql: string) => readonly (readonly unknown[])[]) => Result,
): Result {
  const database = new Sqlite(file, { readonly: true });
  try {
    return read((sql) => Rows.parse(database.prepare(sql).raw(true).all()));
  } finally {
    database.close();
  }
}
