/** The shards of an environment. An account is whole on one of them, or in the store of the directory: see ADR 0032. */
import type { Awaitable } from '../../awaitable.ts';
import { type Database, StoreUnreachableError } from '../../db/database.ts';
import { AccountMoves } from './account-moves.ts';
import { countByShard, DIRECTORY, Places } from './places.ts';
import type { DirectoryStores } from './routed-database.ts';
import { readOfShard } from './shard-away.ts';
import type { ShardStore } from './shard-store.ts';

/** A store that holds accounts. */
export interface AccountsStore {
  /** Name of the shard; empty for the store of the directory. */
  readonly shard: string;
  readonly database: Database;
}

/** The store of a shard. */
interface ShardDatabase {
  readonly name: string;
  /** Undefined while it cannot be used. */
  readonly opened: Database | undefined;
  /** @throws StoreUnreachableError while it cannot be used */
  readonly database: Database;
}

/** The stores that accounts of an environment are spread over. */
export class AccountStores implements DirectoryStores {
  readonly directory: Database;
  readonly places: Places;
  protected readonly elapsed: () => number;
  readonly #stores: ReadonlyMap<string, ShardDatabase>;

  /** @param elapsed milliseconds of a monotonic clock */
  constructor(directory: Database, stores: readonly ShardDatabase[], elapsed: () => number) {
    this.directory = directory;
    this.elapsed = elapsed;
    this.places = new Places(directory, elapsed);
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

  /** The store of a shard; undefined while it cannot be used. */
  opened(shard: string): Database | undefined {
    return this.#stores.get(shard)?.opened;
  }

  /** All stores that hold accounts. @throws StoreUnreachableError where one is away */
  all(): readonly AccountsStore[] {
    return [DIRECTORY, ...this.names].map((shard) => ({ shard, database: this.database(shard) }));
  }

  /** Reads the store of an account, or all that hold accounts where none is named. @throws ShardAwayError */
  async read<Result>(
    account_id: string | undefined,
    read: (database: Database) => Awaitable<Result>,
  ): Promise<Result[]> {
    const shards = account_id === undefined ? [DIRECTORY, ...this.names] : [(await this.places.ask(account_id)).shard];
    return Promise.all(shards.map((shard) => readOfShard(shard, () => read(this.database(shard)))));
  }

  /** The shard with the fewest accounts of those that respond. @throws StoreUnreachableError when none does */
  async emptiest(): Promise<string> {
    const counts = new Map((await countByShard.all(this.directory)).map(({ shard, accounts }) => [shard, accounts]));
    const open = [...this.#stores.values()].filter(({ opened }) => opened !== undefined);
    const [first, ...others] = open.map(({ name }) => ({ name, count: counts.get(name) ?? 0 }));
    if (first === undefined) throw new StoreUnreachableError('of each shard', 'none has been opened', false);
    return others.reduce((least, shard) => (shard.count < least.count ? shard : least), first).name;
  }
}

/** The same, while they are open. */
export class Shards extends AccountStores {
  /** Moves of accounts from one to another. */
  readonly moves: AccountMoves;
  readonly #stores: readonly ShardStore[];

  /** @param elapsed milliseconds of a monotonic clock */
  constructor(directory: Database, stores: readonly ShardStore[], elapsed: () => number) {
    super(directory, stores, elapsed);
    this.moves = new AccountMoves(this, elapsed);
    this.#stores = stores;
  }

  /** The same stores as seen from inside a write. @param find returns a shard from inside; `undefined` for one that is no part of the write */
  inside(directory: Database, find: (shard: string) => Database | undefined): AccountStores {
    const stores = this.names.map((name): ShardDatabase => {
      const opened = find(name);
      return {
        name,
        opened,
        get database() {
          if (opened !== undefined) return opened;
          throw new StoreUnreachableError(`of the shard ${name}`, 'it did not respond when the write began', false);
        },
      };
    });
    return new AccountStores(directory, stores, this.elapsed);
  }

  /** The names of the shards that do not respond in time. */
  async away(): Promise<string[]> {
    const responding = await Promise.all(this.#stores.map((store) => store.responds()));
    return this.#stores.flatMap(({ name }, i) => (responding[i] ? [] : [name]));
  }

  async close(): Promise<void> {
    await this.moves.stop();
    await Promise.all(this.#stores.map((store) => store.close()));
  }
}
