import { formatTimestamp, timestampMs } from '@broadside/core';
import { inArray, sql } from 'drizzle-orm';
import type { DueSource } from '../clock/due-source.ts';
import type { Database } from '../db/database.ts';
import { rows, statement } from '../db/statement.ts';
import { types } from '../db/value-types.ts';
import { requestTokens } from './platform-table.ts';

const { token_hash, expires_at, state } = requestTokens;
const listExpiring = statement({ from: expires_at, after: token_hash, until: expires_at, limit: types.int }, (args) =>
  rows(
    { token_hash, expires_at },
    (columns) =>
      sql`SELECT ${columns} FROM ${requestTokens} WHERE (${expires_at}, ${token_hash}) > (${args.from}, ${args.after}) AND ${expires_at} <= ${args.until} AND ${inArray(state, ['issued', 'authorized'])} ORDER BY ${expires_at}, ${token_hash} LIMIT ${args.limit}`,
  ),
);
const BEHIND_HASHES = '~';

/** The times from which request tokens that nobody has exchanged are not valid any more. */
export function requestTokenExpiries(database: Database): DueSource {
  return {
    what: 'REQUEST_TOKEN_EXPIRED',
    async list(place, until_ms, limit) {
      const behind =
        'after' in place
          ? { from: formatTimestamp(place.after.at_ms), after: place.after.id }
          : { from: formatTimestamp(place.after_ms), after: BEHIND_HASHES };
      const until = formatTimestamp(until_ms);
      const found = await listExpiring.all(database, { ...behind, until, limit });
      return found.map((token) => ({ at_ms: timestampMs(token.expires_at), id: token.token_hash }));
    },
  };
}
