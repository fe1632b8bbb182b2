import { homesAt, includesKey } from './homes.ts';
import { compareKeys, copyKey, KEY_WORDS } from './keys.ts';
import { Persons } from './persons.ts';
import { entryKinds, KEY_MASK, KIND_SHIFT, type StoredPerson } from './run-format.ts';
import { HeapReader, type OpenRun, RunSearch } from './run-reader.ts';

/** To be awaited now and then by long work. */
export type Breathe = () => Promise<void> | undefined;

/** Keys that are looked up between two breaths. */
const STRIDE = 4096;

/** Keys with the persons that runs have for them. Keys come in order; others of the persons found follow. */
export class LoadedSlots {
  keys: Uint32Array;
  readonly persons: Persons;
  /** The number of keys in order. */
  readonly sorted: number;
  /** By slot, whether a run has the key. */
  stored: Uint8Array;

  constructor(keys: Uint32Array, count: number) {
    this.keys = keys;
    this.sorted = count;
    this.persons = new Persons(count, 0);
    this.stored = new Uint8Array(count);
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
      const aliases: Alias[] = [];
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
        if (kind === entryKinds.tombstone) continue;
        this.stored[slot] = 1;
        if (b <= now_s) continue;
        if (kind === entryKinds.simple) this.persons.create(slot, a, b, (c & 1) === 1 ? a : 0);
        else if (kind === entryKinds.home) homes.push(slot, a);
        else aliases.push({ slot, first: c & KEY_MASK, second: a });
      }
      if (homes.length + aliases.length > 0) await this.#resolve(run, homes, aliases, breathe);
    }
  }

  /** Returns the number of a key among those in order; negative if it is not there. */
  slotOf(keys: Uint32Array, at: number): number {
    let low = 0;
    let high = this.sorted;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareKeys(this.keys, middle * KEY_WORDS, keys, at) < 0) low = middle + 1;
      else high = middle;
    }
    return low < this.sorted && compareKeys(this.keys, low * KEY_WORDS, keys, at) === 0 ? low : -1;
  }

  async #resolve(run: OpenRun, homes: readonly number[], aliases: Alias[], breathe: Breathe): Promise<void> {
    const heap = new HeapReader(run);
    for (let i = 0; i < homes.length; i += 2) {
      if (i % STRIDE === 0) await breathe();
      this.#import(heap.person(homes[i + 1] ?? 0, this.keys, (homes[i] ?? 0) * KEY_WORDS));
    }
    const unresolved = aliases.filter(({ slot }) => this.persons.find(slot) < 0);
    unresolved.sort((one, other) => one.first - other.first || one.second - other.second);
    const search = new RunSearch(run, unresolved.length);
    const prefix = new Uint32Array(KEY_WORDS);
    let homesOfPrefix: StoredPerson[] = [];
    for (const [i, { slot, first, second }] of unresolved.entries()) {
      if (i % STRIDE === 0) await breathe();
      if (i === 0 || prefix[0] !== first || prefix[1] !== second) {
        [prefix[0], prefix[1]] = [first, second];
        homesOfPrefix = homesAt(search, heap, prefix);
      }
      if (this.persons.find(slot) >= 0) continue;
      const person = homesOfPrefix.find(({ keys }) => includesKey(keys, this.keys, slot * KEY_WORDS));
      if (!person) throw new RangeError('a file of members has an alias without its home');
      this.#import(person);
    }
  }

  #import(person: StoredPerson): void {
    let root = -1;
    for (let at = 0; at < person.keys.length; at += KEY_WORDS) {
      let slot = this.slotOf(person.keys, at);
      if (slot < 0) slot = this.#addSlot(person.keys, at);
      if (root >= 0) {
        this.persons.attach(root, slot);
      } else {
        root = slot;
        this.persons.create(slot, 0, 0, 0);
      }
    }
    this.persons.setTimes(root, person);
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

interface Alias {
  readonly slot: number;
  /** The first two words of the home's key. */
  readonly first: number;
  readonly second: number;
}
