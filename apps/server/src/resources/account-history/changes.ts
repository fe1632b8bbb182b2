/** Account history, which is read from the change log and stored nowhere else. */
import { decodeCursor, encodeCursor } from '@broadside/core';
import type { HistoryEntity } from '@broadside/core/resources/account-history';
import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import { chain } from '../../awaitable.ts';
import { changeLog } from '../../db/change-log-table.ts';
import { query } from '../../db/query-builder.ts';
import { type ArgumentsIn, statement } from '../../db/statement.ts';
import { types } from '../../db/value-types.ts';
import type { AccountReader } from '../../world/account-store.ts';

interface HistoryQuery {
  readonly entity_type: HistoryEntity;
  readonly entity_id: string;
  /** The start of the period (inclusive), as a timestamp. */
  readonly start_time: string;
  /** The end of the period (exclusive). */
  readonly end_time: string;
  readonly user_id?: string | undefined;
  readonly count: number;
  readonly cursor?: string | undefined;
}

const { seq, account_id, entity, entity_id, change_type, change_time, change_by_user_id } = changeLog;

// The index on account, entity, id and seq gives the changes of one entity in order. A call that left everything unchanged
// is in the log, but is not a change (our choice).
const left = sql`NOT (${eq(change_type, 'UPDATE')} AND ${eq(changeLog.changes, '{}')})`;

const parameters = {
  account_id: types.text,
  entity,
  entity_id,
  before: types.long,
  start_time: change_time,
  end_time: change_time,
  limit: types.int,
};

function select(args: ArgumentsIn<typeof parameters>, further?: SQL) {
  return query
    .select({
      seq: sql`${seq}`.mapWith(types.long),
      user_id: change_by_user_id,
      platform: changeLog.change_by_platform,
      change_time,
      change_type,
      changes: changeLog.changes,
      entity_data: changeLog.entity_data,
    })
    .from(changeLog)
    .where(
      and(
        eq(account_id, args.account_id),
        eq(entity, args.entity),
        eq(entity_id, args.entity_id),
        lt(seq, args.before),
        gte(change_time, args.start_time),
        lt(change_time, args.end_time),
        left,
        further,
      ),
    )
    .orderBy(desc(seq))
    .limit(args.limit.placeholder);
}

const listChanges = statement(parameters, (args) => select(args));
const listChangesOfUser = statement({ ...parameters, user_id: types.text }, (args) =>
  select(args, eq(change_by_user_id, args.user_id)),
);

const ORDER = 'account_history';
const LATEST = 2n ** 63n - 1n;

/**
 * Returns a page of the changes of one entity of an account, the newest first, as the log stores them: `changes` and
 * `entity_data` are JSON.
 * @returns `undefined` when the cursor is not one of such a list
 */
export function changesOf(account: AccountReader, { entity_type, user_id, count, cursor, ...asked }: HistoryQuery) {
  const before = cursor === undefined ? LATEST : readCursor(cursor);
  if (before === undefined) return undefined;
  const args = { ...asked, entity: entity_type, before, limit: count + 1 };
  const read =
    user_id === undefined ? account.all(listChanges, args) : account.all(listChangesOfUser, { ...args, user_id });
  return chain(read, (rows) => {
    const data = rows.slice(0, count);
    const last = rows.length > count ? data.at(-1) : undefined;
    return { data, next_cursor: last ? encodeCursor({ order: ORDER, after: [last.seq] }) : null };
  });
}

function readCursor(text: string): bigint | undefined {
  const cursor = decodeCursor(text);
  const [seq, ...more] = cursor?.order === ORDER ? cursor.after : [];
  return typeof seq === 'bigint' && more.length === 0 ? seq : undefined;
}
