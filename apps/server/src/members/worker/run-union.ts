import { compareKeys } from './keys.ts';
import { HeapReader, type OpenRun, RunCursor } from './run-reader.ts';

interface Source {
  readonly run: OpenRun;
  readonly cursor: RunCursor;
  readonly heap: HeapReader;
}

/** Goes through the entries of several runs in the order of keys, of each key the newest. */
export class RunUnion {
  readonly #sources: readonly Source[];
  #current: Source | undefined;

  /** @param runs the newest first */
  constructor(runs: readonly OpenRun[]) {
    this.#sources = runs.map((run) => ({ run, cursor: new RunCursor(run), heap: new HeapReader(run) }));
  }

  /** Goes on to the next key. @returns false at the end */
  next(): boolean {
    this.#current?.cursor.advance();
    let newest: Source | undefined;
    for (const source of this.#sources) {
      const { cursor } = source;
      if (cursor.isDone) continue;
      if (!newest) {
        newest = source;
        continue;
      }
      const order = compareKeys(cursor.words, cursor.at, newest.cursor.words, newest.cursor.at);
      if (order < 0) newest = source;
      else if (order === 0) cursor.advance();
    }
    this.#current = newest;
    return newest !== undefined;
  }

  /** The words of the current entry are in this list, */
  get words(): Uint32Array {
    return this.#source.cursor.words;
  }
  /** at this place, */
  get at(): number {
    return this.#source.cursor.at;
  }
  /** its record is read by this, */
  get heap(): HeapReader {
    return this.#source.heap;
  }
  /** and it is in this run. */
  get run(): OpenRun {
    return this.#source.run;
  }

  get #source(): Source {
    if (!this.#current) throw new RangeError('there is no current entry');
    return this.#current;
  }
}
