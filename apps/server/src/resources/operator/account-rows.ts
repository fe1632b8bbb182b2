/** The directory of accounts of an environment, read for the operator. */
import { sql } from 'drizzle-orm';
import type { Reader } from '../../db/database.ts';
import { listCounts } from '../../db/list-count-table.ts';
import { query } from '../../db/query-builder.ts';
import { rows, statement } from '../../db/statement.ts';
import { orNull, types } from '../../db/value-types.ts';
import { accountAccess, accounts } from '../../world/account-table.ts';
import { accountShards } from '../../world/shard-table.ts';
import { DIRECTORY } from '../../world/shards/places.ts';

/** A place in the list of accounts, the newest first: what follows is older. */
export interface AccountPlace {
  readonly created_at: string;
  readonly seq: bigint;
}

/** Which accounts are read. */
export interface AccountScan extends AccountPlace {
  /** Has access to them. */
  readonly user_id: string | null;
  /** Undefined or null: all that are not deleted. */
  readonly state: 'ACTIVE' | 'SUSPENDED' | 'DELETED' | null;
  /** The name of their shard; empty for the store of the directory. */
  readonly shard: string | null;
  /** The folded beginning of their names. */
  readonly q: string;
  /** The most rows that are compared. */
  readonly most: number;
}

const { id, name, business_id, created_at, seq, deleted, suspended } = accounts;
const shard = sql`coalesce(${accountShards.shard}, ${DIRECTORY})`.mapWith(types.text);
const users = sql`(SELECT count(*) FROM ${accountAccess} WHERE ${accountAccess.account_id} = ${id})`.mapWith(types.int);
const span = { created_at, seq, user_id: orNull(types.text), most: types.int };

// Of a user, the index of their accounts is read; of all, that of their creation.
const findAll = scanOf(false);
const findOfUser = scanOf(true);

function scanOf(isOfUser: boolean) {
  const before = (
    args: Readonly<Record<keyof typeof span, unknown>>,
  ) => sql`(${created_at}, ${seq}) < (${args.created_at}, ${args.seq})
    ${
      isOfUser
        ? sql`AND ${id} IN (SELECT ${accountAccess.account_id} FROM ${accountAccess} WHERE ${accountAccess.user_id} = ${args.user_id})`
        : sql`AND ${args.user_id} IS NULL`
    }
    ORDER BY ${created_at} DESC, ${seq} DESC LIMIT ${args.most}`;
  const filters = { state: orNull(types.text), shard: orNull(types.text), q: types.text, count: types.int };
  const found = statement({ ...span, ...filters }, (args) =>
    rows(
      { id, name, business_id, created_at, seq, deleted, suspended, shard, users },
      (columns) => sql`SELECT ${columns} FROM (SELECT * FROM ${accounts} WHERE ${before(args)}) AS ${accounts}
        LEFT JOIN ${accountShards} ON ${accountShards.account_id} = ${id}
        WHERE CASE WHEN ${deleted} THEN 'DELETED' WHEN ${suspended} THEN 'SUSPENDED' ELSE 'ACTIVE' END
            IN (coalesce(${args.state}, 'ACTIVE'), coalesce(${args.state}, 'SUSPENDED'))
          AND ${shard} = coalesce(${args.shard}, ${shard})
          AND substr(${accounts.name_folded}, 1, length(${args.q})) = ${args.q}
        ORDER BY ${created_at} DESC, ${seq} DESC LIMIT ${args.count}`,
    ),
  );
  const end = statement(span, (args) =>
    rows(
      { created_at, seq },
      (columns) => sql`SELECT ${columns} FROM ${accounts} WHERE ${before(args)} OFFSET ${args.most} - 1`,
    ),
  );
  return { found, end };
}

/** An account in a list. */
type FoundAccount = Awaited<ReturnType<typeof findAll.found.all>>[number];

/** Reads some accounts, the newest first. @returns also where further ones are @param count the most that are returned */
export async function accountsIn(
  directory: Reader,
  { state, shard: where, q, ...from }: AccountScan,
  count: number,
): Promise<{ readonly found: readonly FoundAccount[]; readonly next: AccountPlace | undefined }> {
  const { found, end } = from.user_id === null ? findAll : findOfUser;
  const [last] = await end.all(directory, from);
  const page = await found.all(directory, { ...from, state, shard: where, q, count: count + 1 });
  const shown = page.slice(0, count);
  return { found: shown, next: page.length > count ? shown.at(-1) : last };
}

/** The numbers of rows of an account that lists show, by table. */
export const countsOfAccount = statement({ account_id: listCounts.account_id }, (args) =>
  query
    .select({ list: listCounts.list, count: listCounts.count })
    .from(listCounts)
    // The class of rows that are neither deleted nor hidden nor drafts.
    .where(
      sql`${listCounts.account_id} = ${args.account_id} AND ${listCounts.of} = '' AND ${listCounts.value} = ''
        AND ${listCounts.class} = 0 AND ${listCounts.count} > 0`,
    )
    .orderBy(listCounts.list),
);
