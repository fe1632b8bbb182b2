import type { Batch } from './batch.ts';
import type { Breathe } from './breathe.ts';
import { compareKeys, copyKey, KEY_WORDS, type KeySorter, kindOf, writePlatformKey } from './keys.ts';
import { LoadedSlots } from './loaded-slots.ts';
import type { PeopleTable } from './people-table.ts';
import type { OpenRun } from './run-reader.ts';
import type { RunWriter } from './run-writer.ts';
import { type Written, writeSlots } from './slot-writer.ts';

const STRIDE = 4096;

/** Surroundings of a merge. */
export interface MergeContext {
  readonly people: PeopleTable;
  readonly sorter: KeySorter;
  /** The runs of the audience, the newest first. */
  readonly runs: readonly OpenRun[];
  /** The latest time that was merged before. */
  readonly at_s: number;
  readonly create: () => RunWriter;
  readonly breathe: Breathe;
}

/** Applies the operations of a batch in their order to what the runs hold. */
export async function mergeBatch(batch: Batch, context: MergeContext): Promise<Written> {
  const { people, sorter, runs, at_s, create, breathe } = context;
  const { distinct, count, numbers } = distinctKeys(batch, sorter);
  await breathe();
  const { keys, platform, links } = withPlatformKeys(distinct, count, people);
  await breathe();
  const slots = new LoadedSlots(keys, platform + count);
  await slots.load(runs, at_s, breathe);
  await replay(batch, slots, { platform, numbers, links }, breathe);
  return writeSlots(slots, create, sorter, breathe);
}

/** Sorts keys, each once. @returns them, and for each key that came its number among them */
function distinctKeys({ keys, key_count }: Batch, sorter: KeySorter) {
  const order = sorter.order(keys, key_count);
  const distinct = new Uint32Array(key_count * KEY_WORDS);
  const numbers = new Uint32Array(key_count);
  let count = 0;
  for (let i = 0; i < key_count; i++) {
    const key = order[i] ?? 0;
    if (count === 0 || compareKeys(distinct, (count - 1) * KEY_WORDS, keys, key * KEY_WORDS) !== 0) {
      copyKey(keys, key * KEY_WORDS, distinct, count * KEY_WORDS);
      count++;
    }
    numbers[key] = count - 1;
  }
  return { distinct, count, numbers };
}

/** Puts the keys of the people of the platform that sorted keys belong to before these. */
function withPlatformKeys(sorted: Uint32Array, count: number, people: PeopleTable) {
  const owners = new Uint32Array(count);
  const found = new Set<number>();
  for (let i = 0; i < count; i++) {
    const owner = people.ownerNumber(sorted, i * KEY_WORDS);
    if (owner === 0) continue;
    owners[i] = owner;
    found.add(owner);
  }
  const ids = BigUint64Array.from([...found], (number) => people.idOf(number)).sort();
  const platform = ids.length;
  const keys = new Uint32Array((platform + count) * KEY_WORDS);
  const slotOfId = new Map<bigint, number>();
  for (const [slot, id] of ids.entries()) {
    writePlatformKey(id, keys, slot * KEY_WORDS);
    slotOfId.set(id, slot);
  }
  keys.set(sorted.subarray(0, count * KEY_WORDS), platform * KEY_WORDS);
  const links = new Int32Array(count).fill(-1);
  if (platform > 0) {
    for (const [i, owner] of owners.entries()) {
      if (owner !== 0) links[i] = slotOfId.get(people.idOf(owner)) ?? -1;
    }
  }
  return { keys, platform, links };
}

async function replay(
  batch: Batch,
  { persons }: LoadedSlots,
  { platform, numbers, links }: { platform: number; numbers: Uint32Array; links: Int32Array },
  breathe: Breathe,
): Promise<void> {
  const { key_ends } = batch;
  let slots = new Int32Array(64);
  let user = 0;
  let key = 0;
  for (let i = 0; i < batch.operation_count; i++) {
    const operation = batch.operation(i);
    for (; user < operation.user_end; user++) {
      if (user % STRIDE === 0) await breathe();
      const end = key_ends[user] ?? key;
      if ((end - key) * 2 > slots.length) slots = new Int32Array((end - key) * 4);
      let count = 0;
      for (; key < end; key++) {
        const number = numbers[key] ?? 0;
        slots[count++] = platform + number;
        const link = links[number] ?? -1;
        if (link >= 0) slots[count++] = link;
      }
      persons.apply(operation, slots, count);
    }
  }
}

/** The parts of matching anew: taking away what no longer holds, before adding what holds now. */
export interface Matching {
  readonly takes: boolean;
  readonly adds: boolean;
}

/**
 * Matches the persons that have some keys with people of the platform again.
 * @param keys in ascending order, each once
 */
export async function rematch(
  sorted: Uint32Array,
  { takes, adds }: Matching,
  { people, sorter, runs, at_s, create, breathe }: MergeContext,
): Promise<Written> {
  const count = sorted.length / KEY_WORDS;
  const { keys, platform, links } = withPlatformKeys(sorted, count, people);
  const slots = new LoadedSlots(keys, platform + count);
  await slots.load(runs, at_s, breathe);
  const { persons } = slots;
  const done = new Set<number>();
  for (let i = 0; takes && i < count; i++) {
    if (i % STRIDE === 0) await breathe();
    const root = persons.find(platform + i);
    if (root < 0 || done.has(root)) continue;
    takeUnfounded(slots, platform + i, people);
    done.add(persons.find(platform + i));
  }
  for (let i = 0; adds && i < count; i++) {
    if (i % STRIDE === 0) await breathe();
    const link = links[i] ?? -1;
    const root = persons.find(platform + i);
    if (link < 0 || root < 0) continue;
    const other = persons.find(link);
    if (other === root) continue;
    if (other >= 0) {
      persons.join(root, other);
    } else {
      persons.attach(root, link);
      persons.setChanged(root);
    }
  }
  return writeSlots(slots, create, sorter, breathe);
}

/** Takes from a person the keys of people of the platform to whom none of its identifiers belongs. */
function takeUnfounded({ keys, persons }: LoadedSlots, slot: number, people: PeopleTable): void {
  const ofPlatform: number[] = [];
  const owners = new Set<bigint>();
  let at = slot;
  do {
    if (kindOf(keys[at * KEY_WORDS] ?? 0) === 0) ofPlatform.push(at);
    else owners.add(people.owner(keys, at * KEY_WORDS) ?? -1n);
    at = persons.next(at);
  } while (at !== slot);
  const founded = new Uint32Array(owners.size * KEY_WORDS);
  for (const [i, owner] of [...owners].entries()) if (owner >= 0n) writePlatformKey(owner, founded, i * KEY_WORDS);
  for (const own of ofPlatform) {
    let isFounded = false;
    for (let i = 0; i < founded.length; i += KEY_WORDS) {
      isFounded ||= compareKeys(founded, i, keys, own * KEY_WORDS) === 0;
    }
    if (!isFounded) persons.detach(own);
  }
}
