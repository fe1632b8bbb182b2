/** Counts of lists, which triggers keep: they must be those of the rows. */
import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Sqlite from 'libsql';
import { keepListCounts } from '../../apps/server/src/db/list-counts.ts';
import { openDatabase } from '../../apps/server/src/db/open-database.ts';
import { entities } from '../../apps/server/src/families.ts';

const COUNTS = `SELECT "account_id", "list", "of", "value", "class", "count" FROM "list_counts" WHERE "count" <> 0
  ORDER BY 1, 2, 3, 4, 5`;
/** Ranges of names begin at random; all of them together hold each row once. */
const NAMES = `SELECT "account_id", "list", "class", sum("count") FROM "list_names" GROUP BY 1, 2, 3
  HAVING sum("count") <> 0 ORDER BY 1, 2, 3`;

/** Compares the counts of a store with those of its rows, which are counted anew in a copy. @throws AssertionError */
export async function checkCounts(file: string): Promise<void> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'broadside-counts-'));
  try {
    const copy = path.join(scratch, 'copy.db');
    const source = new Sqlite(file, { readonly: true });
    source.prepare('VACUUM INTO ?').run(copy);
    source.close();
    const database = await openDatabase(copy);
    try {
      const kept = [await database.query(COUNTS), await database.query(NAMES)];
      const triggers = await database.query(
        `SELECT "name" FROM sqlite_master WHERE type = 'trigger' AND "name" LIKE '%\\_counted\\_%' ESCAPE '\\'`,
      );
      assert(triggers.length > 0, 'counts are kept by triggers');
      await database.applyMigration(triggers.map(([name]) => ({ sql: `DROP TRIGGER "${String(name)}"` })));
      await keepListCounts(database, entities.all);
      const counted = [await database.query(COUNTS), await database.query(NAMES)];
      assert.deepEqual(kept, counted, 'counts are those of the rows');
    } finally {
      await database.close();
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
