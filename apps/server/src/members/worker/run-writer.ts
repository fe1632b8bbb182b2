import { closeSync, fsync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { KEY_WORDS } from './keys.ts';
import {
  BLOCK_ENTRIES,
  ENTRY_WORDS,
  entriesFile,
  entryKinds,
  heapFile,
  KIND_SHIFT,
  type RunFacts,
} from './run-format.ts';

const sync = promisify(fsync);
/** Words that are written at once. */
const BUFFER_WORDS = ENTRY_WORDS << 15;
const NEVER = 0xffffffff;

/** Writes a run, entry by entry in ascending order. */
export class RunWriter {
  readonly #id: number;
  readonly #file: WordFile;
  readonly #directory: string;
  #heap: WordFile | undefined;
  #fences = new Uint32Array(KEY_WORDS * 64);
  #entries = 0;
  #earliest = NEVER;

  constructor(directory: string, id: number) {
    this.#directory = directory;
    this.#id = id;
    this.#file = new WordFile(path.join(directory, entriesFile(id)));
  }

  /** Adds an entry: a key of a list, and the words after it. */
  add(keys: Uint32Array, at: number, a: number, b: number, c: number): void {
    if (this.#entries % BLOCK_ENTRIES === 0) this.#fence(keys, at);
    this.#entries++;
    const file = this.#file;
    const to = file.reserve(ENTRY_WORDS);
    const { words } = file;
    words[to] = keys[at] ?? 0;
    words[to + 1] = keys[at + 1] ?? 0;
    words[to + 2] = keys[at + 2] ?? 0;
    words[to + 3] = keys[at + 3] ?? 0;
    words[to + 4] = a;
    words[to + 5] = b;
    words[to + 6] = c;
    if (b < this.#earliest && c >>> KIND_SHIFT !== entryKinds.tombstone) this.#earliest = b;
  }

  /** Makes room for a record. @returns its place in the file, and the list to write it into, from `start` on */
  reserveRecord(size: number): { readonly place: number; readonly words: Uint32Array; readonly start: number } {
    this.#heap ??= new WordFile(path.join(this.#directory, heapFile(this.#id)));
    const place = this.#heap.length;
    const start = this.#heap.reserve(size);
    return { place, words: this.#heap.words, start };
  }

  /** Adds a record. @returns its place in the file */
  addRecord(record: Uint32Array): number {
    const { place, words, start } = this.reserveRecord(record.length);
    words.set(record, start);
    return place;
  }

  /** Makes the run durable. */
  async finish(): Promise<RunFacts> {
    this.#file.append(this.#fences.subarray(0, Math.ceil(this.#entries / BLOCK_ENTRIES) * KEY_WORDS));
    await this.#heap?.finish();
    await this.#file.finish();
    const [id, entries, earliest_s] = [this.#id, this.#entries, this.#earliest];
    return { id, entries, heap: this.#heap?.length ?? 0, earliest_s };
  }

  /** Closes the files without finishing them. */
  abandon(): void {
    this.#heap?.close();
    this.#file.close();
  }

  #fence(keys: Uint32Array, at: number): void {
    const to = (this.#entries / BLOCK_ENTRIES) * KEY_WORDS;
    if (to === this.#fences.length) {
      const grown = new Uint32Array(this.#fences.length * 2);
      grown.set(this.#fences);
      this.#fences = grown;
    }
    this.#fences.set(keys.subarray(at, at + KEY_WORDS), to);
  }
}

/** A file of words, which is written in large pieces. */
class WordFile {
  words = new Uint32Array(1024);
  #used = 0;
  #written = 0;
  #descriptor: number | undefined;

  constructor(file: string) {
    this.#descriptor = openSync(file, 'w', 0o600);
  }

  /** Words appended so far. */
  get length(): number {
    return this.#written + this.#used;
  }

  /** Makes room for a few words. @returns their place in `words` */
  reserve(count: number): number {
    if (this.#used + count > this.words.length) this.#makeRoom(count);
    const place = this.#used;
    this.#used += count;
    return place;
  }

  append(piece: ArrayLike<number>): void {
    // Making room may replace the words.
    const place = this.reserve(piece.length);
    this.words.set(piece, place);
  }

  async finish(): Promise<void> {
    this.#flush();
    if (this.#descriptor === undefined) return;
    await sync(this.#descriptor);
    this.close();
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #makeRoom(count: number): void {
    if (this.words.length >= BUFFER_WORDS) this.#flush();
    if (this.#used + count <= this.words.length) return;
    const grown = new Uint32Array(Math.max(this.words.length * 4, this.#used + count));
    grown.set(this.words.subarray(0, this.#used));
    this.words = grown;
  }

  #flush(): void {
    if (this.#descriptor === undefined) return;
    const bytes = new Uint8Array(this.words.buffer, 0, this.#used * 4);
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#descriptor, bytes, at, bytes.length - at);
    this.#written += this.#used;
    this.#used = 0;
  }
}
