import type { Breathe } from './breathe.ts';
import { homeOf, homesAt } from './homes.ts';
import { KEY_WORDS, kindOf, userIdAt } from './keys.ts';
import { entryKinds, KEY_MASK, KIND_SHIFT, type StoredPerson, type Times } from './run-format.ts';
import { HeapReader, type OpenRun, personOf, RunSearch } from './run-reader.ts';
import { RunUnion } from './run-union.ts';

const STRIDE = 1024;

/**
 * Reads the people of the platform among the members, in the order of their ids. Their keys come before all others.
 * @param runs the newest first
 */
export async function readMatched(
  runs: readonly OpenRun[],
  breathe: Breathe,
  visit: (user_id: bigint, person: Times & Partial<StoredPerson>) => void,
): Promise<void> {
  const union = new RunUnion(runs);
  for (let steps = 1; union.next(); steps++) {
    if (steps % STRIDE === 0) await breathe();
    const { words, at, heap, run } = union;
    if (kindOf(words[at] ?? 0) !== 0) break;
    const [a = 0, b = 0, c = 0] = [words[at + KEY_WORDS], words[at + KEY_WORDS + 1], words[at + KEY_WORDS + 2]];
    const kind = c >>> KIND_SHIFT;
    const id = userIdAt(words, at);
    if (kind === entryKinds.home) {
      visit(id, heap.person(a, words, at));
    } else if (kind === entryKinds.alias) {
      // One person of the audience can be several of the platform, who share it. That is rare.
      const homes = homesAt(new RunSearch(run, 1), new HeapReader(run), new Uint32Array([c & KEY_MASK, a, 0, 0]));
      const { key, record } = homeOf(homes, words, at);
      visit(id, personOf(record, key, 0));
    } else if (kind === entryKinds.simple) {
      visit(id, { intervals: [a, b], events: (c & 1) === 1 ? [a] : [] });
    }
  }
}
