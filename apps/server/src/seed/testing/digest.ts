/** Seeds a directory and prints the digest of its rows. For tests, as a process with an environment of its own. */
import { generate } from '../generate.ts';
import { digestOf, openSeedPlatform } from './platform.ts';

const [directory = '', seed = ''] = process.argv.slice(2);
const { database, seeds } = await openSeedPlatform(directory);
await generate(seeds, { seed, users: 40, posts: 200, until_ms: Date.UTC(2026, 10, 1) });
process.stdout.write(await digestOf(database));
await database.close();
