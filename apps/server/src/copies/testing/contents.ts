/** The contents of worlds that are not open, for comparing copies. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { openDatabase } from '../../db/open-database.ts';
import { fileOf } from '../../world/store-locations.ts';
import { storeNames } from '../../world/world-options.ts';

/** All rows of all tables of all stores, by store and table, as text. Counts of commits are left out: the process keeps them. */
export async function rowsOf(directory: string): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const name of storeNames) {
    const database = await openDatabase(path.join(directory, fileOf(name)));
    try {
      const tables = await database.query(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_stat%' AND name <> '__store' ORDER BY name",
      );
      for (const [table] of tables) {
        const rows = await database.query(`SELECT * FROM "${String(table)}"`);
        const texts = rows.map((row) => row.map(textOf).join(' | '));
        found[`${name}.${String(table)}`] = texts.sort();
      }
    } finally {
      await database.close();
    }
  }
  return found;
}

/** Rows without credentials, keys and sealed secrets, which are new in a copy that becomes another world. */
export function besideCredentials(rows: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  const secret = /password_hash|\$argon2id\$\S*|v1\.[\w.-]+/g;
  const left = Object.entries(rows).filter(
    ([table]) => !/__migrations|platform_keys|access_tokens|bearer_tokens|sequences|\.apps$/.test(table),
  );
  return Object.fromEntries(
    left.map(([table, texts]) => [
      table,
      texts
        .filter((text) => !/ACCESS_TOKEN|BEARER_TOKEN|\| APP \|/.test(text))
        .map((text) => text.replaceAll(secret, 'secret')),
    ]),
  );
}

/** The files below a directory with their contents, in hexadecimal. */
export function filesIn(directory: string): Record<string, string> {
  if (!existsSync(directory)) return {};
  const names = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names.map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [path.relative(directory, file), readFileSync(file).toString('hex')];
    }),
  );
}

function textOf(value: unknown): string {
  return value instanceof ArrayBuffer ? Buffer.from(value).toString('hex') : String(value);
}
