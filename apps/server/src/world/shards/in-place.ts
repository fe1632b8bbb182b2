/** Rows of accounts that a store has and that count there: not those of an account that arrives, or that has left. */
import { inArray, sql } from 'drizzle-orm';
import type { Reader } from '../../db/database.ts';
import { query } from '../../db/query-builder.ts';
import { statement } from '../../db/statement.ts';
import { types } from '../../db/value-types.ts';
import { accountShards } from '../shard-table.ts';
import { DIRECTORY } from './places.ts';

const listPlaces = statement({ ids: types.text }, ({ ids }) =>
  query
    .select({ account_id: accountShards.account_id, shard: accountShards.shard })
    .from(accountShards)
    .where(inArray(accountShards.account_id, sql`(SELECT "value" FROM json_each(${ids}))`)),
);

/** The log of who may use an account is in the directory, wherever the account is. */
const ACCESS = 'ACCOUNT_ACCESS';

/** Returns those rows of a store whose account is there; rows without an account are. @param shard name of the store; empty for that of the directory */
export async function inPlace<Row extends { readonly account_id: string | null; readonly entity?: string }>(
  store: Reader,
  shard: string,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const ids = new Set(rows.flatMap(({ account_id }) => account_id ?? []));
  if (ids.size === 0) return rows;
  const found = await listPlaces.all(store, { ids: JSON.stringify([...ids]) });
  const places = new Map(found.map((row) => [row.account_id, row.shard]));
  return rows.filter(
    ({ account_id, entity }) =>
      account_id === null || entity === ACCESS || (places.get(account_id) ?? DIRECTORY) === shard,
  );
}
