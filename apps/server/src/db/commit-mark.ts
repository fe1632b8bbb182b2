/** Marks of commits, by which it is known whether a replica has them. */
import { CommitUntoldError } from './errors.ts';
import type { Session } from './session.ts';
import type { TouchedSlots } from './touched-slots.ts';

/**
 * Is told of each marked commit after it is stored and before it is acknowledged.
 * @param scopes of the rows that were written, or `EVERYTHING` among them
 */
export type Announce = (scopes: ReadonlySet<string>, mark: number) => Promise<void>;

/** How the commits of a store are marked. */
export interface Marking {
  /** Missing where nobody reads replicas in this process, and no server is told. */
  readonly announce: Announce | undefined;
}

/** Commits with a mark. Those who read replicas know of it before anybody has an answer. @throws CommitUntoldError where they cannot be told */
export async function commitMarked(session: Session, { scopes }: TouchedSlots, { announce }: Marking): Promise<void> {
  const mark = await (session.commitMarked?.() ?? session.commit());
  if (typeof mark !== 'number' || scopes === undefined) return;
  try {
    await announce?.(scopes, mark);
  } catch (error) {
    throw new CommitUntoldError(error);
  }
}
