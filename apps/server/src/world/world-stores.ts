/** The stores of a world taken together: how they are doing, and what is done with all of them. */
import type { Database } from '../db/database.ts';
import type { StoreWatch } from '../db/store-watch.ts';
import { Asked } from './asked.ts';
import type { ReplicatedStores } from './replicated-stores.ts';
import type { ShardsOfWorld } from './shards/shards-of-world.ts';
import { isMigrated } from './store-schemas.ts';
import { type StoreName, storeNames } from './world-options.ts';

interface Stores {
  readonly databases: Readonly<Record<StoreName, Database>>;
  readonly shards: Pick<ShardsOfWorld, 'away'>;
  readonly replicas: Pick<ReplicatedStores, 'states'>;
  /** Why this process may not write, where it is one of several. */
  readonly registration: { readonly problem: Error | undefined } | undefined;
}

export class WorldStores {
  readonly #stores: Stores;
  readonly #responds: Readonly<Record<StoreName, Asked>>;
  readonly #probed: Readonly<Record<StoreName, Asked>>;

  constructor(stores: Stores) {
    const { databases } = stores;
    this.#stores = stores;
    const ofEach = (ask: (name: StoreName) => Promise<boolean>) => ({
      platform: new Asked(() => ask('platform')),
      production: new Asked(() => ask('production')),
      sandbox: new Asked(() => ask('sandbox')),
    });
    this.#responds = ofEach((name) => isMigrated(databases[name], name));
    this.#probed = ofEach((name) => databases[name].probe().then(() => true));
  }

  /**
   * Returns the names of the stores that do not respond or lack migrations. A report cannot wait, so one that does not respond in time
   * counts as one that does not respond.
   */
  async unready(): Promise<StoreName[]> {
    const checks = await Promise.all(storeNames.map((name) => this.#responds[name].answer()));
    return storeNames.filter((_, i) => !checks[i]);
  }

  /** The names of shards that do not respond, such as `production/east`: their accounts cannot be used, all others can. */
  shardsAway(): Promise<string[]> {
    return this.#stores.shards.away();
  }

  /** The names of replicas that do not respond, such as `production replica`: their primary answers in place of them. */
  replicasAway(): string[] {
    return this.#stores.replicas.states.filter(({ isAway }) => isAway).map(({ name }) => name);
  }

  /** Why stores cannot be written, as sentences. A store that could not be is tried again. */
  async problems(): Promise<string[]> {
    const { databases, registration } = this.#stores;
    await Promise.all(storeNames.map((name) => this.#probed[name].answer()));
    const ofStores = storeNames.flatMap((name) => {
      const { problem } = databases[name];
      return problem === undefined ? [] : [`The store ${name} cannot be written: ${problem}.`];
    });
    const { problem } = registration ?? {};
    return problem === undefined ? ofStores : [...ofStores, problem.message];
  }

  /** Reports when the disk begins to reject the writes of a store, and when it takes them again (no problem). */
  onProblem(report: (store: StoreName, problem: string | undefined) => void): void {
    for (const name of storeNames) this.#stores.databases[name].onProblem((problem) => report(name, problem));
  }

  /** Whether the disk took the latest write of each store. */
  get writable(): ReadonlyMap<StoreName, boolean> {
    return new Map(storeNames.map((name) => [name, this.#stores.databases[name].problem === undefined]));
  }

  /** The number of writes that wait for their turn, by store. */
  get waitingWrites(): ReadonlyMap<StoreName, number> {
    return new Map(storeNames.map((name) => [name, this.#stores.databases[name].waitingWrites]));
  }

  /** Has the work of the stores watched from now on. */
  watch(storeWatch: (store: StoreName) => StoreWatch): void {
    for (const name of storeNames) this.#stores.databases[name].watch(storeWatch(name));
  }

  /** Gives back the memory of the stores that nothing has used since the last call. */
  rest(): void {
    for (const name of storeNames) this.#stores.databases[name].rest();
  }

  /** The memory by which threads that read learn of writes. */
  get generations(): Readonly<Record<StoreName, SharedArrayBuffer>> {
    const { platform, production, sandbox } = this.#stores.databases;
    return {
      platform: platform.generations.buffer,
      production: production.generations.buffer,
      sandbox: sandbox.generations.buffer,
    };
  }

  /** A state of each store that changes with every write, for comparison with another one. */
  get written(): readonly Int32Array[] {
    return storeNames.map((name) => this.#stores.databases[name].generations.state);
  }

  /** Has whoever keeps something beside rows read it again. */
  outdateAll(): void {
    for (const name of storeNames) this.#stores.databases[name].generations.advanceAll();
  }
}
