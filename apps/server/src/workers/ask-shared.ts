/**
 * Asks workers that share people by ranges. Each question is asked so that every range is asked for exactly once; a worker
 * answers for the ranges that it was asked for and for no others, or not at all. So a sum is right whoever has which ranges
 * at the moment, and there is none where a part of it is missing. See ADR 0033.
 */
import type { AudienceQuery } from '@broadside/core/resources/audience-estimate';
import type { KeywordInsights } from '@broadside/core/resources/keyword-insights';
import { OtherRangesError } from '../audience/audience-store.ts';
import type { PartWork } from '../audience/index-part.ts';
import type { InsightsQuery } from '../audience/keyword-insights.ts';
import type { AudienceScope } from '../audience/members/member-tree.ts';
import { ALL_RANGES, RANGES, type Ranges, rangeCount } from '../audience/ranges.ts';
import { ElsewhereError } from '../servers/errors.ts';
import { DEADLINE_MS, UnreachedError } from './signed-calls.ts';

/** A worker that answers for some ranges. */
export interface Holder {
  readonly takes: Ranges;
  /** Answers about everybody, where it is another process: in one call, where it answers for all ranges. */
  readonly whole: WholeWork | undefined;
  /** @param until when questions are given up */
  readonly parts: (until: AbortSignal) => PartWork;
}

/** Answers about everybody. */
export interface WholeWork {
  count(until: AbortSignal, query: AudienceQuery, scope?: AudienceScope): Promise<number>;
  search(until: AbortSignal, query: InsightsQuery): Promise<KeywordInsights>;
}

/** Asks a worker about its part. */
type AskPart<Answer> = (parts: PartWork, ranges: Ranges) => Promise<Answer>;
/** Asks all workers, each about its part. */
export interface Asking {
  readonly all: <Answer>(ask: AskPart<Answer>) => Promise<Answer[]>;
  /** The one that answers for everybody. */
  readonly alone: Holder | undefined;
  readonly until: AbortSignal;
}

/** The workers at the moment. @param again whether those that were named before may be others by now */
export type FindHolders = (again: boolean) => Promise<readonly Holder[]>;

/** Asks anew, as a whole, where a worker is not what it was taken for. @throws ElsewhereError where a range is answered for by nobody */
export async function askShared<Answer>(
  holders: FindHolders,
  body: (asking: Asking) => Promise<Answer>,
): Promise<Answer> {
  const until = AbortSignal.timeout(DEADLINE_MS);
  try {
    return await body(askingOf(divided(await holders(false)), until));
  } catch (error) {
    if (!isOutdated(error)) throw error;
  }
  try {
    return await body(askingOf(divided(await holders(true)), until));
  } catch (error) {
    if (!isOutdated(error)) throw error;
    const away = new ElsewhereError(
      'A worker that answers for a part of the people of this platform does not respond; another one takes its place within seconds, try again then.',
    );
    away.cause = error;
    throw away;
  }
}

/** Which worker is asked for which ranges. */
type Division = ReadonlyMap<Holder, Ranges>;

/**
 * Divides all ranges among workers. Of several that have a range, the one with the fewest is asked.
 * @throws ElsewhereError where one is nobody's
 */
function divided(holders: readonly Holder[]): Division {
  const byCount = holders
    .map((holder) => ({ holder, count: rangeCount(holder.takes) }))
    .sort((one, other) => one.count - other.count);
  const division = new Map<Holder, Ranges>();
  let left = ALL_RANGES;
  for (const { holder } of byCount) {
    const own = holder.takes & left;
    if (own !== 0n) division.set(holder, own);
    left &= ~own;
  }
  if (left === 0n) return division;
  throw new ElsewhereError(
    `No worker (BROADSIDE_ROLE=worker) answers for ${rangeCount(left)} of the ${RANGES} ranges of people at the moment; try again later.`,
  );
}

function askingOf(division: Division, until: AbortSignal): Asking {
  const [only, ...others] = division.keys();
  return {
    all: (ask) => Promise.all([...division].map(([{ parts }, ranges]) => ask(parts(until), ranges))),
    alone: others.length === 0 ? only : undefined,
    until,
  };
}

function isOutdated(error: unknown): boolean {
  return error instanceof UnreachedError || error instanceof OtherRangesError;
}
