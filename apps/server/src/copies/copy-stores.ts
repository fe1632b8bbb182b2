import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from '../db/database.ts';
import type { StoreImage } from '../db/store-image.ts';
import type { Environment } from '../world/environment.ts';
import { fileOf, fileOfShard } from '../world/store-locations.ts';
import { type StoreName, storeNames } from '../world/world-options.ts';
import { copyOpenFile, syncAll } from './copy-file.ts';
import type { CopyPart } from './copy-part.ts';

/** A world that has a store on a server cannot be copied: its data are not here. */
export class RemoteStoreError extends Error {
  override readonly name: string = 'RemoteStoreError';
  constructor(store: StoreName) {
    super(`The store ${store} is on a libSQL server, so this world cannot be copied. Copy the database there.`);
  }
}

/** A world whose accounts are on shards cannot be forked: a copy would have no shards of its own. */
export class ShardedWorldError extends RemoteStoreError {
  constructor(environment: StoreName) {
    super(environment);
    this.message = `Accounts of ${environment} are on shards, so this world cannot be copied. Copy the databases there.`;
  }
}

/** A platform that has a shard on a server cannot be backed up here. */
export class RemoteShardError extends RemoteStoreError {
  constructor(environment: Environment, shard: string) {
    super(environment);
    this.message = `The shard ${environment}/${shard} is on a libSQL server, so no backup of it is made here. Back up the databases there, all at once.`;
  }
}

/** A shard that is copied with its world. */
export interface CopiedShard {
  readonly environment: Environment;
  readonly name: string;
  readonly database: Database;
}

/** Copies the files of the stores: they stay as they were at the instant, while writes go on into the WAL of each. */
export class StoresCopy implements CopyPart {
  readonly #databases: Readonly<Record<StoreName, Database>>;
  readonly #target: string;
  readonly #shards: readonly CopiedShard[];
  /** By the path in the copy. */
  readonly #images = new Map<string, StoreImage>();

  constructor(databases: Readonly<Record<StoreName, Database>>, target: string, shards: readonly CopiedShard[] = []) {
    this.#databases = databases;
    this.#target = target;
    this.#shards = shards;
  }

  async before(): Promise<void> {
    for (const directory of this.#directories()) await mkdir(directory, { recursive: true, mode: 0o700 });
  }

  look(): void {
    for (const name of storeNames) {
      const image = this.#databases[name].image();
      if (image === undefined) throw new RemoteStoreError(name);
      this.#images.set(fileOf(name), image);
    }
    for (const { environment, name, database } of this.#shards) {
      const image = database.image();
      if (image === undefined) throw new RemoteShardError(environment, name);
      this.#images.set(fileOfShard(environment, name), image);
    }
  }

  async after(): Promise<void> {
    await Promise.all(
      Array.from(this.#images, async ([name, { main, wal, release }]) => {
        const file = path.join(this.#target, name);
        await copyOpenFile(main, file);
        if (wal !== undefined) await copyOpenFile(wal, `${file}-wal`);
        this.#images.delete(name);
        release();
      }),
    );
    for (const directory of this.#directories()) await syncAll(directory);
  }

  /** Those below the one of the copy, the innermost first. */
  #directories(): readonly string[] {
    const own = this.#shards.map(({ environment, name }) => path.dirname(fileOfShard(environment, name)));
    const all = new Set(own.flatMap((one) => [one, path.dirname(one)]));
    return [...all].toSorted((a, b) => b.length - a.length).map((one) => path.join(this.#target, one));
  }

  end(): void {
    for (const { release } of this.#images.values()) release();
  }
}
