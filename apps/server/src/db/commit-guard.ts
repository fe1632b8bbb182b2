/** What is told of a commit to those who keep what they have read of a store, outside of this process. */
import { CommitUnknownError, CommitUntoldError } from './errors.ts';
import { listSlot, tableSlot } from './generations.ts';
import type { TouchedSlots } from './touched-slots.ts';

/** Outdates something with each commit of some tables. */
export interface CommitGuard {
  /**
   * Says that it is in flux. To be called before COMMIT.
   * @returns ends that, to be called after COMMIT, and before anything is acknowledged; where it is never called, that ends by itself after a time in
   *   which a COMMIT of which there was no answer is stored or has failed
   * @throws what keeps it from being said; nothing may be committed then
   */
  begin(): Promise<() => Promise<void>>;
}

/** A guard, and the tables whose writes it is for. */
export interface GuardedTables {
  readonly guard: CommitGuard;
  readonly tables: readonly string[];
}

/**
 * Commits a transaction, with word to the guard where it has touched guarded tables.
 * @throws CommitUntoldError where it is stored, and the guard could not be told
 */
export async function commitGuarded(
  { guard, tables }: GuardedTables,
  touched: TouchedSlots,
  commit: () => Promise<void>,
): Promise<void> {
  // Only tables without scopes are guarded: a write to one row of theirs touches their list.
  const slots = tables.flatMap((table) => [tableSlot(table), listSlot(table, '')]);
  if (!touched.hasAny(...slots)) return commit();
  const end = await guard.begin();
  try {
    await commit();
  } catch (error) {
    // What became of the commit is said by its own error. One that may still be stored is told of later than now, so it stays in flux.
    if (!(error instanceof CommitUnknownError)) await end().catch(() => {});
    throw error;
  }
  try {
    await end();
  } catch (error) {
    throw new CommitUntoldError(error);
  }
}
