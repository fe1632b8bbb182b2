import type { MatchedMembers } from '../member-store.ts';
import type { Breathe } from './breathe.ts';
import { compareKeys, copyKey, KEY_WORDS, type KeySorter, kindOf, userIdAt } from './keys.ts';
import type { LoadedSlots } from './loaded-slots.ts';
import { MatchedColumns } from './matched-columns.ts';
import { entryKinds, KIND_SHIFT, type RunFacts, type Times } from './run-format.ts';
import type { RunWriter } from './run-writer.ts';

const STRIDE = 4096;
const GONE: Times = { intervals: [], events: [] };

/** The result of a merge: a run if anything has changed, and the matched people whose membership has. */
export interface Written {
  readonly run: RunFacts | undefined;
  readonly changed: MatchedMembers;
}

/** Writes the changed persons of slots as a run. */
export async function writeSlots(
  slots: LoadedSlots,
  create: () => RunWriter,
  sorter: KeySorter,
  breathe: Breathe,
): Promise<Written> {
  const { keys, persons, stored } = slots;
  const homes = new Int32Array(persons.count).fill(-1);
  const changed = new MatchedColumns();
  let writer: RunWriter | undefined;
  try {
    let count = 0;
    for (const slot of inOrder(slots, sorter)) {
      if (count++ % STRIDE === 0) await breathe();
      const root = persons.find(slot);
      if (root < 0 ? stored[slot] !== 1 : !persons.isChanged(root)) continue;
      const at = slot * KEY_WORDS;
      if (kindOf(keys[at] ?? 0) === 0) changed.add(userIdAt(keys, at), root < 0 ? GONE : persons.times(root));
      writer ??= create();
      if (root < 0) {
        writer.add(keys, at, 0, 0, entryKinds.tombstone << KIND_SHIFT);
      } else if (persons.next(slot) === slot && persons.isPlain(root)) {
        writer.add(keys, at, persons.from(root), persons.to(root), persons.event(root) > 0 ? 1 : 0);
      } else if ((homes[root] ?? -1) < 0) {
        homes[root] = slot;
        writer.add(keys, at, addRecord(writer, slots, root, slot), persons.to(root), entryKinds.home << KIND_SHIFT);
      } else {
        const home = (homes[root] ?? 0) * KEY_WORDS;
        const [first = 0, second = 0] = [keys[home], keys[home + 1]];
        writer.add(keys, at, second, persons.to(root), (entryKinds.alias << KIND_SHIFT) | first);
      }
    }
    return { run: await writer?.finish(), changed: changed.finish() };
  } catch (error) {
    writer?.abandon();
    throw error;
  }
}

function addRecord(writer: RunWriter, { keys, persons }: LoadedSlots, root: number, home: number): number {
  let others = 0;
  for (let slot = persons.next(home); slot !== home; slot = persons.next(slot)) others++;
  const { intervals, events } = persons.times(root);
  const size = 2 + others * KEY_WORDS + intervals.length + events.length;
  const { place, words, start } = writer.reserveRecord(size);
  let to = start;
  words[to++] = others;
  words[to++] = ((intervals.length / 2) << 16) | events.length;
  for (let slot = persons.next(home); slot !== home; slot = persons.next(slot), to += KEY_WORDS) {
    copyKey(keys, slot * KEY_WORDS, words, to);
  }
  for (const time of intervals) words[to++] = time;
  for (const event of events) words[to++] = event;
  return place;
}

/** The slots in the order of their keys: those that came in order, and the others sorted into them. */
function* inOrder({ keys, sorted, persons }: LoadedSlots, sorter: KeySorter): Generator<number> {
  const rest = persons.count - sorted;
  const others = sorter.order(keys.subarray(sorted * KEY_WORDS), rest);
  let next = 0;
  for (let slot = 0; slot < sorted; slot++) {
    while (next < rest && compareKeys(keys, (sorted + (others[next] ?? 0)) * KEY_WORDS, keys, slot * KEY_WORDS) < 0) {
      yield sorted + (others[next++] ?? 0);
    }
    yield slot;
  }
  while (next < rest) yield sorted + (others[next++] ?? 0);
}
