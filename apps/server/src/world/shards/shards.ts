/** The shards of an environment. An account is whole on one of them, or in the store of the directory: see ADR 0032. */
import { type Database, StoreUnreachableError } from '../../db/database.ts';
import { AccountMoves } from './account-moves.ts';
import { countByShard, DIRECTORY, Places } from './places.ts';
import type { Stores } from './routed-database.ts';
import type { ShardStore } from './shard-store.ts';

/** A store that holds accounts. */
export interface AccountsStore {
  /** Name of the shard; empty for the store of the directory. */
  readonly shard: string;
  readonly database: Database;
}

export class Shards implements Stores {
  readonly directory: Database;
  readonly places: Places;
  /** Moves of accounts from one to another. */
  readonly moves: AccountMoves;
  readonly #stores: ReadonlyMap<string, ShardStore>;

  /** @param elapsed milliseconds of a monotonic clock */
  constructor(directory: Database, stores: readonly ShardStore[], elapsed: () => number) {
    this.directory = directory;
    this.places = new Places(directory, elapsed);
    this.moves = new AccountMoves(this, elapsed);
    this.#stores = new Map(stores.map((store) => [store.name, store]));
  }

  get names(): readonly string[] {
    return [...this.#stores.keys()];
  }

  database(shard: string): Database {
    if (shard === DIRECTORY) return this.directory;
    const store = this.#stores.get(shard);
    if (store !== undefined) return store.database;
    throw new StoreUnreachableError(`of the shard ${shard}`, 'this server has no setting that says where it is', false);
  }

  /** All stores that hold accounts. @throws StoreUnreachableError where one is away */
  all(): readonly AccountsStore[] {
    return [DIRECTORY, ...this.names].map((shard) => ({ shard, database: this.database(shard) }));
  }

  /** The shard with the fewest accounts of those that respond. @throws StoreUnreachableError when none does */
  async emptiest(): Promise<string> {
    const counts = new Map((await countByShard.all(this.directory)).map(({ shard, accounts }) => [shard, accounts]));
    const open = [...this.#stores.values()].filter(({ opened }) => opened !== undefined);
    const [first, ...others] = open.map(({ name }) => ({ name, count: counts.get(name) ?? 0 }));
    if (first === undefined) throw new StoreUnreachableError('of each shard', 'none has been opened', false);
    return others.reduce((least, shard) => (shard.count < least.count ? shard : least), first).name;
  }

  /** The names of the shards that do not respond in time. */
  async away(): Promise<string[]> {
    const stores = [...this.#stores.values()];
    const responding = await Promise.all(stores.map((store) => store.responds()));
    return stores.flatMap(({ name }, i) => (responding[i] ? [] : [name]));
  }

  async close(): Promise<void> {
    await this.moves.stop();
    await Promise.all([...this.#stores.values()].map((store) => store.close()));
  }
}
