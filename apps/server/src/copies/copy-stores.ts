import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Awaitable } from '../awaitable.ts';
import { copyImage } from '../db/copy-image.ts';
import type { Database } from '../db/database.ts';
import type { RemoteImage } from '../db/remote-store.ts';
import type { StoreImage } from '../db/store-image.ts';
import type { Environment } from '../world/environment.ts';
import { fileOf, fileOfShard, nameOfStore } from '../world/store-locations.ts';
import { type StoreName, storeNames } from '../world/world-options.ts';
import { copyOpenFile, syncAll } from './copy-file.ts';
import type { CopyPart } from './copy-part.ts';

/** A world that has a store on a server cannot be copied: its data are not here. */
export class RemoteStoreError extends Error {
  override readonly name: string = 'RemoteStoreError';
  constructor(store: string) {
    super(
      `The store ${store} is on a libSQL server, so this world cannot be copied. Back it up, and restore the backup elsewhere.`,
    );
  }
}

/** A world whose accounts are on shards cannot be forked: a copy would have no shards of its own. */
export class ShardedWorldError extends RemoteStoreError {
  constructor(environment: StoreName) {
    super(environment);
    this.message = `Accounts of ${environment} are on shards, so this world cannot be copied. Back it up, and restore the backup elsewhere.`;
  }
}

/** A shard that is copied with its world. */
export interface CopiedShard {
  readonly environment: Environment;
  readonly name: string;
  readonly database: Database;
}

/** A store, and what it is called in errors. */
interface NamedStore {
  readonly name: string;
  readonly database: Database;
}

/** What is copied beside the stores of a world that are files. */
export interface StoresCopyOptions {
  readonly shards?: readonly CopiedShard[];
  /** Copies stores on servers as well. */
  readonly withRemote?: boolean;
}

/**
 * Copies the stores as they were at the instant, while writes go on: files into the WAL of each; what is on a server is read in a transaction that
 * sees nothing of them.
 */
export class StoresCopy implements CopyPart {
  readonly #target: string;
  /** By the path in the copy. */
  readonly #stores: ReadonlyMap<string, NamedStore>;
  readonly #withRemote: boolean;
  readonly #images = new Map<string, StoreImage>();
  readonly #remote = new Map<string, RemoteImage>();

  constructor(
    databases: Readonly<Partial<Record<StoreName, Database>>>,
    target: string,
    { shards = [], withRemote = false }: StoresCopyOptions = {},
  ) {
    this.#target = target;
    this.#withRemote = withRemote;
    const own = storeNames.flatMap((name) => {
      const database = databases[name];
      return database === undefined ? [] : [[fileOf(name), { name, database }] as const];
    });
    const further = shards.map(({ environment, name, database }) => {
      return [fileOfShard(environment, name), { name: nameOfStore(environment, name), database }] as const;
    });
    this.#stores = new Map<string, NamedStore>([...own, ...further]);
  }

  async before(): Promise<void> {
    for (const directory of this.#directories()) await mkdir(directory, { recursive: true, mode: 0o700 });
    for (const [file, { name, database }] of this.#stores) {
      if (!database.isRemote) continue;
      if (!this.#withRemote) throw new RemoteStoreError(name);
      const image = await database.remoteImage();
      if (image !== undefined) this.#remote.set(file, image);
    }
  }

  look(): Awaitable<void> {
    if (this.#remote.size === 0) return this.#lookAtFiles();
    return Promise.all(Array.from(this.#remote.values(), (image) => image.begin())).then(() => this.#lookAtFiles());
  }

  #lookAtFiles(): void {
    for (const [file, { database }] of this.#stores) {
      const image = database.image();
      if (image !== undefined) this.#images.set(file, image);
    }
  }

  async after(): Promise<void> {
    await Promise.all([
      ...Array.from(this.#images, async ([name, { main, wal, release }]) => {
        const file = path.join(this.#target, name);
        await copyOpenFile(main, file);
        if (wal !== undefined) await copyOpenFile(wal, `${file}-wal`);
        this.#images.delete(name);
        release();
      }),
      ...Array.from(this.#remote, async ([name, image]) => {
        await copyImage(image, path.join(this.#target, name));
        this.#remote.delete(name);
        image.close();
      }),
    ]);
    for (const directory of this.#directories()) await syncAll(directory);
  }

  /** Those below the one of the copy, the innermost first. */
  #directories(): readonly string[] {
    const own = [...this.#stores.keys()].map((name) => path.dirname(name)).filter((name) => name !== '.');
    const all = new Set(own.flatMap((one) => [one, path.dirname(one)]));
    return [...all].toSorted((a, b) => b.length - a.length).map((one) => path.join(this.#target, one));
  }

  end(): void {
    for (const { release } of this.#images.values()) release();
    for (const image of this.#remote.values()) image.close();
  }
}
