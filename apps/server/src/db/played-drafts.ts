/** Transactions by drafts: all statements of a group in one round trip, and one more for each time that a draft was wrong. */
import { LibsqlError } from '@libsql/client/sqlite3';
import type { Awaitable } from '../awaitable.ts';
import { StoreUnreachableError } from './errors.ts';
import { PlayedWriter } from './played-writer.ts';
import type { Job, Outcome } from './queued-write.ts';
import type { Draft, Failure, Played, Session, SessionWriter } from './session.ts';
import type { TouchedSlots } from './touched-slots.ts';

/**
 * How often drafts are made again. Once does where a body reads what it has written; what it read can also have been changed by others, again
 * and again.
 */
const MOST_REDRAFTS = 2;

/** What a transaction of drafts needs. */
interface Stage {
  begin(): Promise<Session>;
  touched(): TouchedSlots;
  /** Runs a body. @returns the error that it threw */
  run(writer: SessionWriter, job: Job): Awaitable<Failure | undefined>;
}

/** A transaction in which is what the bodies of a group have done, and nothing else. */
export interface PlayedTransaction {
  readonly session: Session;
  readonly touched: TouchedSlots;
  readonly outcomes: readonly Outcome[];
}

/**
 * Plays the drafts of a group. Those that were wrong are made again, by what their statements gave, and played with the others.
 * @returns `undefined` when a body still does something else than its draft: all is undone
 * @throws StoreUnreachableError, or what a transaction fails with that could not be begun; nothing is stored
 */
export async function playDrafts(group: readonly Job[], stage: Stage): Promise<PlayedTransaction | undefined> {
  let drafts = await Promise.all(group.map(({ draft }) => draft));
  let session: Session | undefined;
  for (let redrafts = 0; redrafts <= MOST_REDRAFTS; redrafts += 1) {
    const made = drafts.filter((draft) => draft !== undefined);
    if (made.length < group.length) break;
    session ??= await stage.begin();
    const played = await playIn(session, made);
    if (played === undefined) break;
    const touched = stage.touched();
    const { outcomes, off } = await runPlayed(group, played, touched, stage);
    if (off.size === 0) return { session, touched, outcomes };
    drafts = await Promise.all(group.map((job, i) => (off.has(i) ? redraft(job, played[i]) : made[i])));
  }
  await session?.rollback().catch(() => {});
  return undefined;
}

/** @returns `undefined` where a statement has ended the transaction, which is to be lost to those only that take part in it */
async function playIn(session: Session, drafts: readonly Draft[]): Promise<Played[] | undefined> {
  try {
    return await session.play?.(drafts);
  } catch (error) {
    if (!(error instanceof StoreUnreachableError)) return undefined;
    await session.rollback().catch(() => {});
    throw error;
  }
}

/** Runs the bodies of a group against what their drafts gave. @returns also the places of those that have done something else */
async function runPlayed(group: readonly Job[], played: readonly Played[], touched: TouchedSlots, stage: Stage) {
  const outcomes: Outcome[] = [];
  const off = new Set<number>();
  for (const [i, job] of group.entries()) {
    const own = played[i];
    if (own === undefined) break;
    const writer = new PlayedWriter(own, touched);
    const thrown = await stage.run(writer, job);
    if (!writer.holds(thrown !== undefined, group.length === 1)) off.add(i);
    outcomes.push({ job, thrown });
  }
  return { outcomes, off };
}

/** Makes a draft again. Nothing that follows a statement that fails could be played. */
function redraft(job: Job, played: Played | undefined): Promise<Draft | undefined> | undefined {
  if (played === undefined || played.outcomes.some((outcome) => outcome instanceof LibsqlError)) return undefined;
  return job.redraft(played);
}
