/** The statements by which a directory knows its shards. */
import { query } from '../../db/query-builder.ts';
import { statement } from '../../db/statement.ts';
import { shards } from '../shard-table.ts';

const { name, added_at } = shards;

/** The shards that the directory has taken in. */
export const listShards = statement({}, () => query.select({ name }).from(shards).orderBy(name));

/** Takes a shard in. */
export const addShard = statement({ name, added_at }, (row) => query.insert(shards).values(row).onConflictDoNothing());
