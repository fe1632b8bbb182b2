/**
 * Which worker keeps the members of which audience, on a platform with workers. A place is the id of a data directory, and `''` stands for that of
 * the fact `members`, which has all audiences while no other worker keeps any. The place of an audience is decided once, by whoever asks for it
 * first, and stays. See ADR 0033.
 */
import { and, asc, eq, gt, gte, lt, or, sql } from 'drizzle-orm';
import QuickLRU from 'quick-lru';
import type { Database } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { storeNow } from '../db/store-clock.ts';
import { LEASE, PREFIX } from './members-lease.ts';
import { audienceKeepers, leases } from './platform-table.ts';

/** The place that has what was not given to another one. */
export const FIRST_PLACE = '';

/** Audiences whose places are remembered. */
const KEPT = 100_000;

const { audience, place } = audienceKeepers;

const findPlace = statement({ audience }, (args) =>
  query.select({ place }).from(audienceKeepers).where(eq(audience, args.audience)).limit(1),
);
const offerPlace = statement({ audience, place }, (row) =>
  query.insert(audienceKeepers).values(row).onConflictDoNothing(),
);

const placeOfLease = sql`substr(${leases.name}, ${sql.raw(String(PREFIX.length + 1))})`.mapWith(place);
/** Those whose keepers live, with the fewest audiences first. */
const findEmptiest = statement({}, () =>
  query
    .select({ place: placeOfLease.as('place') })
    .from(leases)
    .where(
      and(
        or(eq(leases.name, LEASE), and(gte(leases.name, PREFIX), lt(leases.name, `${LEASE}!`))),
        gt(leases.until_ms, storeNow),
      ),
    )
    .orderBy(asc(sql`(SELECT count(*) FROM ${audienceKeepers} WHERE ${place} = ${placeOfLease})`), asc(leases.name))
    .limit(1),
);

export class AudiencePlaces {
  /** That of this process, if it keeps members. */
  readonly own: string | undefined;
  readonly #database: Database;
  readonly #known = new QuickLRU<string, string>({ maxSize: KEPT });

  constructor(database: Database, own: string | undefined) {
    this.#database = database;
    this.own = own;
  }

  /** The place of an audience. Where none was decided, it is the first one from now on. @param name as the store of members names it */
  async of(name: string): Promise<string> {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const decided = (await this.#find(name)) ?? (await this.#decide(name));
    this.#known.set(name, decided);
    return decided;
  }

  /** The place of what may be no audience. Decides nothing. */
  async look(name: string): Promise<string> {
    return this.#known.get(name) ?? (await this.#find(name)) ?? FIRST_PLACE;
  }

  /** Whether this process keeps an audience. */
  async isOwn(name: string): Promise<boolean> {
    return (await this.of(name)) === this.own;
  }

  /** The audiences of each place. */
  async grouped(names: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const groups = new Map<string, string[]>();
    for (const name of names) {
      const found = await this.of(name);
      groups.set(found, [...(groups.get(found) ?? []), name]);
    }
    return groups;
  }

  /** The place for new audiences: of those whose keepers live, the one with the fewest. */
  async forNew(): Promise<string> {
    return (await findEmptiest.first(this.#database))?.place ?? FIRST_PLACE;
  }

  /** Decides the place of new audiences, but for those of which somebody has asked already. */
  async decide(names: readonly string[], to: string): Promise<void> {
    if (names.length === 0) return;
    await this.#database.write(async (writer) => {
      for (const name of names) await offerPlace.run(writer, { audience: name, place: to });
    });
  }

  async #find(name: string): Promise<string | undefined> {
    return (await findPlace.first(this.#database, { audience: name }))?.place;
  }

  #decide(name: string): Promise<string> {
    return this.#database.write(async (writer) => {
      await offerPlace.run(writer, { audience: name, place: FIRST_PLACE });
      return (await findPlace.first(writer, { audience: name }))?.place ?? FIRST_PLACE;
    });
  }
}
