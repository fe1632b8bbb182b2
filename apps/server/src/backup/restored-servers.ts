/**
 * The stores on servers that a backup is restored into. They are filled from the files that are restored, while each says that it is not whole, and
 * become usable only after the data directory has been decided for.
 */
import path from 'node:path';
import type { Config } from '../config/config.ts';
import { shardsOnServers } from '../config/shard-files.ts';
import { type Database, StoreUnreachableError } from '../db/database.ts';
import { Filling, fillingOf, TakenFillingError, UsedStoreError } from '../db/filling.ts';
import { compareStore, countRows, loadStore } from '../db/load-store.ts';
import { fileOfLocation, openDatabase } from '../db/open-database.ts';
import { storeIdentity } from '../db/store-identity.ts';
import { environments } from '../world/environment.ts';
import { fileOf, fileOfShard, isOnServer, nameOfStore } from '../world/store-locations.ts';
import { type StoreLocation, shardSettings, storeNames, storeSettings } from '../world/world-options.ts';
import { BackupError, type BackupManifest, shardOfPath } from './manifest.ts';

/** The settings that say where stores are to be. */
export type StoreSettings = Pick<Config, 'stores' | 'shards' | 'acceptWeakDurability'>;

/** A store on a server. */
export interface RestoreTarget {
  /** Such as `platform` or `production/east`. */
  readonly name: string;
  /** The path of its file in the backup. */
  readonly file: string;
  /** The setting that leads to it, for errors. */
  readonly setting: string;
  readonly location: StoreLocation;
}

/**
 * Finds the stores that are restored onto servers: the platform first, which a server opens first.
 * @throws BackupError where the settings lead to other files than those that are restored
 */
export function targetsOf(
  manifest: BackupManifest,
  dataDirectory: string,
  { stores, shards }: Pick<StoreSettings, 'stores' | 'shards'>,
): readonly RestoreTarget[] {
  const own = storeNames.flatMap((name): RestoreTarget[] => {
    const [location, setting, file] = [stores[name], storeSettings[name], fileOf(name)];
    if (location === undefined) return [];
    if (isOnServer(location)) return [{ name, file, setting, location }];
    const place = path.join(dataDirectory, file);
    if (path.resolve(fileOfLocation(location.url) ?? '') === place) return [];
    throw new BackupError(
      `${setting} leads to another file than the one that is restored: set it to file:${place}, to an empty store on a server, or leave it out for the restoring.`,
    );
  });
  const held = new Set(
    manifest.worlds.flatMap(({ path: world, files }) => (world === '' ? files.map((file) => file.path) : [])),
  );
  const further = environments.flatMap((environment) => {
    const onServers = new Set(
      shardsOnServers(shards).flatMap((one) => (one.environment === environment ? [one.name] : [])),
    );
    return (shards[environment] ?? []).flatMap(({ name, ...location }): RestoreTarget[] => {
      const file = fileOfShard(environment, name);
      // One that the backup lacks begins empty, as an added one does.
      if (!onServers.has(name) || !held.has(file)) return [];
      const setting = `${name} in ${shardSettings[environment]}`;
      return [{ name: nameOfStore(environment, name), file, setting, location }];
    });
  });
  return [...own, ...further];
}

/** The names of the shards that a backup has and that accounts are on, of an environment. */
export function usedShardsOf({ worlds }: BackupManifest, environment: 'production' | 'sandbox'): readonly string[] {
  return worlds.flatMap(({ files, counts }) =>
    files.flatMap((file) => {
      const shard = shardOfPath(file.path);
      if (shard?.environment !== environment) return [];
      return counts[`${nameOfStore(environment, shard.name)}.accounts`] === 0 ? [] : [shard.name];
    }),
  );
}

interface Opened {
  readonly target: RestoreTarget;
  readonly database: Database;
}

/** Stores on servers that are being restored. */
export class RestoredServers {
  readonly #opened: readonly Opened[];
  readonly #token: string;
  readonly #fillings = new Map<RestoreTarget, Filling>();

  private constructor(opened: readonly Opened[], token: string) {
    this.#opened = opened;
    this.#token = token;
  }

  /** Connects to the stores. @throws DatabaseOpenError */
  static async open(
    targets: readonly RestoreTarget[],
    { acceptWeakDurability }: Pick<StoreSettings, 'acceptWeakDurability'>,
    token: string,
  ): Promise<RestoredServers> {
    const opened: Opened[] = [];
    try {
      for (const target of targets) {
        const { url, authToken } = target.location;
        const database = await openDatabase(url, {
          ...(authToken === undefined ? {} : { authToken }),
          setting: target.setting,
          isToBeFilled: true,
          acceptWeakDurability: acceptWeakDurability ? () => {} : undefined,
        });
        opened.push({ target, database });
      }
    } catch (error) {
      for (const { database } of opened) await database.close();
      throw error;
    }
    return new RestoredServers(opened, token);
  }

  /** Has all stores say that they are not whole. @throws BackupError where one is in use: nothing has changed then */
  async begin(): Promise<void> {
    for (const { target, database } of this.#opened) {
      try {
        await this.#refuseTwice(target, database);
        this.#fillings.set(target, await this.#reached(target, () => Filling.begin(database, this.#token)));
      } catch (error) {
        for (const filling of this.#fillings.values()) await filling.end().catch(() => {});
        if (!(error instanceof UsedStoreError)) throw error;
        throw new BackupError(
          `The store ${target.name} (${shown(target)}) is not empty. A backup is restored into empty stores; nothing was changed. Give ${target.setting} the URL of an empty one, or leave out the settings of stores and restore into files.`,
        );
      }
    }
  }

  /** @throws BackupError where another setting leads to the store as well */
  async #refuseTwice(target: RestoreTarget, database: Database): Promise<void> {
    if ((await this.#reached(target, () => fillingOf(database))) !== this.#token) return;
    throw new BackupError(
      `${target.setting} leads to a store (${shown(target)}) that another setting leads to as well. Give each an empty store of its own; nothing was changed.`,
    );
  }

  /** Fills each store from its file, and then compares all of it. @param directory of the files @param onPart called with the part of a store that was dealt with, twice for each */
  async fill(directory: string, onPart: (target: RestoreTarget, part: number) => void): Promise<void> {
    for (const { target, database } of this.#opened) {
      const file = path.join(directory, target.file);
      const filling = this.#fillings.get(target);
      if (filling === undefined) throw new TypeError('the store has been begun with');
      const all = Math.max(1, await countRows(file));
      const onRows = (rows: number) => onPart(target, rows / all);
      await this.#reached(target, () => loadStore(file, filling, onRows));
      const difference = await this.#reached(target, () => compareStore(file, database, onRows));
      if (difference === undefined) continue;
      throw new BackupError(
        `The store ${target.name} (${shown(target)}) ${difference} than the backup after it was filled. Repeat the command.`,
      );
    }
  }

  /** Has the stores be like any other: the platform last, without which no server starts. */
  async end(): Promise<void> {
    for (const { target, database } of this.#opened.toReversed())
      await this.#reached(target, () => Filling.release(database, this.#token));
  }

  /** Verifies that the stores are those of a platform. @throws BackupError */
  async checkPlatform(platform: string): Promise<void> {
    for (const { target, database } of this.#opened) {
      const identity = await this.#reached(target, () => storeIdentity(database));
      if (identity?.platform === platform && identity.store === target.name) continue;
      throw new BackupError(
        `${target.setting} (${shown(target)}) does not lead to the store that the backup was restored into: set it as it was then.`,
      );
    }
  }

  async close(): Promise<void> {
    for (const { database } of this.#opened) await database.close();
  }

  /** @throws BackupError where the server cannot be reached any more, or another process fills the store */
  async #reached<Result>(target: RestoreTarget, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof TakenFillingError) {
        throw new BackupError(`Another process restores into the store ${target.name} (${shown(target)}) by now.`);
      }
      if (!(error instanceof StoreUnreachableError)) throw error;
      throw new BackupError(`${error.message} Nothing is restored yet: repeat the command once it can be.`);
    }
  }
}

function shown({ location }: RestoreTarget): string {
  return location.url.replace(/\?.*/s, '');
}
