/** Readies the store of a platform that is restored for servers that have nothing to do with those of before. */
import { and, gte, lt, or } from 'drizzle-orm';
import { hasTable } from '../db/has-table.ts';
import { openDatabase } from '../db/open-database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { factsOfPlaces, type PlacesOptions } from './agreed-places.ts';
import { putFact } from './platform-facts.ts';
import { leases, platformFacts, servers } from './platform-table.ts';

const { name } = platformFacts;

/** Numbers stay, with the ids that were handed out under them. */
const endServers = statement({}, () => query.update(servers).set({ lease_until_ms: 0 }));
const endLeases = statement({}, () => query.delete(leases));
/** Where workers were, by the names of `worker-address.ts` and `worker-list.ts`. */
const forgetWorkers = statement({}, () =>
  query
    .delete(platformFacts)
    .where(
      or(
        and(gte(name, 'members.address'), lt(name, 'members.address!')),
        and(gte(name, 'worker '), lt(name, 'worker!')),
      ),
    ),
);

/**
 * Has the platform in a file know no servers that run, and find its media and members where they were put with it. The file is not on disk yet.
 * @param options of the servers that are to have it
 */
export async function movePlatform(file: string, options: PlacesOptions): Promise<void> {
  const database = await openDatabase(file, { synced: false });
  try {
    // One of a version that knew no servers yet: the first that starts decides.
    if (!(await hasTable(database, 'platform_facts'))) return;
    await database.write(async (writer) => {
      await endServers.run(writer);
      await endLeases.run(writer);
      await forgetWorkers.run(writer);
      for (const [fact, value] of Object.entries(factsOfPlaces(options)))
        await putFact.run(writer, { name: fact, value });
    });
  } finally {
    await database.close();
  }
}
