/** The shards of both environments of a world. */
import { type CopiedShard, ShardedWorldError } from '../../copies/copy-stores.ts';
import type { AdsStore } from '../ads-store.ts';
import { type Environment, environments } from '../environment.ts';
import type { JointStore } from '../joint-write.ts';
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

  /**
   * Ends from now on what processes have begun with several stores and have not ended.
   * @param complete completes the joint writes of the world
   */
  begin(ads: Readonly<Record<Environment, Pick<AdsStore, 'endLeftWork'>>>, complete: () => Promise<void>): void {
    if (this.#shards.length === 0) return;
    const sweep = async () => {
      // A store that is away is tried again with the next sweep.
      await Promise.allSettled([complete(), ...this.#shards.map(([name]) => ads[name].endLeftWork())]);
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

  /** The shards that have been opened, in the order of writes of several stores. */
  get opened(): JointStore[] {
    return this.#shards.flatMap(([environment, shards]) =>
      shards.names.flatMap((name) => {
        const database = shards.opened(name);
        return database ? [{ name: `${environment}/${name}`, database }] : [];
      }),
    );
  }

  /** Returns those of environments that take part in a write of several stores: the others do not respond. */
  async joining(environments: readonly Environment[]): Promise<JointStore[]> {
    const away = new Set(await this.away());
    return this.opened.filter(({ name }) => !away.has(name) && environments.some((one) => name.startsWith(`${one}/`)));
  }

  /** Returns the shards that are copied with the world. @throws ShardedWorldError where there are some and they are not to be; StoreUnreachableError */
  copied(forBackup: boolean): readonly CopiedShard[] {
    const [first] = this.#shards;
    if (first !== undefined && !forBackup) throw new ShardedWorldError(first[0]);
    return this.#shards.flatMap(([environment, shards]) =>
      shards.names.map((name) => ({ environment, name, database: shards.database(name) })),
    );
  }

  /** To be called before the stores of the directories are closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#sweeping;
    for (const [, shards] of this.#shards) await shards.close();
  }
}
