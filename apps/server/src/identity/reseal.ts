/** Seals every secret of the platform store anew under the current key, so that earlier keys can be thrown away. */
import type { Database } from '../db/database.ts';
import type { SecretBox } from '../world/secrets.ts';

const columns = [
  { table: 'apps', key: 'id', column: 'consumer_secret_sealed' },
  { table: 'access_tokens', key: 'token', column: 'secret_sealed' },
  { table: 'request_tokens', key: 'token_hash', column: 'secret_sealed' },
  { table: 'platform_keys', key: 'name', column: 'key_sealed' },
] as const;

/** How many rows are changed in one transaction. */
const BATCH = 500;

/**
 * Goes through all sealed secrets. A start that is cut off is taken up by the next.
 * @returns how many were sealed anew
 * @throws UnknownKeyError when one was sealed under a key that is not given; what was done until then stays done
 */
export async function resealAll(database: Database, secrets: SecretBox): Promise<number> {
  let count = 0;
  const prefix = secrets.currentPrefix;
  for (const { table, key, column } of columns) {
    const stale = `substr("${column}", 1, ${prefix.length}) <> ?`;
    for (;;) {
      const changed = await database.write(async (writer) => {
        const rows = await writer.query(`SELECT "${key}", "${column}" FROM "${table}" WHERE ${stale} LIMIT ${BATCH}`, [
          prefix,
        ]);
        for (const [id, sealed] of rows) {
          await writer.run(`UPDATE "${table}" SET "${column}" = ? WHERE "${key}" = ?`, [
            secrets.seal(secrets.open(String(sealed))),
            String(id),
          ]);
        }
        return rows.length;
      });
      count += changed;
      if (changed < BATCH) break;
    }
  }
  return count;
}
