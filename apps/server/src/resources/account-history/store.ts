import { changeTypes, decodeCursor, encodeCursor, type HistoryEntity, type Page } from '@broadside/core';
import type { Reader } from '../../db/database.ts';

/** Which changes are asked for. */
export interface HistoryQuery {
  readonly entity_type: HistoryEntity;
  readonly entity_id: string;
  /** The first moment, as a timestamp. */
  readonly start_time: string;
  /** The first moment that is too late. */
  readonly end_time: string;
  readonly user_id?: string | undefined;
  readonly count: number;
  readonly cursor?: string | undefined;
}

/** A change as the log holds it. */
export interface LoggedChange {
  readonly user_id: string | null;
  readonly platform: string;
  readonly change_time: string;
  readonly change_type: (typeof changeTypes)[number];
  /** JSON. */
  readonly changes: string;
  /** JSON of the entity after the change. */
  readonly entity_data: string;
}

const ORDER = 'account_history';
const LATEST = 2n ** 63n - 1n;

// The index on account, entity, id and seq gives the changes of one entity in their order. A call that left everything as it
// was is in the log, but no change (our choice).
const CHANGES = `SELECT "seq", "change_by_user_id", "change_by_platform", "change_time", "change_type", "changes", "entity_data"
  FROM "change_log"
  WHERE "account_id" = ? AND "entity" = ? AND "entity_id" = ? AND "seq" < ? AND "change_time" >= ? AND "change_time" < ?
    AND NOT ("change_type" = 'UPDATE' AND "changes" = '{}')`;

/**
 * A page of the changes of one entity of an account, the newest first; `undefined` when the cursor is not one of such a list.
 */
export async function changesOf(
  reader: Reader,
  account_id: string,
  { entity_type, entity_id, start_time, end_time, user_id, count, cursor }: HistoryQuery,
): Promise<Page<LoggedChange> | undefined> {
  const before = cursor === undefined ? LATEST : readCursor(cursor);
  if (before === undefined) return undefined;
  const byUser = user_id === undefined ? '' : ' AND "change_by_user_id" = ?';
  const rows = await reader.query(`${CHANGES}${byUser} ORDER BY "seq" DESC LIMIT ?`, [
    account_id,
    entity_type,
    entity_id,
    before,
    start_time,
    end_time,
    ...(user_id === undefined ? [] : [user_id]),
    BigInt(count + 1),
  ]);
  const shown = rows.slice(0, count);
  const last = rows.length > count ? shown.at(-1) : undefined;
  return {
    data: shown.map(([, user, platform, time, type, changes, entity_data]) => ({
      user_id: typeof user === 'string' ? user : null,
      platform: String(platform),
      change_time: String(time),
      change_type: changeTypes.find((known) => known === type) ?? 'UPDATE',
      changes: String(changes),
      entity_data: String(entity_data),
    })),
    next_cursor: last ? encodeCursor({ order: ORDER, after: [BigInt(String(last[0]))] }) : null,
  };
}

function readCursor(text: string): bigint | undefined {
  const cursor = decodeCursor(text);
  const [seq, ...more] = cursor?.order === ORDER ? cursor.after : [];
  return typeof seq === 'bigint' && more.length === 0 ? seq : undefined;
}
