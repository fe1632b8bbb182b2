import type { Breathe } from './breathe.ts';
import { type FoundHome, homeOf, homesAt } from './homes.ts';
import { compareKeys, copyKey, KEY_WORDS } from './keys.ts';
import { Persons } from './persons.ts';
import { entryKinds, KEY_BITS, KEY_MASK, KIND_SHIFT } from './run-format.ts';
import { HeapReader, type OpenRun, RunSearch } from './run-reader.ts';

/** Keys that are looked up between two breaths. */
const STRIDE = 4096;

/** Keys with the persons that runs have for them. Keys come in order; others of the persons found follow. */
export class LoadedSlots {
  keys: Uint32Array;
  readonly persons: Persons;
  /** The number of keys in order. */
  readonly sorted: number;
  /** By slot, whether a run has the key, of somebody who has not expired. */
  stored: Uint8Array;
  /** For a key that is an alias, the first two words of its home. */
  readonly #homes: Uint32Array;
  /** For the first bits of a key, the first slot in order that has them. */
  #index: Uint32Array | undefined;
  #shift = 0;

  constructor(keys: Uint32Array, count: number) {
    this.keys = keys;
    this.sorted = count;
    this.persons = new Persons(count);
    this.stored = new Uint8Array(count);
    this.#homes = new Uint32Array(count * 2);
  }

  /**
   * Reads what runs have for the keys.
   * @param runs the newest first
   * @param now_s persons that had expired by then are left where they are
   */
  async load(runs: readonly OpenRun[], now_s: number, breathe: Breathe): Promise<void> {
    const found = new Uint8Array(this.sorted);
    let missing = this.sorted;
    for (const run of runs) {
      const search = new RunSearch(run, missing);
      const homes: number[] = [];
      const aliases: number[] = [];
      for (let slot = 0; slot < this.sorted; slot++) {
        if (slot % STRIDE === 0) await breathe();
        if (found[slot] === 1) continue;
        if (!search.seek(this.keys, slot * KEY_WORDS)) break;
        const { entry, place } = search;
        if (compareKeys(entry, place, this.keys, slot * KEY_WORDS) !== 0) continue;
        found[slot] = 1;
        missing--;
        const [a = 0, b = 0, c = 0] = [entry[place + 4], entry[place + 5], entry[place + 6]];
        const kind = c >>> KIND_SHIFT;
        if (kind === entryKinds.tombstone || b <= now_s) continue;
        this.stored[slot] = 1;
        if (kind === entryKinds.simple) this.persons.create(slot, a, b, (c & 1) === 1 ? a : 0);
        else if (kind === entryKinds.home) homes.push(slot, a);
        else {
          aliases.push(slot);
          this.#homes[slot * 2] = c & KEY_MASK;
          this.#homes[slot * 2 + 1] = a;
        }
      }
      if (homes.length + aliases.length > 0) await this.#resolve(run, homes, aliases, breathe);
    }
  }

  /** Returns the number of a key among those in order; negative if it is not there. */
  slotOf(keys: Uint32Array, at: number): number {
    const index = this.#index ?? this.#makeIndex();
    const bits = (keys[at] ?? 0) >>> this.#shift;
    let low = index[bits] ?? this.sorted;
    let high = index[bits + 1] ?? this.sorted;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareKeys(this.keys, middle * KEY_WORDS, keys, at) < 0) low = middle + 1;
      else high = middle;
    }
    return low < this.sorted && compareKeys(this.keys, low * KEY_WORDS, keys, at) === 0 ? low : -1;
  }

  /** Hashes are even, so their first bits lead near to the place. */
  #makeIndex(): Uint32Array {
    const bits = Math.min(KEY_BITS, Math.max(4, Math.ceil(Math.log2(this.sorted + 1)) + 2));
    this.#shift = KEY_BITS - bits;
    const index = new Uint32Array((1 << bits) + 1);
    let slot = 0;
    for (let first = 0; first < index.length; first++) {
      while (slot < this.sorted && (this.keys[slot * KEY_WORDS] ?? 0) >>> this.#shift < first) slot++;
      index[first] = slot;
    }
    this.#index = index;
    return index;
  }

  async #resolve(run: OpenRun, homes: readonly number[], aliases: readonly number[], breathe: Breathe): Promise<void> {
    const heap = new HeapReader(run);
    for (let i = 0; i < homes.length; i += 2) {
      if (i % STRIDE === 0) await breathe();
      const slot = homes[i] ?? 0;
      this.#import(slot, heap.record(homes[i + 1] ?? 0));
    }
    const unresolved = aliases.filter((slot) => this.persons.find(slot) < 0);
    if (unresolved.length === 0) return;
    const wanted = this.#homes;
    unresolved.sort(
      (one, other) =>
        (wanted[one * 2] ?? 0) - (wanted[other * 2] ?? 0) || (wanted[one * 2 + 1] ?? 0) - (wanted[other * 2 + 1] ?? 0),
    );
    const search = new RunSearch(run, unresolved.length);
    const prefix = new Uint32Array(KEY_WORDS);
    let found: FoundHome[] | undefined;
    for (const [i, slot] of unresolved.entries()) {
      if (i % STRIDE === 0) await breathe();
      const [first = 0, second = 0] = [wanted[slot * 2], wanted[slot * 2 + 1]];
      if (!found || prefix[0] !== first || prefix[1] !== second) {
        prefix.set([first, second]);
        found = homesAt(search, heap, prefix);
      }
      if (this.persons.find(slot) >= 0) continue;
      const home = homeOf(found, this.keys, slot * KEY_WORDS);
      const known = this.slotOf(home.key, 0);
      this.#import(known < 0 ? this.#addSlot(home.key, 0) : known, home.record);
    }
  }

  /** Takes over the person of a record whose home has a slot. */
  #import(root: number, record: Uint32Array): void {
    const { persons } = this;
    const [others = 0, counts = 0] = record;
    const intervals = 2 + others * KEY_WORDS;
    const events = intervals + (counts >>> 16) * 2;
    persons.create(root, record[intervals] ?? 0, record[intervals + 1] ?? 0, 0);
    if (counts >>> 16 === 1 && (counts & 0xffff) <= 1) {
      persons.setEvent(root, record[events] ?? 0);
    } else {
      persons.setTimes(root, {
        intervals: Array.from(record.subarray(intervals, events)),
        events: Array.from(record.subarray(events)),
      });
    }
    for (let at = 2; at < intervals; at += KEY_WORDS) {
      const slot = this.slotOf(record, at);
      persons.attach(root, slot < 0 ? this.#addSlot(record, at) : slot);
    }
  }

  #addSlot(keys: Uint32Array, at: number): number {
    const slot = this.persons.addSlot();
    if ((slot + 1) * KEY_WORDS > this.keys.length) {
      const larger = new Uint32Array(Math.max(64, this.keys.length * 2));
      larger.set(this.keys);
      this.keys = larger;
    }
    if (slot >= this.stored.length) {
      const larger = new Uint8Array(Math.max(16, this.stored.length * 2));
      larger.set(this.stored);
      this.stored = larger;
    }
    copyKey(keys, at, this.keys, slot * KEY_WORDS);
    this.stored[slot] = 1;
    return slot;
  }
}
