/** Work on accounts that more than one store takes part in: it is noted in the directory before it begins, so that somebody else can end it. */
import { and, eq, ne, sql } from 'drizzle-orm';
import { query } from '../../db/query-builder.ts';
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

/** Work on records of accounts that nobody does any more. */
export const listLeft = statement({}, () =>
  query
    .select({ account_id, kind, target })
    .from(accountWork)
    .where(and(ne(kind, 'MOVE'), sql`${until_s} <= ${NOW}`)),
);

/** What {@link listLeft} finds. */
export type LeftWork = Awaited<ReturnType<typeof listLeft.all>>[number];
