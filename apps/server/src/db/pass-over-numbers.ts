/** Passes over numbers of a store that no process has open. */
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
    const found = await database.query("SELECT 1 FROM sqlite_master WHERE name = 'sequences' LIMIT 1");
    if (found.length === 0) return;
    const sql =
      'INSERT INTO sequences (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = value + excluded.value';
    await database.applyMigration([{ sql, args: [SEQUENCE, count] }]);
  } finally {
    await database.close();
  }
}
