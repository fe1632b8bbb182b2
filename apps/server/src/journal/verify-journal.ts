import {
  type Expectation,
  type JournalCall,
  type TimedCall,
  type Verdict,
  verify,
} from '@broadside/core/resources/control/journal';
import type { Journal } from './journal.ts';

/** What became of expectations. */
export interface Verified {
  /** Whether all hold. */
  readonly passed: boolean;
  /** The number of calls that were looked at. */
  readonly calls: number;
  /** The number of requests that the journal has pushed out. */
  readonly forgotten: number;
  readonly expectations: readonly Verdict[];
}

/** Verifies expectations by the calls of a journal that are chosen. Others run in between. */
export async function verifyJournal(
  journal: Journal,
  expectations: readonly Expectation[],
  isChosen: (call: JournalCall) => boolean = () => true,
): Promise<Verified> {
  const calls: TimedCall[] = [];
  for await (const [call, { elapsed_ms }] of journal.calls()) {
    if (isChosen(call)) calls.push({ ...call, arrived_ms: elapsed_ms - call.duration_ms, answered_ms: elapsed_ms });
  }
  const verdicts: Verdict[] = [];
  for (const expectation of expectations) {
    verdicts.push(verify(expectation, calls));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return {
    passed: verdicts.every(({ passed }) => passed),
    calls: calls.length,
    forgotten: journal.forgotten,
    expectations: verdicts,
  };
}
