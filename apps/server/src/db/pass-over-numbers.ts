/** Passes over numbers of a store that no process has open. */
import { hasTable } from './has-table.ts';
import { openDatabase } from './open-database.ts';

/** The sequence of the numbers that ids of entities are made of; stores of accounts have one, and a shard uses that of its directory. */
const SEQUENCE = 'entity';

/**
 * Moves the sequence of entities on, also where no number was taken yet. The file is not on disk yet.
 * @param count more than the number that a sequence begins with
 */
export async function passOverNumbers(file: string, count: bigint): Promise<void> {
  const database = await openDatabase(file, { synced: false });
  try {
    if (!(await hasTable(database, 'sequences'))) return;
    const sql =
      'INSERT INTO sequences (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = value + excluded.value';
    await database.applyMigration([{ sql, args: [SEQUENCE, count] }]);
  } finally {
    await database.close();
  }
}
