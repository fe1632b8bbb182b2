/** The statements on rules of faults. */
import { eq } from 'drizzle-orm';
import type { Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { faultRules } from './platform-table.ts';

/** A rule as it is stored. */
export type FaultRow = typeof faultRules.$inferSelect;

const { number, match, effect, times, until_ms, created_ms, seed, matched, fired, window_ends_ms } = faultRules;

/** Rules, the first that was created first. */
export const listFaults = statement({}, () => query.select().from(faultRules).orderBy(number));

const insert = statement({ match, effect, times, until_ms, created_ms, seed }, (rule) =>
  query.insert(faultRules).values(rule).returning(),
);

/** Stores a rule. @returns the row, with its number */
export async function insertFault(
  writer: Writer,
  rule: Pick<FaultRow, 'match' | 'effect' | 'times' | 'until_ms' | 'created_ms' | 'seed'>,
): Promise<FaultRow> {
  const stored = await insert.first(writer, rule);
  if (!stored) throw new TypeError('a rule got no number');
  return stored;
}

export const setSeed = statement({ number, seed }, (args) =>
  query.update(faultRules).set({ seed: args.seed }).where(eq(number, args.number)),
);

export const setCounts = statement({ number, matched, fired, window_ends_ms }, (args) =>
  query
    .update(faultRules)
    .set({ matched: args.matched, fired: args.fired, window_ends_ms: args.window_ends_ms })
    .where(eq(number, args.number)),
);

export const deleteFault = statement({ number }, (args) => query.delete(faultRules).where(eq(number, args.number)));

export const deleteFaults = statement({}, () => query.delete(faultRules));
