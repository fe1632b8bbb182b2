/** Opens the shards of an environment: each has to be the one that the directory knows under its name. */
import { existsSync } from 'node:fs';
import type { Database } from '../../db/database.ts';
import { fileOfLocation, openDatabase } from '../../db/open-database.ts';
import { adoptStore, isUsed, storeIdentity } from '../../db/store-identity.ts';
import { timestamp, wallClock } from '../clock.ts';
import type { Environment } from '../environment.ts';
import { nameOfStore } from '../store-locations.ts';
import { StoreLossError } from '../store-marks.ts';
import { migrateShard } from '../store-schemas.ts';
import { type Families, type ShardLocation, shardSettings, type WorldOptions } from '../world-options.ts';
import { countByShard } from './places.ts';
import { addShard, listShards } from './shard-list.ts';
import { ShardStore } from './shard-store.ts';
import { Shards } from './shards.ts';

/** What opening the shards of an environment needs. */
export interface ShardsOpening {
  readonly environment: Environment;
  readonly options: WorldOptions;
  readonly families: Families;
  /** The store of the directory, brought up to date. */
  readonly directory: Database;
  /** Id of the platform. */
  readonly platform: string;
  /** Why this process may not write at the moment. */
  readonly guard: (() => Error | undefined) | undefined;
  /** Called with each shard before it is used. */
  readonly adopted: (shard: string, database: Database) => Promise<void>;
}

/** Shards are not those that the directory knows. The message is one line that says what to do. */
export class ShardsError extends Error {
  override readonly name = 'ShardsError';
}

/**
 * Opens the shards; those that do not respond are opened when they do.
 * @returns `undefined` where there are none
 * @throws ShardsError, StoreLossError, MigrationError, DatabaseOpenError
 */
export async function openShards(opening: ShardsOpening): Promise<Shards | undefined> {
  const { environment, options, directory } = opening;
  const locations = options.shards?.[environment] ?? [];
  await checkUsed(directory, environment, locations);
  if (locations.length === 0) return undefined;
  const known = new Set((await listShards.all(directory)).map(({ name }) => name));
  const wall = options.wallClock ?? wallClock;
  const stores = locations.map(
    (location) =>
      new ShardStore(
        location.name,
        () => openShard(opening, location, known),
        (problem) => options.onShard?.(nameOfStore(environment, location.name), problem),
      ),
  );
  const opened = new Shards(directory, stores, () => wall.elapsed());
  try {
    for (const store of stores) await store.begin();
  } catch (error) {
    await opened.close();
    throw error;
  }
  return opened;
}

/** @throws ShardsError where the settings lack a shard that accounts are on */
async function checkUsed(
  directory: Database,
  environment: Environment,
  given: readonly ShardLocation[],
): Promise<void> {
  const lacking = (await countByShard.all(directory)).find(({ shard }) => !given.some(({ name }) => name === shard));
  if (lacking === undefined) return;
  const setting = shardSettings[environment];
  throw new ShardsError(
    `The shard ${lacking.shard} of ${environment} has ${lacking.accounts} accounts and is not in ${setting}: add ${lacking.shard}=URL to it.`,
  );
}

async function openShard(opening: ShardsOpening, location: ShardLocation, known: Set<string>): Promise<Database> {
  const { environment, options, directory, guard } = opening;
  const { name, url, authToken } = location;
  const file = fileOfLocation(url);
  // Opening would make it anew.
  if (known.has(name) && options.acceptLoss !== true && file !== undefined && !existsSync(file))
    throw lost(location, environment);
  const database = await openDatabase(url, {
    ...(authToken === undefined ? {} : { authToken }),
    setting: `${name} in ${shardSettings[environment]}`,
    acceptWeakDurability: options.acceptWeakDurability ? (options.onWeakDurability ?? (() => {})) : undefined,
  });
  try {
    await adopt(opening, name, database, known);
    if (guard) database.guardBy(guard);
    await opening.adopted(name, database);
    const now = timestamp(options.clock ?? wallClock);
    if (!known.has(name)) await directory.write((writer) => addShard.run(writer, { name, added_at: now }));
    known.add(name);
    return database;
  } catch (error) {
    await database.leave();
    throw error;
  }
}

function lost({ name }: Pick<ShardLocation, 'name'>, environment: Environment): StoreLossError {
  const setting = shardSettings[environment];
  return new StoreLossError(`The shard ${name} in ${setting} leads to an empty store, and it had accounts before.`);
}

/** Makes the store that of the shard, or checks that it is. @throws StoreLossError */
async function adopt(
  { environment, options, families, platform }: ShardsOpening,
  name: string,
  database: Database,
  known: ReadonlySet<string>,
): Promise<void> {
  const store = nameOfStore(environment, name);
  const setting = `${name} in ${shardSettings[environment]}`;
  const found = await storeIdentity(database);
  if (found !== undefined && found.platform !== platform) {
    throw new ShardsError(`The shard ${setting} leads to a store of another platform. Correct its URL.`);
  }
  if (found !== undefined && found.store !== store) {
    throw new ShardsError(`The shard ${setting} leads to the store of ${found.store}. Correct its URL.`);
  }
  if (found === undefined && (await isUsed(database))) {
    throw new ShardsError(
      `The shard ${setting} leads to a store that is no shard of this platform. Give it an empty one.`,
    );
  }
  if (found === undefined && known.has(name) && options.acceptLoss !== true) {
    throw lost({ name }, environment);
  }
  await migrateShard(database, environment, options, families);
  if (found !== undefined) return;
  await adoptStore(database, { platform, store, commits: 0 }, false);
  // Of servers that begin with a shard at the same moment, the first has written the row.
  const adopted = await storeIdentity(database);
  if (adopted?.store !== store || adopted.platform !== platform) {
    throw new ShardsError(`The shard ${setting} leads to the store of ${adopted?.store}. Correct its URL.`);
  }
}
