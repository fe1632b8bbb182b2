import { sql } from 'drizzle-orm';
import type { DueSource } from '../clock/due-source.ts';
import type { Database } from '../db/database.ts';
import { rows, statement } from '../db/statement.ts';
import { types } from '../db/value-types.ts';
import { polls } from './platform-table.ts';

const { id, end_ms } = polls;
const listEnds = statement({ from: end_ms, after: id, until: end_ms, limit: types.int }, (args) =>
  rows(
    { id, end_ms },
    (columns) =>
      sql`SELECT ${columns} FROM ${polls} WHERE (${end_ms}, ${id}) > (${args.from}, ${args.after}) AND ${end_ms} <= ${args.until} ORDER BY ${end_ms}, ${id} LIMIT ${args.limit}`,
  ),
);
const CARD = 'card://';
const BEHIND_IDS = 2n ** 63n - 1n;

/** The ends of polls, after which nobody can vote. */
export function pollEnds(database: Database): DueSource {
  return {
    what: 'POLL_ENDED',
    async list(place, until, limit) {
      const behind =
        'after' in place
          ? { from: place.after.at_ms, after: BigInt(place.after.id.slice(CARD.length)) }
          : { from: place.after_ms, after: BEHIND_IDS };
      const found = await listEnds.all(database, { ...behind, until, limit });
      return found.map((poll) => ({ at_ms: poll.end_ms, id: `${CARD}${poll.id}` }));
    },
  };
}
