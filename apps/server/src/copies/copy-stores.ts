import path from 'node:path';
import type { Database } from '../db/database.ts';
import type { StoreImage } from '../db/store-image.ts';
import { fileOf } from '../world/store-locations.ts';
import { type StoreName, storeNames } from '../world/world-options.ts';
import { copyOpenFile } from './copy-file.ts';
import type { CopyPart } from './copy-part.ts';

/** A world that has a store on a server cannot be copied: its data are not here. */
export class RemoteStoreError extends Error {
  override readonly name: string = 'RemoteStoreError';
  constructor(store: StoreName) {
    super(`The store ${store} is on a libSQL server, so this world cannot be copied. Copy the database there.`);
  }
}

/** A world whose accounts are on shards cannot be copied: their data are not here. */
export class ShardedWorldError extends RemoteStoreError {
  constructor(environment: StoreName) {
    super(environment);
    this.message = `Accounts of ${environment} are on shards, so this world cannot be copied. Copy the databases there.`;
  }
}

/** Copies the files of the stores: they stay as they were at the instant, while writes go on into the WAL of each. */
export class StoresCopy implements CopyPart {
  readonly #databases: Readonly<Record<StoreName, Database>>;
  readonly #target: string;
  readonly #images = new Map<StoreName, StoreImage>();

  constructor(databases: Readonly<Record<StoreName, Database>>, target: string) {
    this.#databases = databases;
    this.#target = target;
  }

  async before(): Promise<void> {}

  look(): void {
    for (const name of storeNames) {
      const image = this.#databases[name].image();
      if (image === undefined) throw new RemoteStoreError(name);
      this.#images.set(name, image);
    }
  }

  async after(): Promise<void> {
    await Promise.all(
      Array.from(this.#images, async ([name, { main, wal, release }]) => {
        const file = path.join(this.#target, fileOf(name));
        await copyOpenFile(main, file);
        if (wal !== undefined) await copyOpenFile(wal, `${file}-wal`);
        this.#images.delete(name);
        release();
      }),
    );
  }

  end(): void {
    for (const { release } of this.#images.values()) release();
  }
}
