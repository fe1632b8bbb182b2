/** Makes the process that opens a world one of the servers of its platform. */
import type { Database } from '../db/database.ts';
import { wallClock } from '../world/clock.ts';
import type { SecretBox } from '../world/secrets.ts';
import { isOnServer } from '../world/store-locations.ts';
import { type StoreName, storeNames, type WorldOptions } from '../world/world-options.ts';
import { agreeOnMedia, agreeOnMembers } from './agreed-places.ts';
import { placeOf } from './place.ts';
import { PlatformFacts } from './platform-facts.ts';
import type { PlatformServers } from './platform-servers.ts';
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

/**
 * Agrees with the other servers on what is not in the stores.
 * @throws SeveralServersError
 */
export async function joinServers(
  options: WorldOptions,
  registration: Registration,
  services: { readonly database: Database; readonly secrets: SecretBox },
): Promise<PlatformServers> {
  const facts = new PlatformFacts({ clock: options.wallClock ?? wallClock, ...services });
  await agreeOnMedia(options, facts);
  return { registration, facts, membersElsewhere: await agreeOnMembers(options, facts) };
}
