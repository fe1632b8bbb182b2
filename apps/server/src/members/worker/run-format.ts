/**
 * A run is a file of entries in ascending order of their keys, with a file of records beside it if any person needs one.
 *
 * An entry is seven words: its key, and three that depend on its kind, which is in the upper two bits of the last.
 * The middle one of the three is the time at which the person's last interval ends, so that any entry tells whether it has
 * expired. A person with one key, one interval and no event but at its beginning is a single entry. Any other person has a
 * record, and an entry for each key: the smallest key is the home, which points to the record, and the others are
 * aliases, which name the home by the first eight bytes of its key. All entries of a person are in the same run.
 *
 *     simple     from, to, 0 << 30 | whether there is an event at the beginning
 *     alias      second word of the home's key, to, 1 << 30 | first word of the home's key
 *     home       place of the record in words, to, 2 << 30
 *     tombstone  0, 0, 3 << 30: the key is not there, whatever older runs say
 *
 * A record is the number of other keys, the number of intervals << 16 | the number of events, then these: four, two and
 * one word each. After the entries comes the first key of each block of entries. Words are little-endian, as on all
 * machines that Node runs on.
 */

export const ENTRY_WORDS = 7;
const ENTRY_BYTES = ENTRY_WORDS * 4;
/** Entries that are read at once when few are looked up. */
export const BLOCK_ENTRIES = 512;

/** The kinds of entries. */
export const entryKinds = { simple: 0, alias: 1, home: 2, tombstone: 3 } as const;

/** Bits of the last word above which is the kind. */
export const KIND_SHIFT = 30;
/** The first word of a key has this many bits, so that it fits into the last word of an alias. */
export const KEY_BITS = 27;
export const KEY_MASK = (1 << KEY_BITS) - 1;

/** A run as its manifest lists it. */
export interface RunFacts {
  readonly id: number;
  readonly entries: number;
  /** Words of the records. */
  readonly heap: number;
  /** The earliest end of a person's last interval. */
  readonly earliest_s: number;
}

/** Times of a person: intervals flat, and events. */
export interface Times {
  intervals: number[];
  events: number[];
}

/** A person with a record, as read. */
export interface StoredPerson extends Times {
  /** All keys, the home's first, four words each. */
  readonly keys: Uint32Array;
}

/** Returns the name of the file of a run's entries. */
export function entriesFile(id: number): string {
  return `${id}.run`;
}

/** Returns the name of the file of a run's records. */
export function heapFile(id: number): string {
  return `${id}.heap`;
}

/** Bytes of a run's files. */
export function bytesOf({ entries, heap }: RunFacts): number {
  return entries * ENTRY_BYTES + Math.ceil(entries / BLOCK_ENTRIES) * 16 + heap * 4;
}
