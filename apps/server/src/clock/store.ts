/** The statements on the clock of a world. */
import { sql } from 'drizzle-orm';
import type { Database, Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { worldTime } from './platform-table.ts';

/** A clock that was set, as it is stored. */
export type StoredTime = Omit<typeof worldTime.$inferSelect, 'id'>;

const THE_ROW = 1;
const { id, world_ms, wall_ms, rate, frozen, limits } = worldTime;
const columns = { world_ms, wall_ms, rate, frozen, limits };

const find = statement({}, () => query.select(columns).from(worldTime).limit(1));
const put = statement(columns, (row) =>
  query
    .insert(worldTime)
    .values({ id: THE_ROW, ...row })
    .onConflictDoUpdate({ target: id, set: row }),
);
const move = statement({ ms: wall_ms }, ({ ms }) => query.update(worldTime).set({ wall_ms: sql`${wall_ms} + ${ms}` }));

/** Reads the clock; `undefined` if it was never set. */
export async function readTime(database: Database): Promise<StoredTime | undefined> {
  return find.first(database);
}

/** Stores the clock in a write. */
export async function putTime(writer: Writer, row: StoredTime): Promise<void> {
  await put.run(writer, row);
}

/**
 * Has the clock of a store that rested go on from where it was: for a copy that was made at one time of the machine and is put to use at
 * another. Without it, a running clock has gone on meanwhile.
 * @param rested_ms the time between the two
 */
export async function skipRest(database: Database, rested_ms: number): Promise<void> {
  await database.write((writer) => move.run(writer, { ms: rested_ms }));
}
