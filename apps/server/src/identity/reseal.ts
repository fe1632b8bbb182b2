/** Reseals every secret of the platform store under the current key, so that earlier keys can be discarded. */
import { sql } from 'drizzle-orm';
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Database } from '../db/database.ts';
import { rows, statement } from '../db/statement.ts';
import { types } from '../db/value-types.ts';
import type { SecretBox } from '../world/secrets.ts';
import { accessTokens, apps, platformKeys, requestTokens } from './platform-table.ts';

/** Maximum number of rows changed in one transaction. */
const BATCH = 500;

const secretColumns = [
  secretColumn(apps, apps.id, apps.consumer_secret_sealed),
  secretColumn(accessTokens, accessTokens.token, accessTokens.secret_sealed),
  secretColumn(requestTokens, requestTokens.token_hash, requestTokens.secret_sealed),
  secretColumn(platformKeys, platformKeys.name, platformKeys.key_sealed),
];

/** The statements that reseal the secrets of a column. */
function secretColumn(table: SQLiteTable, key: AnySQLiteColumn, sealed: AnySQLiteColumn) {
  const fields = { key: sql`${key}`.mapWith(types.text), sealed: sql`${sealed}`.mapWith(types.text) };
  return {
    listStale: statement({ prefix: types.text }, ({ prefix }) =>
      rows(
        fields,
        (columns) =>
          sql`SELECT ${columns} FROM ${table} WHERE substr(${sealed}, 1, length(${prefix})) <> ${prefix} LIMIT ${BATCH}`,
      ),
    ),
    update: statement(
      { key: types.text, sealed: types.text },
      (args) => sql`UPDATE ${table} SET ${sql.identifier(sealed.name)} = ${args.sealed} WHERE ${key} = ${args.key}`,
    ),
  };
}

/**
 * Reseals all secrets. The next run continues an interrupted one.
 * @returns the number of resealed secrets
 * @throws UnknownKeyError when one was sealed under a key that is not given; what was done until then stays done
 */
export async function resealAll(database: Database, secrets: SecretBox): Promise<number> {
  let count = 0;
  for (const { listStale, update } of secretColumns) {
    for (;;) {
      const changed = await database.write(async (writer) => {
        const stale = await listStale.all(writer, { prefix: secrets.currentPrefix });
        for (const { key, sealed } of stale) {
          await update.run(writer, { key, sealed: secrets.seal(secrets.open(sealed)) });
        }
        return stale.length;
      });
      count += changed;
      if (changed < BATCH) break;
    }
  }
  return count;
}
