/** The ids of the people of an index by their numbers, kept where the index has a part of the platform only. */
import { forEachBit } from './bits.ts';
import type { DenseSet } from './dense-set.ts';
import { IdList, mixed } from './id-list.ts';
import { type Ranges, rangeFlags, rangeOfHalves } from './ranges.ts';

/** Of 32 bits: what a hash has to be below of, to be in a sample of everybody. */
const WHOLE = 2 ** 32;

export class PersonIds extends IdList {
  /** Removes from a set the people who are in none of some ranges. */
  keepIn(people: DenseSet, ranges: Ranges): void {
    const flags = rangeFlags(ranges);
    forEachBit(people.words, (number) => {
      if (flags[rangeOfHalves(this.low(number), this.high(number))] !== 1) people.delete(number);
    });
  }

  /** Whether a person of some range is in a sample that has this share of everybody: the same people, wherever they are counted. */
  isSampled(number: number, ranges: Uint8Array, share: number): boolean {
    const [low, high] = [this.low(number), this.high(number)];
    if (ranges[rangeOfHalves(low, high)] !== 1) return false;
    return share >= 1 || mixed(low, high, 0x5bd1e995) < share * WHOLE;
  }

  /**
   * A hash of the people of a set, in whatever order they were numbered: that of two sets that have nobody in common is the XOR of theirs.
   * @param seeds that nobody outside knows, so that nobody can make sets of equal hashes
   */
  hashOfSet(people: DenseSet, seeds: Uint32Array): [number, number] {
    let [one, other] = [0, 0];
    forEachBit(people.words, (number) => {
      const [low, high] = [this.low(number), this.high(number)];
      one ^= mixed(low ^ (seeds[0] ?? 0), high, seeds[1] ?? 0);
      other ^= mixed(low ^ (seeds[2] ?? 0), high, seeds[3] ?? 0);
    });
    return [one >>> 0, other >>> 0];
  }
}
