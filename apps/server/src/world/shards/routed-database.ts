/** The database of one account, wherever it is. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Awaitable } from '../../awaitable.ts';
import type { Arg, Database, Reader, Row, Writer } from '../../db/database.ts';
import type { WriteOptions } from '../../db/queued-write.ts';
import type { Guard } from '../../db/remote-store.ts';
import type { Primary, Replicas } from '../../db/replicas.ts';
import { DIRECTORY, type PlaceRow, type Places, placeIn } from './places.ts';

type Body<Result> = (writer: Writer, isElsewhere?: boolean) => Awaitable<Result>;

/** The database in which the data of an account are. */
export interface AccountDatabase extends Reader {
  /** As `Database.write` does. The body learns whether it writes another store than that of the directory. */
  write<Result>(body: Body<Result>, options?: WriteOptions): Promise<Result>;
}

/** A write came while its account was between two shards. Nothing was changed. */
export class AccountMovingError extends Error {
  override readonly name = 'AccountMovingError';
  constructor(account_id: string) {
    super(`The account ${account_id} is being moved to another shard; the same call will work in a moment.`);
  }
}

/** The stores of an environment. */
export interface Stores {
  readonly places: Places;
  /** @throws StoreUnreachableError where the shard is away */
  database(shard: string): Database;
}

/** The stores of an environment, with that of the directory. */
export interface DirectoryStores extends Stores {
  readonly directory: Database;
}

/** The store that a write was sent to is not, or not now, the one that takes writes of the account. */
class OutOfPlaceError extends Error {
  override readonly name = 'OutOfPlaceError';
}

/** How long a write waits for an account to arrive on its new shard, which takes less. */
const PATIENCE_MS = 900;
/** The directory is asked after this much, and then after twice as much each time, up to the longest pause. */
const PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 80;

export class RoutedDatabase implements AccountDatabase {
  readonly #stores: Stores;
  readonly #account_id: string;
  readonly #replicas: ReadonlyMap<string, Replicas> | undefined;

  /** @param replicas answer reads, by shard; none by default */
  constructor(stores: Stores, account_id: string, replicas?: ReadonlyMap<string, Replicas>) {
    this.#stores = stores;
    this.#account_id = account_id;
    this.#replicas = replicas;
  }

  query(sql: string, args?: readonly Arg[]): Promise<readonly Row[]> {
    return this.read(sql, args);
  }

  read(sql: string, args?: readonly Arg[]): Promise<readonly Row[]> {
    return this.#read((database) => database.read(sql, args));
  }

  /**
   * Reads, unless a guard fails that only the store of the directory can run, where the account is there. On a shard the read is made in any
   * case: whoever waits for the directory alone does not wait for it.
   * @throws SkippedReadError where the guard fails; as `Database.query` does
   */
  readIf(guard: Guard, sql: string, args: readonly Arg[]): Promise<readonly Row[]> {
    return this.#read((database, shard) =>
      shard === DIRECTORY ? database.readIf(guard, sql, args) : database.read(sql, args),
    );
  }

  async #read(read: (database: Primary, shard: string) => Awaitable<readonly Row[]>): Promise<readonly Row[]> {
    const { places } = this.#stores;
    let place = await places.of(this.#account_id);
    for (;;) {
      const { shard } = place;
      const replicas = this.#replicas?.get(shard);
      const rows = await read(replicas?.readsOf(this.#account_id) ?? this.#stores.database(shard), shard);
      if (!places.isOver(place)) return rows;
      // This process was stopped, or the store slow: the rows may be those that were left behind, or have been removed since.
      place = await places.ask(this.#account_id);
    }
  }

  /**
   * Writes where the account is. If it is about to be elsewhere, waits for that.
   * @throws AccountMovingError where that takes too long; as `Database.write` does
   */
  async write<Result>(body: Body<Result>, options?: WriteOptions): Promise<Result> {
    const { places } = this.#stores;
    let pause = PAUSE_MS;
    for (let waited = 0; ; waited += pause) {
      const { shard } = waited === 0 ? await places.of(this.#account_id) : await places.ask(this.#account_id);
      try {
        return await this.#stores.database(shard).write((writer) => this.#inPlace(shard, writer, body), options);
      } catch (error) {
        if (!(error instanceof OutOfPlaceError)) throw error;
        if (waited >= PATIENCE_MS) throw new AccountMovingError(this.#account_id);
      }
      pause = waited === 0 ? PAUSE_MS : Math.min(2 * pause, LONGEST_PAUSE_MS);
      await sleep(pause);
    }
  }

  #inPlace<Result>(shard: string, writer: Writer, body: Body<Result>): Awaitable<Result> {
    const found = placeIn(writer, this.#account_id);
    if (!(found instanceof Promise)) {
      checkPlace(shard, found);
      return body(writer, shard !== DIRECTORY);
    }
    // The first reads of the body go with this one; whatever it does counts only if the account is here.
    return checkedBeside(shard, found, async () => body(writer, shard !== DIRECTORY));
  }
}

async function checkedBeside<Result>(
  shard: string,
  found: Promise<PlaceRow | undefined>,
  body: () => Promise<Result>,
): Promise<Result> {
  const [place, result] = await Promise.allSettled([found, body()]);
  if (place.status === 'rejected') throw place.reason;
  checkPlace(shard, place.value);
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

/** @throws OutOfPlaceError unless the store takes writes of the account */
function checkPlace(shard: string, found: PlaceRow | undefined): void {
  if ((found?.shard ?? DIRECTORY) !== shard || found?.closed) throw new OutOfPlaceError();
}
