import type { Breathe } from './breathe.ts';
import { KEY_WORDS } from './keys.ts';
import { entryKinds, KIND_SHIFT, type RunFacts } from './run-format.ts';
import type { OpenRun } from './run-reader.ts';
import { RunUnion } from './run-union.ts';
import type { RunWriter } from './run-writer.ts';

const STRIDE = 4096;
/** So many neighbouring runs of about one size are made one. */
const TIER_RUNS = 4;
const SMALLEST_TIER = 4096;

/**
 * Returns how many of the newest runs should be made one; 0 if none. A run is of a higher tier when it is four times as large.
 * Four of a tier, with what is smaller among and after them, become one of the next: an entry is written anew once for each
 * tier, and there are three runs of each at most.
 * @param runs the oldest first
 */
export function runsToCompact(runs: readonly RunFacts[]): number {
  const tiers = runs.map(tierOf).reverse();
  let most = 0;
  for (const tier of new Set(tiers)) {
    const higher = tiers.findIndex((other) => other > tier);
    const count = higher < 0 ? tiers.length : higher;
    if (tiers.slice(0, count).filter((other) => other === tier).length >= TIER_RUNS) most = Math.max(most, count);
  }
  return most;
}

function tierOf({ entries, heap }: RunFacts): number {
  return Math.max(0, Math.floor(Math.log2(Math.max(1, (entries + heap / 7) / SMALLEST_TIER)) / 2));
}

/**
 * Makes one run of several: of each key the newest entry.
 * @param runs the newest first
 * @param oldest_of_all whether no older run is left, so that what is gone need not be remembered
 * @param now_s what had expired by then is left out, where `oldest_of_all`
 */
export async function compact(
  runs: readonly OpenRun[],
  oldest_of_all: boolean,
  now_s: number,
  writer: RunWriter,
  breathe: Breathe,
): Promise<RunFacts> {
  try {
    const union = new RunUnion(runs);
    for (let steps = 1; union.next(); steps++) {
      if (steps % STRIDE === 0) await breathe();
      const { words, at, heap } = union;
      const [a = 0, b = 0, c = 0] = [words[at + KEY_WORDS], words[at + KEY_WORDS + 1], words[at + KEY_WORDS + 2]];
      const kind = c >>> KIND_SHIFT;
      if (oldest_of_all && (kind === entryKinds.tombstone || b <= now_s)) continue;
      writer.add(words, at, kind === entryKinds.home ? writer.addRecord(heap.record(a)) : a, b, c);
    }
    return await writer.finish();
  } catch (error) {
    writer.abandon();
    throw error;
  }
}
