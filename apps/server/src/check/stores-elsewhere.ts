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

/** The stores of a platform that are on servers, opened. */
export class StoresElsewhere {
  readonly #settings: Stores;
  readonly #stores: { [Name in StoreName]?: Database } = {};
  readonly #shards: CopiedShard[] = [];

  private constructor(settings: Stores) {
    this.#settings = settings;
  }

  /** Connects. @throws DatabaseOpenError */
  static async open(settings: Stores): Promise<StoresElsewhere> {
    const opened = new StoresElsewhere(settings);
    try {
      await opened.#open();
      return opened;
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  /** The platform's store; `undefined` where that is a file. */
  get platform(): Database | undefined {
    return this.#stores.platform;
  }

  /** Finds a store by its name; `undefined` for one that is a file. */
  find(name: string): Database | undefined {
    const own = storeNames.find((one) => one === name);
    if (own !== undefined) return this.#stores[own];
    return this.#shards.find((shard) => nameOfStore(shard.environment, shard.name) === name)?.database;
  }

  /**
   * Copies the stores. All who write there wait for a moment.
   * @param directory is made, and has the copies
   * @throws StoreUnreachableError, WriteAbortedError
   */
  async copy(directory: string): Promise<FilesElsewhere> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const copy = new StoresCopy(this.#stores, directory, { shards: this.#shards, withRemote: true });
    try {
      await copy.before();
      await atInstantOf(this.#inOrder(), () => lookAt([copy]));
      await copy.after();
    } finally {
      copy.end();
    }
    return this.#filesIn(directory);
  }

  async close(): Promise<void> {
    for (const database of this.#inOrder()) await database.close();
  }

  async #open(): Promise<void> {
    const { stores, shards } = this.#settings;
    for (const name of storeNames) {
      const location = stores[name];
      const database = location && (await open(location, storeSettings[name]));
      if (database) this.#stores[name] = database;
    }
    for (const environment of environments) {
      for (const { name, ...location } of shards[environment] ?? []) {
        const database = await open(location, `${name} in ${shardSettings[environment]}`);
        if (database) this.#shards.push({ environment, name, database });
      }
    }
  }

  #filesIn(directory: string): FilesElsewhere {
    const { stores, shards } = this.#settings;
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

  #inOrder(): readonly Database[] {
    const own = [...environments, 'platform' as const].flatMap((name) => this.#stores[name] ?? []);
    return [...this.#shards.map(({ database }) => database), ...own];
  }
}

/** @returns `undefined` for a file */
async function open({ url, authToken }: StoreLocation, setting: string): Promise<Database | undefined> {
  if (fileOfLocation(url) !== undefined) return undefined;
  return openDatabase(url, {
    setting,
    // What a repair writes can be repaired again.
    acceptWeakDurability: () => {},
    ...(authToken === undefined ? {} : { authToken }),
  });
}
