/** Where the accounts of an environment are, as the directory says. */
import { eq, ne, sql } from 'drizzle-orm';
import type { Awaitable } from '../../awaitable.ts';
import type { Database, Reader } from '../../db/database.ts';
import { OutdatedCache } from '../../db/outdated-cache.ts';
import { query } from '../../db/query-builder.ts';
import { statement } from '../../db/statement.ts';
import { types } from '../../db/value-types.ts';
import { accountShards } from '../shard-table.ts';

/** The name of the store of the directory among the shards. */
export const DIRECTORY = '';

const { account_id, shard, closed } = accountShards;

const findRow = statement({ account_id }, (args) =>
  query.select({ shard, closed }).from(accountShards).where(eq(account_id, args.account_id)).limit(1),
);

/** Stores in which store an account is. */
export const setPlace = statement({ account_id, shard, closed }, (row) =>
  query
    .insert(accountShards)
    .values(row)
    .onConflictDoUpdate({ target: account_id, set: { shard: row.shard, closed: row.closed } }),
);

/** Removes what a store says of an account. */
export const removePlace = statement({ account_id }, (args) =>
  query.delete(accountShards).where(eq(account_id, args.account_id)),
);

/** The numbers of accounts by shard, of those that have any, without accounts in the store of the directory. */
export const countByShard = statement({}, () =>
  query
    .select({ shard, accounts: sql`count(*)`.mapWith(types.int) })
    .from(accountShards)
    .where(ne(shard, DIRECTORY))
    .groupBy(shard),
);

/** What a store says of an account. */
export interface PlaceRow {
  readonly shard: string;
  /** Nothing is written for a moment. */
  readonly closed: boolean;
}

/** Returns what a store says of an account; without a row it is in the store of the directory. */
export function placeIn(store: Reader, id: string): Awaitable<PlaceRow | undefined> {
  return findRow.first(store, { account_id: id });
}

/** Where an account was at a time. */
export interface Place extends PlaceRow {
  /** Milliseconds of a monotonic clock, before the directory was asked. */
  readonly asked_ms: number;
}

/** A place is not used for longer without asking. */
const KEPT_MS = 10_000;
/**
 * What was read in a place that was asked for so long ago is read again. Rows of an account that has moved stay where they were for longer
 * than that, so whoever was stopped in between has not missed any.
 */
const OVER_MS = 20_000;
/** The places of accounts, kept while the directory is what it was. */
export class Places {
  readonly #directory: Database;
  readonly #elapsed: () => number;
  readonly #known: OutdatedCache<Place>;
  /** Questions on the way, with the generation in which they were asked. */
  readonly #asking = new Map<string, { readonly generation: number; readonly place: Promise<Place> }>();

  /** @param elapsed milliseconds of a monotonic clock */
  constructor(directory: Database, elapsed: () => number) {
    this.#directory = directory;
    this.#elapsed = elapsed;
    this.#known = new OutdatedCache(directory.generations, 'places of accounts', 10_000);
  }

  of(id: string): Awaitable<Place> {
    const known = this.#known.get(id);
    if (known !== undefined && this.#age(known) < KEPT_MS) return known;
    const { generation } = this.#known;
    const asked = this.#asking.get(id);
    // As good as a place that is kept: it holds while the generation stands.
    if (asked?.generation === generation) return asked.place;
    const place = this.ask(id);
    const asking = { generation, place };
    this.#asking.set(id, asking);
    const answered = () => {
      if (this.#asking.get(id) === asking) this.#asking.delete(id);
    };
    place.then(answered, answered);
    return place;
  }

  /** Asks the directory. */
  async ask(id: string): Promise<Place> {
    const { generation } = this.#known;
    const asked_ms = this.#elapsed();
    const place = { shard: DIRECTORY, closed: false, ...(await placeIn(this.#directory, id)), asked_ms };
    this.#known.set(id, place, generation);
    return place;
  }

  /** Returns whether what was read there is too old to be relied on. */
  isOver(place: Place): boolean {
    return this.#age(place) > OVER_MS;
  }

  /** Forgets all places, since one has changed. */
  forget(): void {
    this.#known.forget();
  }

  #age({ asked_ms }: Place): number {
    return this.#elapsed() - asked_ms;
  }
}
