/**
 * Child of the migration test: migrates the database file of its first argument from the folder of its second. It prints
 * "ready" and waits for the file of its third argument, so that several of them open the new database at once.
 */
import { existsSync } from 'node:fs';
import { migrate } from '../migrate.ts';
import { openDatabase } from '../open-database.ts';

const [path = '', folder = '', signal = ''] = process.argv.slice(2);
console.log('ready');
while (!existsSync(signal)) {
  // A timer would spread them by more than the moment that matters.
}
const database = await openDatabase(path);
await migrate(database, folder, new Date(0));
await database.close();
