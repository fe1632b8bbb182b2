import type { Pace } from '../pace.ts';
import { lowestBit } from './bits.ts';
import type { DenseSet } from './dense-set.ts';

const CHUNK_BITS = 16;
const CHUNK = 1 << CHUNK_BITS;
/** Words of a set between two checks of the clock. */
const STRIDE = 1024;

/** The last time in seconds at which each person was seen to do something: four bytes each. */
export class LastSeen {
  readonly #chunks: Uint32Array[] = [];

  /** Notes that a person did something. */
  note(person: number, time_s: number): void {
    const index = person >>> CHUNK_BITS;
    const chunk = this.#chunks[index] ?? new Uint32Array(CHUNK);
    this.#chunks[index] = chunk;
    const place = person & (CHUNK - 1);
    if ((chunk[place] ?? 0) < time_s) chunk[place] = time_s;
  }

  /**
   * Removes the people of a set who were not seen since a time.
   * @returns the earliest time at which one of the others was seen; `undefined` if there are none
   */
  async keepSince({ words }: DenseSet, since_s: number, pace: Pace): Promise<number | undefined> {
    let earliest = Number.POSITIVE_INFINITY;
    for (let index = 0; index < words.length; index++) {
      if (index % STRIDE === 0 && pace.isOver) await pace.step();
      const word = words[index] ?? 0;
      let kept = word;
      for (let rest = word; rest !== 0; rest &= rest - 1) {
        const person = index * 32 + lowestBit(rest);
        const seen = this.#chunks[person >>> CHUNK_BITS]?.[person & (CHUNK - 1)] ?? 0;
        if (seen < since_s) kept &= ~(1 << (person & 31));
        else if (seen < earliest) earliest = seen;
      }
      words[index] = kept;
    }
    return Number.isFinite(earliest) ? earliest : undefined;
  }
}
