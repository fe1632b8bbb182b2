import { sql } from 'drizzle-orm';
import type { DueSource } from '../clock/due-source.ts';
import type { Database } from '../db/database.ts';
import { rows, statement } from '../db/statement.ts';
import { types } from '../db/value-types.ts';
import { KEPT_MS } from './notification-store.ts';
import { notifications } from './platform-table.ts';

const { id, account_id, environment, created_ms } = notifications;
const listSent = statement({ from: created_ms, after: id, until: created_ms, limit: types.int }, (args) =>
  rows(
    { id, account_id, environment, created_ms },
    (columns) =>
      sql`SELECT ${columns} FROM ${notifications} WHERE (${created_ms}, ${id}) > (${args.from}, ${args.after}) AND ${created_ms} <= ${args.until} ORDER BY ${created_ms}, ${id} LIMIT ${args.limit}`,
  ),
);

/** The times from which notifications are not shown any more. */
export function notificationExpiries(database: Database): DueSource {
  return {
    what: 'NOTIFICATION_EXPIRED',
    async list(place, until_ms, limit) {
      const behind =
        'after' in place
          ? { from: place.after.at_ms - KEPT_MS, after: Number(place.after.id) }
          : { from: place.after_ms - KEPT_MS, after: Number.MAX_SAFE_INTEGER };
      const found = await listSent.all(database, { ...behind, until: until_ms - KEPT_MS, limit });
      return found.map((sent) => ({
        at_ms: sent.created_ms + KEPT_MS,
        id: `${sent.id}`,
        account_id: sent.account_id,
        environment: sent.environment,
      }));
    },
  };
}
