/** The replicas of the stores of advertising data, and the marks by which they are read. */
import type { Database } from '../db/database.ts';
import { type ReplicaState, Replicas } from '../db/replicas.ts';
import { beginMarks } from '../db/store-identity.ts';
import type { SharedState } from '../shared/shared-state.ts';
import { type Environment, environments } from './environment.ts';
import { DIRECTORY } from './shards/places.ts';
import type { Shards } from './shards/shards.ts';
import { locationOf, nameOfStore } from './store-locations.ts';
import type { WorldOptions } from './world-options.ts';

/** The replicas of one store. */
interface ReplicatedStore {
  readonly environment: Environment;
  /** Name of the shard; empty for the store of the environment. */
  readonly shard: string;
  /** Such as `production`, or `production/east` for a shard. */
  readonly name: string;
  readonly replicas: Replicas;
}

/** A store whose commits may be marked, once it belongs to the platform. */
interface Markable {
  readonly environment: Environment;
  readonly shard: string;
  readonly database: Database;
}

/** The stores of an environment. */
interface StoresOf {
  readonly directory: Database;
  readonly shards: Shards | undefined;
}

/** See the top of this file. */
export class ReplicatedStores {
  readonly all: ReplicatedStore[] = [];
  #shared: SharedState | undefined;

  /** Has commits of a store on a server marked, where some server reads replicas of it. */
  mark({ environment, shard, database }: Markable): void {
    if (!database.isRemote) return;
    const name = nameOfStore(environment, shard);
    database.markCommits(async (scopes, mark) => this.#shared?.marks.announce(name, scopes, mark));
  }

  /**
   * Opens the replicas that this server reads.
   * @param shared without it nothing is known of the writes of others, and no replica is read
   * @throws DatabaseOpenError where an address is none
   */
  async open(
    options: WorldOptions,
    storesOf: (environment: Environment) => StoresOf,
    shared: SharedState | undefined,
  ): Promise<void> {
    this.#shared = shared;
    if (shared === undefined) return;
    for (const environment of environments) {
      const given = options.replicas?.[environment] ?? [];
      for (const shard of new Set(given.map((one) => one.shard ?? DIRECTORY))) {
        const urls = given.filter((one) => (one.shard ?? DIRECTORY) === shard).map(({ url }) => url);
        const replicas = await openReplicas(options, environment, shard, urls, storesOf(environment));
        const name = nameOfStore(environment, shard);
        this.all.push({ environment, shard, name, replicas });
        shared.marks.follow(name, replicas);
      }
    }
  }

  /** Those of an environment, by shard; `undefined` where there are none. */
  of(environment: Environment): ReadonlyMap<string, Replicas> | undefined {
    const own = this.all.filter((one) => one.environment === environment);
    return own.length === 0 ? undefined : new Map(own.map(({ shard, replicas }) => [shard, replicas]));
  }

  get states(): readonly ReplicaState[] {
    return this.all.flatMap(({ replicas }) => replicas.states);
  }

  async close(): Promise<void> {
    for (const { replicas } of this.all) await replicas.close();
  }
}

async function openReplicas(
  options: WorldOptions,
  environment: Environment,
  shard: string,
  urls: readonly string[],
  { directory, shards }: StoresOf,
): Promise<Replicas> {
  const { openReplica } = await import('../db/remote/open-remote.ts');
  const location =
    shard === DIRECTORY
      ? locationOf(options, environment)
      : options.shards?.[environment]?.find(({ name }) => name === shard);
  const name = nameOfStore(environment, shard);
  const stores = urls.map((url, i) => ({
    name: urls.length === 1 ? `${name} replica` : `${name} replica ${i + 1}`,
    store: openReplica(url, location?.authToken),
  }));
  // A shard may be opened, and opened again, later.
  const primary = () => shards?.database(shard) ?? directory;
  return new Replicas(primary, stores, async () => beginMarks(primary()));
}
