/** Numbers of changes in the log of a store that accounts are moved to: a range for each of them, in the order that they had. */
import type { Reader, Writer } from './database.ts';

/** The log of an account, as it is when a move begins. */
export interface LogSpan {
  readonly first: bigint;
  readonly last: bigint;
}

/** Changes that the store of an account may take in during a move before more numbers are taken. */
const ROOM = 1_000_000n;

/** Changes of a store, from the first to the last, that get numbers of another one. */
export interface TakenNumbers extends LogSpan {
  /** Added to the numbers that they have. */
  readonly shift: bigint;
}

const SPAN = `SELECT coalesce(min("seq"), 0), coalesce(max("seq"), 0) FROM "change_log"
  WHERE "account_id" = ? AND "entity" <> 'ACCOUNT_ACCESS' LIMIT 1`;

/** Returns the numbers of the changes of an account; those that a store adds later are above all of it. */
export async function logSpan(reader: Reader, account_id: string): Promise<LogSpan> {
  const [row] = await reader.query(SPAN, [account_id]);
  const [last] = await reader.query('SELECT coalesce(max("seq"), 0) FROM "change_log" LIMIT 1');
  const own = whole(row?.[0]);
  return { first: own === 0n ? whole(last?.[0]) : own, last: whole(last?.[0]) };
}

/**
 * Takes numbers that a store hands out to nobody else.
 * @returns them, with room for changes that follow
 */
export async function takeLogNumbers(writer: Writer, { first, last }: LogSpan): Promise<TakenNumbers> {
  const [row] = await writer.query(
    `SELECT coalesce((SELECT "seq" FROM "sqlite_sequence" WHERE "name" = 'change_log'), 0) LIMIT 1`,
  );
  const shift = whole(row?.[0]) - first + 1n;
  const end = last + shift + ROOM;
  // The store goes on behind the highest number that it ever had.
  await writer.run(
    `INSERT INTO "change_log" ("seq", "entity", "entity_id", "change_type", "change_time", "change_by_platform", "changes", "entity_data")
      VALUES (?, 'ACCOUNT', '', 'UPDATE', '', 'SERVER', '{}', '{}')`,
    [end],
  );
  await writer.run('DELETE FROM "change_log" WHERE "seq" = ?', [end]);
  await markLog(writer, end);
  return { first, last: last + ROOM, shift };
}

/** The name, among the sequences of a store, of the number up to which its changes are in no order of time and have gaps. */
const MARK = 'moved_log';

/** Notes that changes were moved to or from a store. @param to a number that is handed out already; by default the last in the log */
export async function markLog(writer: Writer, to?: bigint): Promise<void> {
  await writer.run(
    `INSERT INTO "sequences" ("name", "value") VALUES ('${MARK}', coalesce(?, (SELECT max("seq") FROM "change_log"), 0))
      ON CONFLICT ("name") DO UPDATE SET "value" = max("value", excluded."value")`,
    [to ?? null],
  );
}

/** Returns the number up to which the changes of a store are in no order of time and have gaps. */
export async function unorderedUntil(reader: Pick<Reader, 'query'>): Promise<bigint> {
  const [row] = await reader.query(`SELECT "value" FROM "sequences" WHERE "name" = '${MARK}' LIMIT 1`);
  return whole(row?.[0]);
}

function whole(value: unknown): bigint {
  return typeof value === 'bigint' ? value : 0n;
}
