/** The statements by which a directory knows its shards. */
import { ne, sql } from 'drizzle-orm';
import { query } from '../../db/query-builder.ts';
import { statement } from '../../db/statement.ts';
import { types } from '../../db/value-types.ts';
import { accountShards, shards } from '../shard-table.ts';

const { name, added_at } = shards;

/** The shards that the directory has taken in. */
export const listShards = statement({}, () => query.select({ name }).from(shards).orderBy(name));

/** Takes a shard in. */
export const addShard = statement({ name, added_at }, (row) => query.insert(shards).values(row).onConflictDoNothing());

/** The shards that accounts are on, with their numbers. */
export const listUsed = statement({}, () =>
  query
    .select({ name: accountShards.shard, accounts: sql`count(*)`.mapWith(types.int) })
    .from(accountShards)
    .where(ne(accountShards.shard, ''))
    .groupBy(accountShards.shard),
);
