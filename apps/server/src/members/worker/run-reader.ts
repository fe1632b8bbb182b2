import { closeSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { compareKeys, KEY_WORDS } from './keys.ts';
import { BLOCK_ENTRIES, ENTRY_WORDS, entriesFile, heapFile, type RunFacts, type StoredPerson } from './run-format.ts';

/** Blocks that are read at once when most of them are needed. */
const DENSE_BLOCKS = 64;
/** Words of records that are read at once. */
const HEAP_WORDS = 1 << 14;

/** An open run. Files that are removed meanwhile can be read on. */
export class OpenRun {
  readonly facts: RunFacts;
  readonly #entries: number;
  readonly #heap: number | undefined;
  #fences: Uint32Array | undefined;

  constructor(directory: string, facts: RunFacts) {
    this.facts = facts;
    this.#entries = openSync(path.join(directory, entriesFile(facts.id)), 'r');
    this.#heap = facts.heap > 0 ? openSync(path.join(directory, heapFile(facts.id)), 'r') : undefined;
  }

  close(): void {
    closeSync(this.#entries);
    if (this.#heap !== undefined) closeSync(this.#heap);
  }

  /** The first key of each block. */
  get fences(): Uint32Array {
    const { entries } = this.facts;
    this.#fences ??= readWords(
      this.#entries,
      entries * ENTRY_WORDS,
      new Uint32Array(Math.ceil(entries / BLOCK_ENTRIES) * KEY_WORDS),
    );
    return this.#fences;
  }

  /** Reads entries into the beginning of a buffer. */
  readEntries(from: number, buffer: Uint32Array, count: number): void {
    readWords(this.#entries, from * ENTRY_WORDS, buffer.subarray(0, count * ENTRY_WORDS));
  }

  /** Reads words of records into the beginning of a buffer. @returns their number */
  readHeap(from: number, buffer: Uint32Array): number {
    if (this.#heap === undefined) throw new RangeError(`run ${this.facts.id} has no records`);
    const count = Math.min(buffer.length, this.facts.heap - from);
    readWords(this.#heap, from, buffer.subarray(0, count));
    return count;
  }
}

function readWords(descriptor: number, from: number, words: Uint32Array): Uint32Array {
  const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
  for (let read = 0; read < bytes.length; ) {
    const count = readSync(descriptor, bytes, read, bytes.length - read, from * 4 + read);
    if (count === 0) throw new RangeError('a file of members is shorter than its manifest says');
    read += count;
  }
  return words;
}

/** Looks keys up in a run, in ascending order. */
export class RunSearch {
  readonly #run: OpenRun;
  readonly #blocksAtOnce: number;
  /** The entries that were read: those from `#first` up to `#end`. */
  #buffer: Uint32Array = new Uint32Array(0);
  #first = 0;
  #end = 0;
  #at = 0;
  #block = 0;

  /** @param expected how many keys will be looked up, about */
  constructor(run: OpenRun, expected: number) {
    this.#run = run;
    const blocks = Math.ceil(run.facts.entries / BLOCK_ENTRIES);
    this.#blocksAtOnce = expected * 4 >= blocks ? Math.min(blocks, DENSE_BLOCKS) : 1;
  }

  /** The entry that was found last: its words, and its place in them. */
  get entry(): Uint32Array {
    return this.#buffer;
  }
  get place(): number {
    return (this.#at - this.#first) * ENTRY_WORDS;
  }

  /** Finds the first entry whose key is not below one. @returns false when all are below */
  seek(keys: Uint32Array, at: number): boolean {
    const { entries } = this.#run.facts;
    if (this.#at >= entries) return false;
    if (this.#at >= this.#end || compareKeys(this.#buffer, (this.#end - 1 - this.#first) * ENTRY_WORDS, keys, at) < 0) {
      if (!this.#load(keys, at)) return false;
    }
    const buffer = this.#buffer;
    const first = this.#first;
    // In steps that double, then by halves.
    let low = this.#at;
    let high = low;
    for (let step = 1; high < this.#end && compareKeys(buffer, (high - first) * ENTRY_WORDS, keys, at) < 0; step *= 2) {
      low = high + 1;
      high += step;
    }
    if (high > this.#end) high = this.#end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareKeys(buffer, (middle - first) * ENTRY_WORDS, keys, at) < 0) low = middle + 1;
      else high = middle;
    }
    this.#at = low;
    return low < this.#end || this.#loadFrom(low);
  }

  /** Goes on to the next entry. @returns false at the end */
  next(): boolean {
    this.#at++;
    return this.#at < this.#end || this.#loadFrom(this.#at);
  }

  /** Reads the block in which a key is, or from which on the keys are greater. */
  #load(keys: Uint32Array, at: number): boolean {
    const { fences } = this.#run;
    const blocks = fences.length / KEY_WORDS;
    let low = this.#block;
    let high = low + 1;
    for (let step = 1; high < blocks && compareKeys(fences, high * KEY_WORDS, keys, at) <= 0; step *= 2) {
      low = high;
      high += step;
    }
    if (high > blocks) high = blocks;
    while (low + 1 < high) {
      const middle = (low + high) >>> 1;
      if (compareKeys(fences, middle * KEY_WORDS, keys, at) <= 0) low = middle;
      else high = middle;
    }
    return this.#loadFrom(Math.max(low * BLOCK_ENTRIES, this.#at));
  }

  #loadFrom(entry: number): boolean {
    const { entries } = this.#run.facts;
    this.#at = entry;
    if (entry >= entries) return false;
    this.#block = Math.floor(entry / BLOCK_ENTRIES);
    const first = this.#block * BLOCK_ENTRIES;
    const count = Math.min(this.#blocksAtOnce * BLOCK_ENTRIES, entries - first);
    if (this.#buffer.length < count * ENTRY_WORDS) this.#buffer = new Uint32Array(count * ENTRY_WORDS);
    this.#run.readEntries(first, this.#buffer, count);
    this.#first = first;
    this.#end = first + count;
    return true;
  }
}

/** Goes through all entries of a run, or those of the people of the platform, which come first. */
export class RunCursor {
  readonly #run: OpenRun;
  readonly words: Uint32Array;
  #next = 0;
  #left = 0;
  /** The place of the current entry in `words`; past the last one, `isDone`. */
  at = -ENTRY_WORDS;
  isDone = false;

  constructor(run: OpenRun) {
    this.#run = run;
    this.words = new Uint32Array(Math.min(run.facts.entries, 1 << 15) * ENTRY_WORDS);
    this.advance();
  }

  /** Goes on to the next entry. */
  advance(): void {
    this.at += ENTRY_WORDS;
    if (this.#left > 0) {
      this.#left--;
      return;
    }
    const count = Math.min(this.words.length / ENTRY_WORDS, this.#run.facts.entries - this.#next);
    if (count === 0) {
      this.isDone = true;
      return;
    }
    this.#run.readEntries(this.#next, this.words, count);
    this.#next += count;
    this.#left = count - 1;
    this.at = 0;
  }
}

/** Reads the records of a run, best in ascending order of their places. */
export class HeapReader {
  readonly #run: OpenRun;
  #buffer: Uint32Array;
  #first = 0;
  #count = 0;

  constructor(run: OpenRun) {
    this.#run = run;
    this.#buffer = new Uint32Array(Math.min(HEAP_WORDS, run.facts.heap));
  }

  /** Returns the words of a record, valid until the next call. */
  record(place: number): Uint32Array {
    const [others = 0, counts = 0] = this.#words(place, 2);
    return this.#words(place, 2 + others * KEY_WORDS + (counts >>> 16) * 2 + (counts & 0xffff));
  }

  /** Returns the person whose home is at a place in a list. */
  person(place: number, keys: Uint32Array, at: number): StoredPerson {
    return personOf(this.record(place), keys, at);
  }

  #words(place: number, count: number): Uint32Array {
    if (place < this.#first || place + count > this.#first + this.#count) {
      if (this.#buffer.length < count) this.#buffer = new Uint32Array(count);
      this.#first = place;
      this.#count = this.#run.readHeap(place, this.#buffer);
    }
    return this.#buffer.subarray(place - this.#first, place - this.#first + count);
  }
}

/** Reads the person of a record whose home is at a place in a list. */
export function personOf(record: Uint32Array, keys: Uint32Array, at: number): StoredPerson {
  const [others = 0, counts = 0] = record;
  const all = new Uint32Array((others + 1) * KEY_WORDS);
  all.set(keys.subarray(at, at + KEY_WORDS));
  const intervals = 2 + others * KEY_WORDS;
  all.set(record.subarray(2, intervals), KEY_WORDS);
  const events = intervals + (counts >>> 16) * 2;
  return {
    keys: all,
    intervals: Array.from(record.subarray(intervals, events)),
    events: Array.from(record.subarray(events)),
  };
}
