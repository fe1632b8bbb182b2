/** Whether this version can open stores that another process still writes. */
import { Generations } from '../db/generations.ts';
import { openDatabase } from '../db/open-database.ts';
import { locationOf } from './store-locations.ts';
import { checkSchema } from './store-schemas.ts';
import { storeNames, type WorldOptions } from './world-options.ts';

/**
 * Verifies that the stores of a world were not written by a newer version, nor changed in what this one knows.
 * @param options of a world whose stores are there
 * @throws MigrationError, NewerDatabaseError, DatabaseOpenError: nothing was changed
 */
export async function checkKnownSchemas(options: Pick<WorldOptions, 'dataDirectory' | 'stores'>): Promise<void> {
  for (const name of storeNames) {
    const { url, authToken } = locationOf(options, name);
    const database = await openDatabase(url, {
      reading: { generations: new Generations() },
      // Whether it is accepted is said when it is opened for writing.
      acceptWeakDurability: () => {},
      ...(authToken === undefined ? {} : { authToken }),
    });
    try {
      await checkSchema(database, name);
    } finally {
      await database.close();
    }
  }
}
