import { sql } from 'drizzle-orm';
import type { Reader } from '../../db/database.ts';
import { always, EntityQueries } from '../../db/entity-table.ts';
import { publishers } from './table.ts';

/** A publisher as stored; the id is that of the user. */
export type PublisherRow = typeof publishers.$inferSelect;

/** All publishers; the scope is the empty text. */
export const publisherQueries = new EntityQueries(publishers, sql`${sql.placeholder('scope')} = ''`, {
  not_deleted: always(sql`${publishers.deleted} = 0`),
});

const AMONG = `SELECT "id" FROM "publishers" WHERE "deleted" = 0 AND "id" IN (SELECT value FROM json_each(?))`;

/** Which of some users are publishers. */
export async function publishersAmong(reader: Reader, user_ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await reader.query(AMONG, [JSON.stringify(user_ids)]);
  return new Set(rows.map(([id]) => String(id)));
}
