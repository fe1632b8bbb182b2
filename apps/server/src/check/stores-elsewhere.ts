/** The stores of a platform that are not files of the data directory, as a check reads them: those on servers as copies of one instant. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config/config.ts';
import { shardsOnServers } from '../config/shard-files.ts';
import type { ShardConfig } from '../config/shard-settings.ts';
import { type CopiedShard, StoresCopy } from '../copies/copy-stores.ts';
import { atInstantOf, lookAt } from '../copies/instant.ts';
import type { Database } from '../db/database.ts';
import { fileOfLocation, openDatabase } from '../db/open-database.ts';
import { environments } from '../world/environment.ts';
import { fileOf, fileOfShard, nameOfStore } from '../world/store-locations.ts';
import {
  type StoreLocation,
  type StoreName,
  shardSettings,
  storeNames,
  storeSettings,
} from '../world/world-options.ts';

/** Files to be checked. */
export interface FilesElsewhere {
  /** Of the stores that the settings name. */
  readonly files: { readonly [Name in StoreName]?: string };
  /** All shards. */
  readonly shards: ShardConfig;
}

type Stores = Pick<Config, 'stores' | 'shards'>;

/** The names of the stores that are not files of the data directory, such as `platform` or `production/east`; shards that are files are not among them. */
export function namesElsewhere({ stores, shards }: Stores): readonly string[] {
  const onServers = shardsOnServers(shards).map(({ environment, name }) => nameOfStore(environment, name));
  return [...storeNames.filter((name) => stores[name] !== undefined), ...onServers];
}

/**
 * Copies the stores that are on servers. All who write there wait for a moment.
 * @param directory is made, and has the copies
 * @throws DatabaseOpenError, StoreUnreachableError, WriteAbortedError
 */
export async function filesElsewhere({ stores, shards }: Stores, directory: string): Promise<FilesElsewhere> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const opened = new Opened();
  try {
    for (const name of storeNames) {
      const location = stores[name];
      if (location !== undefined) await opened.store(name, location);
    }
    for (const environment of environments) {
      for (const { name, ...location } of shards[environment] ?? []) await opened.shard(environment, name, location);
    }
    await opened.copy(directory);
  } finally {
    await opened.close();
  }
  const files = storeNames.flatMap((name) => {
    const location = stores[name];
    return location === undefined ? [] : [[name, fileOfLocation(location.url) ?? path.join(directory, fileOf(name))]];
  });
  const shardsAsFiles = environments.map((environment) => {
    const own = shards[environment]?.map(({ name, url }) => {
      return {
        name,
        url: fileOfLocation(url) === undefined ? path.join(directory, fileOfShard(environment, name)) : url,
      };
    });
    return [environment, own] as const;
  });
  return {
    files: Object.fromEntries(files),
    shards: Object.fromEntries(shardsAsFiles.filter(([, own]) => own !== undefined)),
  };
}

/** Stores on servers. */
class Opened {
  readonly #stores: { [Name in StoreName]?: Database } = {};
  readonly #shards: CopiedShard[] = [];

  async store(name: StoreName, location: StoreLocation): Promise<void> {
    const database = await open(location, storeSettings[name]);
    if (database) this.#stores[name] = database;
  }

  async shard(environment: CopiedShard['environment'], name: string, location: StoreLocation): Promise<void> {
    const database = await open(location, `${name} in ${shardSettings[environment]}`);
    if (database) this.#shards.push({ environment, name, database });
  }

  async copy(directory: string): Promise<void> {
    const copy = new StoresCopy(this.#stores, directory, { shards: this.#shards, withRemote: true });
    try {
      await copy.before();
      await atInstantOf(this.#inOrder(), () => lookAt([copy]));
      await copy.after();
    } finally {
      copy.end();
    }
  }

  async close(): Promise<void> {
    for (const database of this.#inOrder()) await database.close();
  }

  #inOrder(): readonly Database[] {
    const own = [...environments, 'platform' as const].flatMap((name) => this.#stores[name] ?? []);
    return [...this.#shards.map(({ database }) => database), ...own];
  }
}

/** @returns `undefined` for a file */
async function open({ url, authToken }: StoreLocation, setting: string): Promise<Database | undefined> {
  if (fileOfLocation(url) !== undefined) return undefined;
  // Nothing is written.
  return openDatabase(url, {
    setting,
    acceptWeakDurability: () => {},
    ...(authToken === undefined ? {} : { authToken }),
  });
}
