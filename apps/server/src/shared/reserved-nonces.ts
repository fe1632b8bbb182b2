/**
 * The latest timestamp that a request can have been accepted with, in the platform's store. It is written before the first such
 * request is accepted and some time ahead, so that it is known also when the shared state has lost its memory.
 */
import { eq, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { sequences } from '../db/sequence-table.ts';
import { statement } from '../db/statement.ts';

const { name, value } = sequences;
const NAME = 'shared nonces reserved';

const find = statement({ name }, (args) => query.select({ value }).from(sequences).where(eq(name, args.name)).limit(1));
const raise = statement({ name, value }, (row) =>
  query
    .insert(sequences)
    .values(row)
    .onConflictDoUpdate({ target: name, set: { value: sql`max(${value}, excluded.value)` } }),
);

/** Returns it in seconds since the epoch, 0 where nothing was accepted. */
export async function reservedUntil(database: Database): Promise<number> {
  const row = await find.first(database, { name: NAME });
  return Number(row?.value ?? 0);
}

/** Raises it, durably. It never falls. */
export async function reserveUntil(database: Database, timestamp: number): Promise<void> {
  await database.write((writer) => raise.run(writer, { name: NAME, value: BigInt(timestamp) }));
}
