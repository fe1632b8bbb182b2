import { compareKeys, KEY_WORDS } from './keys.ts';
import { entryKinds, KIND_SHIFT } from './run-format.ts';
import type { HeapReader, RunSearch } from './run-reader.ts';

/** A home with its record. */
export interface FoundHome {
  readonly key: Uint32Array;
  readonly record: Uint32Array;
}

/** Returns the homes of a run that begin with the first two words of a key; prefixes come in ascending order. */
export function homesAt(search: RunSearch, heap: HeapReader, prefix: Uint32Array): FoundHome[] {
  const homes: FoundHome[] = [];
  for (let more = search.seek(prefix, 0); more; more = search.next()) {
    const { entry, place } = search;
    if (entry[place] !== prefix[0] || entry[place + 1] !== prefix[1]) break;
    if ((entry[place + 6] ?? 0) >>> KIND_SHIFT !== entryKinds.home) continue;
    homes.push({ key: entry.slice(place, place + KEY_WORDS), record: heap.record(entry[place + 4] ?? 0).slice() });
  }
  return homes;
}

/** Returns the one of some homes to which a key belongs. */
export function homeOf(homes: readonly FoundHome[], keys: Uint32Array, at: number): FoundHome {
  const found = homes.find(({ record }) => {
    const end = 2 + (record[0] ?? 0) * KEY_WORDS;
    for (let i = 2; i < end; i += KEY_WORDS) if (compareKeys(record, i, keys, at) === 0) return true;
    return false;
  });
  if (!found) throw new RangeError('a file of members has an alias without its home');
  return found;
}
