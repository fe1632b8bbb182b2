/** What `backing-up.ts` has written, and what it said. */
import path from 'node:path';
import { checkDirectory } from '../../check/check-directory.ts';
import { openDatabase } from '../../db/open-database.ts';
import { World } from '../../open-world.ts';
import { wallClock } from '../../world/clock.ts';
import { fileOf } from '../../world/store-locations.ts';

/** Returns the numbers of the writes that a directory has on the platform and in the sandbox. */
export async function written(directory: string): Promise<{ posts: Set<number>; cards: Set<number> }> {
  const numbers = async (store: 'platform' | 'sandbox', sql: string) => {
    const database = await openDatabase(path.join(directory, fileOf(store)));
    const rows = await database.query(sql).finally(() => database.close());
    return new Set(rows.map(([text]) => Number(String(text).slice(1))));
  };
  return {
    posts: await numbers('platform', "SELECT text FROM posts WHERE text GLOB 'w[0-9]*'"),
    cards: await numbers('sandbox', "SELECT description FROM funding_instruments WHERE description GLOB 'w[0-9]*'"),
  };
}

/** Opens a world, so that what a crash has left of it is cleared, and checks it. @throws Error that says what is wrong */
export async function settle(dataDirectory: string): Promise<void> {
  const world = await World.open({ dataDirectory });
  await world.close();
  const options = { shards: {}, repair: false, isServed: false, objects: undefined, now: () => wallClock.now() };
  const found = await checkDirectory({ dataDirectory, ...options });
  // Bytes that were received for a medium which a crash has prevented: the server removes them in time.
  const wrong = found.filter(({ store }) => store !== 'media');
  if (wrong.length > 0) throw new Error(`${dataDirectory}: ${JSON.stringify(wrong)}`);
}
