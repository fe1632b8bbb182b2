/** Child of the migration test: migrates the database file of its first argument from the folder of its second. */
import { openDatabase } from '../database.ts';
import { migrate } from '../migrate.ts';

const [path = '', folder = ''] = process.argv.slice(2);
const database = await openDatabase(path);
await migrate(database, folder, new Date(0));
await database.close();
