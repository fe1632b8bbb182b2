/** Work on accounts that more than one store takes part in: it is noted in the directory before it begins, so that somebody else can end it. */
import { and, eq, lt, ne, or, sql } from 'drizzle-orm';
import type { Writer } from '../../db/database.ts';
import { query } from '../../db/query-builder.ts';
import { sequences } from '../../db/sequence-table.ts';
import { statement } from '../../db/statement.ts';
import { types } from '../../db/value-types.ts';
import { accountWork } from '../shard-table.ts';

const { account_id, kind, source, target, state, token, until_s } = accountWork;

/** Seconds by the clock of the store: those of servers may differ. */
const NOW = sql`unixepoch()`;

/** Notes work, unless there is some of its kind on the account. */
export const beginWork = statement(
  { account_id, kind, source, target, state, token, for_s: types.int },
  ({ for_s, ...row }) =>
    query
      .insert(accountWork)
      .values({ ...row, until_s: sql`${NOW} + ${for_s}` })
      .onConflictDoNothing(),
);

/** Takes over work of somebody who has not said in time that it goes on. */
export const takeWork = statement({ account_id, kind, token, for_s: types.int }, (args) =>
  query
    .update(accountWork)
    .set({ token: args.token, until_s: sql`${NOW} + ${args.for_s}` })
    .where(and(eq(account_id, args.account_id), eq(kind, args.kind), sql`${until_s} <= ${NOW}`)),
);

/** Removes work that is done. Removes none where somebody else has taken it over. */
export const endWork = statement({ account_id, kind, token }, (args) =>
  query.delete(accountWork).where(and(eq(account_id, args.account_id), eq(kind, args.kind), eq(token, args.token))),
);

const fields = { account_id, kind, source, target, state };

/** Work on records of accounts that nobody does any more. */
export const listLeft = statement({}, () =>
  query
    .select(fields)
    .from(accountWork)
    .where(and(ne(kind, 'MOVE'), sql`${until_s} <= ${NOW}`)),
);

/** Moves that nobody goes on with. */
export const listLeftMoves = statement({}, () =>
  query
    .select(fields)
    .from(accountWork)
    .where(and(eq(kind, 'MOVE'), sql`${until_s} <= ${NOW}`)),
);

/** The move of an account that is noted, if there is one. */
export const findMove = statement({ account_id }, (args) =>
  query
    .select({ ...fields, token })
    .from(accountWork)
    .where(and(eq(account_id, args.account_id), eq(kind, 'MOVE')))
    .limit(1),
);

/** One of the moves that are noted. */
export const findAnyMove = statement({}, () => query.select(fields).from(accountWork).where(eq(kind, 'MOVE')).limit(1));

/** Says how far a move is, never less far than before, and that it goes on for some seconds. Changes nothing where somebody else has taken it over. */
export const noteMove = statement({ account_id, token, state, for_s: types.int }, (args) =>
  query
    .update(accountWork)
    .set({ state: args.state, until_s: sql`${NOW} + ${args.for_s}` })
    .where(
      and(
        eq(account_id, args.account_id),
        eq(kind, 'MOVE'),
        eq(token, args.token),
        or(eq(state, args.state), eq(state, 'COPYING')),
      ),
    ),
);

/** Gives a move of an account the right to write a shard, unless a later one has it. The row stays, so that no earlier one gets it back. */
export const seizeShard = statement({ account_id, source, target, token }, (row) =>
  query
    .insert(accountWork)
    .values({ ...row, kind: 'MOVE', state: '', until_s: 0 })
    .onConflictDoUpdate({
      target: [account_id, kind],
      set: { source: row.source, target: row.target, token: row.token },
      setWhere: lt(token, row.token),
    }),
);

/** Returns whether a move has the right to write a store. */
export const holdsStore = statement({ account_id, token }, (args) =>
  query
    .select({ token })
    .from(accountWork)
    .where(and(eq(account_id, args.account_id), eq(kind, 'MOVE'), eq(token, args.token)))
    .limit(1),
);

const countMove = statement({ name: sequences.name }, ({ name }) =>
  query
    .insert(sequences)
    .values({ name, value: sql`1` })
    .onConflictDoUpdate({ target: sequences.name, set: { value: sql`${sequences.value} + 1` } })
    .returning({ value: sequences.value }),
);

/** Counts the moves of an environment, and what was taken over of them. @returns a text that is greater than that of each move before */
export async function nextMove(writer: Writer): Promise<string> {
  const counted = await countMove.first(writer, { name: 'account_moves' });
  return String(counted?.value ?? 0n).padStart(20, '0');
}

/** What {@link listLeft} finds. */
export type LeftWork = Awaited<ReturnType<typeof listLeft.all>>[number];
