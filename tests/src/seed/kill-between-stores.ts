/** Seeds a file, and is killed after the platform has committed its part and before the sandbox has: `node kill-between-stores.ts DIRECTORY FILE`. */
import { readFileSync } from 'node:fs';
import { World } from '@broadside/server';

const [, , dataDirectory = '', file = ''] = process.argv;
const world = await World.open({ dataDirectory });
const { database } = world.ads.sandbox;
const write = database.write.bind(database);
database.write = (body, options) =>
  write(async (writer) => {
    await body(writer);
    process.kill(process.pid, 'SIGKILL');
    // The signal is on its way.
    return new Promise<never>(() => {});
  }, options);
await world.seeds.apply(JSON.parse(readFileSync(file, 'utf8')), '.');
