/** Makes the process that opens a world one of the servers of its platform. */
import type { Database } from '../db/database.ts';
import { isOnServer } from '../world/store-locations.ts';
import { type StoreName, storeNames, type WorldOptions } from '../world/world-options.ts';
import { placeOf } from './place.ts';
import { Registration } from './registration.ts';

/**
 * Registers the process, so that nothing is written in any store while it does not hold its number.
 * @returns `undefined` where the store of the platform is a file, which one process has at a time
 * @throws SeveralServersError; nothing is changed then
 */
export async function registerServer(
  options: WorldOptions,
  databases: Readonly<Record<StoreName, Database>>,
): Promise<Registration | undefined> {
  if (!isOnServer(options, 'platform')) return undefined;
  const { serving, dataDirectory, wallClock } = options;
  const registration = await Registration.take({
    database: databases.platform,
    place: placeOf(dataDirectory),
    serves: serving !== undefined,
    shares: serving?.shares ?? false,
    wall: wallClock,
  });
  for (const name of storeNames) databases[name].guardBy(() => registration.problem);
  return registration;
}
