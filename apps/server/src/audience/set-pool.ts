import { DenseSet } from './dense-set.ts';

/** Number of pooled sets: more than a query needs at a time. */
const MAX_KEPT = 8;

/** Empty sets for computations, which are reused: allocating them for each query would burden the garbage collector. */
export class SetPool {
  #free: DenseSet[] = [];

  /** Returns an empty set with room for that many people. */
  take(size: number): DenseSet {
    const set = this.#free.pop();
    if (set?.words.length !== DenseSet.wordsFor(size)) return new DenseSet(size);
    set.words.fill(0);
    return set;
  }

  /** Returns a set to the pool. */
  give(set: DenseSet): void {
    if (this.#free.length < MAX_KEPT) this.#free.push(set);
  }
}
