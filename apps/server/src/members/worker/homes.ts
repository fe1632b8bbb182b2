import { compareKeys, KEY_WORDS } from './keys.ts';
import { entryKinds, KIND_SHIFT, type StoredPerson } from './run-format.ts';
import type { HeapReader, RunSearch } from './run-reader.ts';

/** Returns the persons of a run whose home begins with the first two words of a key; prefixes come in ascending order. */
export function homesAt(search: RunSearch, heap: HeapReader, prefix: Uint32Array): StoredPerson[] {
  const homes: StoredPerson[] = [];
  for (let more = search.seek(prefix, 0); more; more = search.next()) {
    const { entry, place } = search;
    if (entry[place] !== prefix[0] || entry[place + 1] !== prefix[1]) break;
    if ((entry[place + 6] ?? 0) >>> KIND_SHIFT !== entryKinds.home) continue;
    homes.push(heap.person(entry[place + 4] ?? 0, entry, place));
  }
  return homes;
}

/** Returns whether a list has the key at a place of another. */
export function includesKey(list: Uint32Array, keys: Uint32Array, at: number): boolean {
  for (let i = 0; i < list.length; i += KEY_WORDS) if (compareKeys(list, i, keys, at) === 0) return true;
  return false;
}
