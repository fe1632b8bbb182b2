import { type Expectation, type TimedCall, type Verdict, verify } from '@broadside/core/resources/control/journal';
import type { Journal } from './journal.ts';

/** What became of expectations. */
export interface Verified {
  /** Whether all hold: not where one is not decided. */
  readonly passed: boolean;
  /** The number of calls that were looked at. */
  readonly calls: number;
  /** The number of requests that the journal has pushed out, unless all of them arrived before those that were looked at. */
  readonly forgotten: number;
  /** When the last of them arrived: calls since a later time are all there. */
  readonly forgotten_until: string | null;
  readonly expectations: readonly Verdict[];
}

/**
 * Verifies expectations by the calls of a journal. Others run in between.
 * @param since leaves out calls that arrived before this time of the machine, also forgotten ones
 */
export async function verifyJournal(
  journal: Journal,
  expectations: readonly Expectation[],
  since?: string,
): Promise<Verified> {
  const isChosen = (time: string) => since === undefined || time >= since;
  const whole = await journal.whole();
  const until = whole.forgotten && new Date(whole.forgotten.arrived_ms).toISOString();
  const forgotten = until !== undefined && isChosen(until) ? whole.forgotten : undefined;
  const calls: TimedCall[] = [];
  for await (const [call, { elapsed_ms }] of whole.calls) {
    if (!isChosen(call.time)) continue;
    calls.push({ ...call, arrived_ms: elapsed_ms - call.duration_ms, answered_ms: elapsed_ms });
  }
  const verdicts: Verdict[] = [];
  for (const expectation of expectations) {
    verdicts.push(verify(expectation, calls, forgotten));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return {
    passed: verdicts.every(({ passed }) => passed),
    calls: calls.length,
    forgotten: forgotten?.requests ?? 0,
    forgotten_until: (forgotten && until) ?? null,
    expectations: verdicts,
  };
}
