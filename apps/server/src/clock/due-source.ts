/**
 * What happens in a world only because its time passes, without any work: the flight of a line item begins, a poll ends. Nothing is written
 * then, so these times are looked up: each source reads an index on its time, in pages.
 */

import { formatTimestamp, timestampMs } from '@broadside/core';
import type { HappeningName } from '@broadside/core/resources/control/clock';
import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Awaitable } from '../awaitable.ts';
import type { Database } from '../db/database.ts';
import { type ArgumentsIn, rows, statement } from '../db/statement.ts';
import { types } from '../db/value-types.ts';
import type { Environment } from '../world/environment.ts';
import { accountShards } from '../world/shard-table.ts';
import { DIRECTORY } from '../world/shards/places.ts';
import type { Shards } from '../world/shards/shards.ts';

/** Something that happens at a time. */
export interface Due {
  readonly at_ms: number;
  readonly id: string;
  readonly account_id?: string | undefined;
  readonly environment?: Environment | undefined;
}

/** A place in the order of a source: behind everything until a time, or behind one thing. */
type Place = { readonly after_ms: number } | { readonly after: Due };

export interface DueSource {
  readonly what: HappeningName;
  /** Lists what happens behind a place and until a time, in the order of time, then of accounts and ids. */
  list(place: Place, until_ms: number, limit: number): Awaitable<readonly Due[]>;
}

/** The largest limit that a source is asked with. */
const PAGE = 500;

/** Goes through a source in its order. */
export async function* dueFrom(source: DueSource, after_ms: number, until_ms: number): AsyncGenerator<Due> {
  let place: Place = { after_ms };
  for (;;) {
    const page = await source.list(place, until_ms, PAGE);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    place = { after: last };
  }
}

/** A table of account data with a time that something begins or ends at. */
export interface TimedTable {
  readonly table: SQLiteTable;
  readonly account_id: SQLiteColumn;
  readonly id: SQLiteColumn;
  /** A timestamp. */
  readonly time: SQLiteColumn;
  /** Of which rows; implies the condition of an index on the time, the account and the id. */
  readonly where: SQL;
}

/** Greater than every id: they are digits and small letters. */
const BEHIND_IDS = '~';

/** The stores that accounts of an environment are in, as `AdsStore` has them. */
interface AccountStores {
  readonly database: Database;
  readonly shards?: Pick<Shards, 'names' | 'database'> | undefined;
}

/** What an account has left behind in a store does not count. */
function isIn(account: SQLiteColumn, shard: SQL): SQL {
  const found = sql`SELECT ${accountShards.shard} FROM ${accountShards} WHERE ${accountShards.account_id} = ${account}`;
  return sql`coalesce((${found}), ${sql.raw(`'${DIRECTORY}'`)}) = ${shard}`;
}

/** Makes sources of the rows of a table, for an environment: one for each store that accounts are in. */
export function timedSource(
  what: HappeningName,
  { table, account_id, id, time, where }: TimedTable,
): (environment: Environment, stores: AccountStores) => readonly DueSource[] {
  const parameters = { from: types.text, account: types.text, after: types.text, until: types.text, limit: types.int };
  const select = (args: ArgumentsIn<typeof parameters>, further: SQL) =>
    rows(
      {
        time: sql<string>`${time}`.mapWith(types.text),
        account_id: sql<string>`${account_id}`.mapWith(types.text),
        id: sql<string>`${id}`.mapWith(types.text),
      },
      (columns) =>
        sql`SELECT ${columns} FROM ${table} WHERE (${time}, ${account_id}, ${id}) > (${args.from}, ${args.account}, ${args.after}) AND ${time} <= ${args.until} AND ${further} ORDER BY ${time}, ${account_id}, ${id} LIMIT ${args.limit}`,
    );
  const listDue = statement(parameters, (args) => select(args, where));
  const listDueIn = statement({ ...parameters, shard: types.text }, ({ shard, ...args }) =>
    select(args, sql`${where} AND ${isIn(account_id, shard)}`),
  );
  const sourceOf = (environment: Environment, read: (page: Page) => ReturnType<typeof listDue.all>): DueSource => ({
    what,
    async list(place, until_ms, limit) {
      const behind = 'after' in place ? place.after : undefined;
      const found = await read({
        from: formatTimestamp(behind ? behind.at_ms : 'after_ms' in place ? place.after_ms : 0),
        account: behind?.account_id ?? BEHIND_IDS,
        after: behind?.id ?? BEHIND_IDS,
        until: formatTimestamp(until_ms),
        limit,
      });
      return found.map(({ time: at, ...due }) => ({ ...due, at_ms: timestampMs(at), environment }));
    },
  });
  return (environment, { database, shards }) =>
    shards === undefined
      ? [sourceOf(environment, (page) => listDue.all(database, page))]
      : [DIRECTORY, ...shards.names].map((shard) =>
          // One that is away has the advance fail: what it has would be passed over.
          sourceOf(environment, (page) => listDueIn.all(shards.database(shard), { ...page, shard })),
        );
}

/** Where a page of a source begins and ends. */
interface Page {
  readonly from: string;
  readonly account: string;
  readonly after: string;
  readonly until: string;
  readonly limit: number;
}
