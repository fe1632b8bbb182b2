/** The shards of both environments of a world. */
import { ShardedWorldError } from '../../copies/copy-stores.ts';
import type { Database } from '../../db/database.ts';
import type { AdsStore } from '../ads-store.ts';
import { type Environment, environments } from '../environment.ts';
import type { StoreName } from '../world-options.ts';
import type { Shards } from './shards.ts';

/** Work that a process has left is looked for this often, in milliseconds. */
const SWEEP_MS = 5000;

export class ShardsOfWorld {
  readonly #shards: readonly (readonly [Environment, Shards])[];
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;
  #isClosed = false;

  constructor(shards: { readonly [Name in Environment]?: Shards }) {
    this.#shards = environments.flatMap((name) => {
      const own = shards[name];
      return own ? [[name, own] as const] : [];
    });
  }

  /** Ends from now on what processes have begun with several stores and have not ended. */
  begin(ads: Readonly<Record<Environment, Pick<AdsStore, 'endLeftWork'>>>): void {
    if (this.#shards.length === 0) return;
    const sweep = async () => {
      // A store that is away is tried again with the next sweep.
      await Promise.allSettled(this.#shards.map(([name]) => ads[name].endLeftWork()));
      if (this.#isClosed) return;
      this.#timer = setTimeout(() => {
        this.#sweeping = sweep();
      }, SWEEP_MS).unref();
    };
    this.#sweeping = sweep();
  }

  /** The names of shards that do not respond in time. */
  async away(): Promise<string[]> {
    if (this.#shards.length === 0) return [];
    const asked = this.#shards.map(async ([environment, shards]) =>
      (await shards.away()).map((name) => `${environment}/${name}`),
    );
    return (await Promise.all(asked)).flat();
  }

  /** Returns the stores of a world that can be copied. @throws ShardedWorldError */
  refuseCopy<Stores extends Readonly<Record<StoreName, Database>>>(stores: Stores): Stores {
    const [first] = this.#shards;
    if (first === undefined) return stores;
    throw new ShardedWorldError(first[0]);
  }

  /** To be called before the stores of the directories are closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#sweeping;
    for (const [, shards] of this.#shards) await shards.close();
  }
}
