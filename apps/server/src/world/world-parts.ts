/** The parts that a world is made of: its stores, secrets, nonces, bytes of media and time, opened for writing or for reading. */
import path from 'node:path';
import { NonceRegistry } from '../auth/nonces.ts';
import { WorldTime } from '../clock/world-time.ts';
import { dataNames } from '../data-names.ts';
import { lockDataDirectory } from '../db/data-lock.ts';
import type { Database } from '../db/database.ts';
import { Generations } from '../db/generations.ts';
import { openDatabase } from '../db/open-database.ts';
import { checkPrefix } from '../identity/credential-text.ts';
import { type BlobStore, unavailableBlobs } from '../media/blobs/blob-store.ts';
import { openBlobStore } from '../media/blobs/open-blob-store.ts';
import { syncDirectory } from '../members/durable-file.ts';
import { checkMediaOf } from '../servers/agreed-places.ts';
import type { PlatformServers } from '../servers/platform-servers.ts';
import { joinServers, registerServer } from '../servers/register.ts';
import type { Registration } from '../servers/registration.ts';
import { guardCommits } from '../shared/guarded-tables.ts';
import type { SharedState } from '../shared/shared-state.ts';
import type { ReaderNonces } from '../threads/reader-nonces.ts';
import { type WallClock, wallClock } from './clock.ts';
import { makeDirectory, usable } from './data-directory.ts';
import { type Environment, environments } from './environment.ts';
import { completeJointWrites, type JointStore } from './joint-write.ts';
import { openSecrets, type PlatformSecrets } from './platform-secrets.ts';
import { randomSeed, randomText, systemRandom } from './random.ts';
import { finishReplacement } from './replacement.ts';
import { ReplicatedStores } from './replicated-stores.ts';
import { forgetRestoredStores } from './restored-stores.ts';
import { secretKeysOf } from './secret-key.ts';
import { SecretBox } from './secrets.ts';
import { openShards } from './shards/open-shards.ts';
import { DIRECTORY } from './shards/places.ts';
import type { Shards } from './shards/shards.ts';
import { isOnServer, keptOf, locationOf, ownFile } from './store-locations.ts';
import { StoreMarks } from './store-marks.ts';
import { migrateStores } from './store-schemas.ts';
import {
  type Families,
  type ReadingOptions,
  type StoreName,
  storeNames,
  storeSettings,
  type WorldOptions,
} from './world-options.ts';
import type { WorldPlace } from './world-place.ts';

/** Held by the process that writes. */
interface Held extends WorldPlace {
  readonly marks: StoreMarks;
  /** Where the platform may have other servers. */
  readonly servers: PlatformServers | undefined;
  readonly shared: SharedState | undefined;
}

/** The shards of the environments that have some. */
type ShardsByEnvironment = { readonly [Name in Environment]?: Shards };

/** What a world is made of. */
export interface WorldParts {
  readonly databases: Readonly<Record<StoreName, Database>>;
  readonly secrets: PlatformSecrets;
  readonly nonces: NonceRegistry | ReaderNonces;
  readonly blobs: BlobStore;
  /** Undefined for a world that only reads, or inside a write. */
  readonly held: Held | undefined;
  readonly time: WorldTime;
  /** The stores that accounts are spread over, by environment; none by default. */
  readonly shards?: ShardsByEnvironment;
  /** Replicas that answer reads; none by default. */
  readonly replicas?: ReplicatedStores;
  /** The other stores of a write, as seen from inside it, by name. */
  readonly inside?: ReadonlyMap<string, Database>;
  /** Where a world that only reads sees that there are rules of faults. */
  readonly ruling?: SharedArrayBuffer;
}

/**
 * Opens the stores and brings them up to date.
 * @returns the parts, and what closes them again where the world is not made
 * @throws DataDirectoryError, DatabaseOpenError, DataDirectoryInUseError, StoreLossError, NewerDatabaseError: nothing is
 * changed then.
 */
export async function openParts(
  options: WorldOptions,
  families: Families,
): Promise<WorldParts & { readonly leave: () => Promise<void> }> {
  const { dataDirectory, credentialPrefix = '' } = options;
  checkPrefix(credentialPrefix);
  if (isOnServer(options.stores?.platform)) checkMediaOf(options);
  makeDirectory(path.resolve(dataDirectory));
  const { place } = options;
  const lock = place?.lock ?? lockDataDirectory(dataDirectory);
  const opened = new Map<StoreName, Database>();
  let registration: Registration | undefined;
  const shards: { [Name in Environment]?: Shards } = {};
  const replicas = new ReplicatedStores();
  const leave = async () => {
    await replicas.close();
    for (const name of environments) await shards[name]?.close();
    await registration?.leave();
    for (const database of opened.values()) await database.leave();
    // One who has the place already keeps it, to try again.
    if (!place) lock.release();
  };
  try {
    finishReplacement(dataDirectory);
    const stores = storeNames.map((name) => ({ name, file: ownFile(options, name) }));
    const marks = new StoreMarks(dataDirectory, stores, options.acceptLoss === true);
    for (const store of marks.order(stores)) {
      const { url, authToken } = locationOf(options, store.name);
      const database = await openDatabase(url, {
        ...(authToken === undefined ? {} : { authToken }),
        setting: storeSettings[store.name],
        acceptWeakDurability: options.acceptWeakDurability ? (options.onWeakDurability ?? (() => {})) : undefined,
        keep: keptOf(options, store.name),
        frugal: options.frugal === true,
        hasReaders: options.sharedNonces !== undefined,
      });
      opened.set(store.name, database);
      await marks.check(store, database);
    }
    const database = (name: StoreName): Database => {
      const found = opened.get(name);
      if (found === undefined) throw new TypeError(`the store ${name} is not open`);
      return found;
    };
    const databases = {
      platform: database('platform'),
      production: database('production'),
      sandbox: database('sandbox'),
    };
    await migrateStores(databases, options, families);
    registration = await registerServer(options, databases);
    const joint: JointStore[] = environments.map((name) => ({ name, database: databases[name] }));
    await completeJointWrites(databases.platform, joint);
    const secrets = await openSecrets(options, databases.platform);
    const joining = { database: databases.platform, secrets: secrets.secrets, platformKey: secrets.key };
    const servers = registration && (await joinServers(options, registration, joining));
    const own = path.join(dataDirectory, dataNames.media);
    const blobs = await openBlobStore(options.media ?? { directory: own }, own);
    const wall = options.wallClock ?? wallClock;
    const nonces =
      place?.nonces ??
      options.serverNonces ??
      usable(path.join(dataDirectory, dataNames.nonces), (directory) =>
        NonceRegistry.open({
          directory,
          nowSeconds: () => Math.floor(wall.now() / 1000),
          elapsed: () => wall.elapsed(),
          seed: randomSeed(systemRandom),
          shared: options.sharedNonces,
        }),
      );
    // Last, so that a start that is rejected for anything else leaves the stores as they were.
    const platform = await marks.adopt(opened, randomText(systemRandom, 22));
    if (marks.notice !== undefined) options.onUnmarked?.(marks.notice);
    forgetRestoredStores(dataDirectory);
    // The names of nonces, media and marks: without them, what is synced in them would be lost with the power.
    syncDirectory(dataDirectory);
    for (const environment of environments) {
      const guard = registration && (() => registration?.problem);
      const directory = databases[environment];
      replicas.mark({ environment, shard: DIRECTORY, database: directory });
      const adopted = async (shard: string, database: Database) => {
        replicas.mark({ environment, shard, database });
        joint.push({ name: `${environment}/${shard}`, database });
        await completeJointWrites(databases.platform, joint);
      };
      const opened = await openShards({ environment, options, families, directory, platform, guard, adopted });
      if (opened) shards[environment] = opened;
    }
    const { clock: given, startsAt } = options;
    const time = await WorldTime.open({ database: databases.platform, wall, given }, startsAt);
    await registration?.follow(time.clock);
    const shared = await openShared(options, platform, databases, wall);
    const held = { lock, nonces, marks, servers, shared };
    await replicas.open(options, (name) => ({ directory: databases[name], shards: shards[name] }), shared);
    return { databases, secrets, nonces, blobs, held, time, shards, replicas, leave };
  } catch (error) {
    await leave();
    throw error;
  }
}

/** Opens connections of their own for a world that only reads. @throws DatabaseOpenError */
export async function openReadingParts(options: ReadingOptions): Promise<WorldParts> {
  const { dataDirectory, generations, platformKey: key, nonces, faults } = options;
  const opened: Database[] = [];
  try {
    const open = async (name: StoreName): Promise<Database> => {
      const { url, authToken } = locationOf(options, name);
      const reading = { generations: new Generations(generations[name]) };
      const database = await openDatabase(url, {
        reading,
        // Who opened it for writing has said so.
        acceptWeakDurability: () => {},
        keep: keptOf(options, name),
        ...(authToken === undefined ? {} : { authToken }),
      });
      opened.push(database);
      return database;
    };
    const databases = {
      platform: await open('platform'),
      production: await open('production'),
      sandbox: await open('sandbox'),
    };
    const sealing = options.secretKeys ?? secretKeysOf(dataDirectory);
    const secrets = { secrets: new SecretBox(sealing), sealing, key };
    const time = WorldTime.reading(
      { database: databases.platform, wall: options.wallClock ?? wallClock, given: options.clock },
      options.time,
    );
    return { databases, secrets, nonces, blobs: unavailableBlobs, held: undefined, time, ruling: faults };
  } catch (error) {
    for (const database of opened) await database.close();
    throw error;
  }
}

/** @throws SharedStateError */
async function openShared(
  { shared }: WorldOptions,
  platform: string,
  databases: Readonly<Record<StoreName, Database>>,
  wall: WallClock,
): Promise<SharedState | undefined> {
  if (!shared) return undefined;
  const nowSeconds = () => Math.floor(wall.now() / 1000);
  const state = await shared({ id: platform, databases, nowSeconds });
  guardCommits(state, databases);
  return state;
}
