/** Counters of posts and people. They change by one, in the write that causes it. */
import { sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Writer } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import { types } from '../db/value-types.ts';
import { users } from '../identity/platform-table.ts';
import { posts } from './platform-table.ts';

function counter(table: SQLiteTable, id: SQLiteColumn, column: SQLiteColumn) {
  const name = sql.identifier(column.name);
  return statement(
    { id, by: types.int },
    (args) => sql`UPDATE ${table} SET ${name} = max(0, ${name} + ${args.by}) WHERE ${id} = ${args.id}`,
    (args) => `${args.id}`,
  );
}

const postCounters = {
  repost_count: counter(posts, posts.id, posts.repost_count),
  reply_count: counter(posts, posts.id, posts.reply_count),
  like_count: counter(posts, posts.id, posts.like_count),
  quote_count: counter(posts, posts.id, posts.quote_count),
};

const userCounters = {
  post_count: counter(users, users.id, users.post_count),
  followers_count: counter(users, users.id, users.followers_count),
  following_count: counter(users, users.id, users.following_count),
};

/** Counts for a post. */
export async function countForPost(
  writer: Writer,
  name: keyof typeof postCounters,
  id: bigint,
  by: 1 | -1,
): Promise<void> {
  await postCounters[name].run(writer, { id, by });
}

/** Counts for a person. */
export async function countForUser(
  writer: Writer,
  name: keyof typeof userCounters,
  id: string,
  by: 1 | -1,
): Promise<void> {
  await userCounters[name].run(writer, { id, by });
}
