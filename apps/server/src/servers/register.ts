/** Makes the process that opens a world one of the servers of its platform. */
import type { Database } from '../db/database.ts';
import { AskedWorkers } from '../workers/asked-workers.ts';
import { findWorkerAddress, removeWorkerAddress } from '../workers/worker-address.ts';
import { WorkerList } from '../workers/worker-list.ts';
import { WorkerShare } from '../workers/worker-share.ts';
import { wallClock } from '../world/clock.ts';
import type { SecretBox } from '../world/secrets.ts';
import { isOnServer } from '../world/store-locations.ts';
import { type StoreName, storeNames, type WorldOptions } from '../world/world-options.ts';
import { agreeOnPlaces } from './agreed-places.ts';
import { AudiencePlaces } from './audience-places.ts';
import { MembersKeeper } from './members-keeper.ts';
import { directoryId, placeOf } from './place.ts';
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
  if (!isOnServer(options.stores?.platform)) return undefined;
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
  services: { readonly database: Database; readonly secrets: SecretBox; readonly platformKey: string },
): Promise<PlatformServers> {
  const facts = new PlatformFacts({ clock: options.wallClock ?? wallClock, ...services });
  const role = options.serving && (options.serving.role ?? 'all');
  const { place, elsewhere: membersElsewhere } = await agreeOnPlaces(options, { facts, leases: registration.leases });
  const keeper =
    role === 'worker' && place !== undefined
      ? await MembersKeeper.take(registration, { directory: directoryId(options.dataDirectory), place })
      : undefined;
  // What was a worker may do all by itself from now on.
  if (role === 'all' && place !== undefined) await removeWorkerAddress(facts);
  // Without a worker, a server that does all answers what it can.
  const isAsking =
    role === 'worker' ||
    (membersElsewhere !== undefined &&
      (role === 'server' || (role === 'all' && (await findWorkerAddress(facts)) !== undefined)));
  if (!isAsking) return { registration, facts, membersElsewhere };
  const { database, platformKey } = services;
  const places = new AudiencePlaces(database, keeper?.place);
  const workers = new WorkerList({ database, facts, registration });
  const asked = new AskedWorkers({ facts, places, platformKey });
  const share = role === 'worker' ? new WorkerShare(workers) : undefined;
  return { registration, facts, membersElsewhere, working: { keeper, places, asked, workers, share } };
}
