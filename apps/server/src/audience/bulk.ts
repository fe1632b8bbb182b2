import { eq, sql } from 'drizzle-orm';
import type { Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { audienceState } from './platform-table.ts';

const begin = statement({}, () => query.update(audienceState).set({ bulk: true }).where(eq(audienceState.id, 1)));
const end = statement({}, () =>
  query
    .update(audienceState)
    .set({ bulk: false, epoch: sql`${audienceState.epoch} + 1` })
    .where(eq(audienceState.id, 1)),
);

/**
 * Runs statements of a write that change very many people, follows or posts. They are not recorded one by one: every
 * index is rebuilt.
 */
export async function inBulk<Result>(writer: Writer, body: () => Promise<Result>): Promise<Result> {
  await begin.run(writer);
  const result = await body();
  await end.run(writer);
  return result;
}
