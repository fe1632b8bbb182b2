import { DenseSet } from './dense-set.ts';

/** So many sets are kept: more than a query needs at a time. */
const MAX_KEPT = 8;

/** Empty sets to compute with, which are used again: to make them anew for each query keeps the collector of garbage busy. */
export class SetPool {
  #free: DenseSet[] = [];

  /** An empty set with room for so many people. */
  take(size: number): DenseSet {
    const set = this.#free.pop();
    if (set?.words.length !== DenseSet.wordsFor(size)) return new DenseSet(size);
    set.words.fill(0);
    return set;
  }

  /** Takes a set back that nobody uses any more. */
  give(set: DenseSet): void {
    if (this.#free.length < MAX_KEPT) this.#free.push(set);
  }
}
