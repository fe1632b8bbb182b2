/**
 * Counts occurrences of people, and returns the most frequent ones. Its arrays, over everybody, are reused: allocating them
 * for each query would dominate the cost.
 */
export class Tally {
  /** All 0 between uses. */
  #counts = new Uint16Array(0);
  /** People who occurred twice, each once: most occur only once, and few of these are ever needed. */
  #repeated = new Uint32Array(0);
  #length = 0;

  /** Makes room for that many people. To be called before counting. */
  fit(size: number): void {
    if (this.#counts.length >= size) return;
    // Spare room, so that not every new person causes an allocation.
    this.#counts = new Uint16Array(Math.ceil(size * 1.25));
    this.#repeated = new Uint32Array(this.#counts.length);
  }

  /** Counts each of these, or of a part of them, once more. Nobody may be counted more than 65,535 times. */
  countEach(people: Uint32Array, begin = 0, end = people.length): void {
    const [counts, repeated] = [this.#counts, this.#repeated];
    let length = this.#length;
    for (let i = begin; i < end; i++) {
      const person = people[i] ?? 0;
      const count = counts[person] ?? 0;
      counts[person] = count + 1;
      if (count === 1) repeated[length++] = person;
    }
    this.#length = length;
  }

  /** Resets the count of a person. To be called when all are counted. */
  forget(person: number): void {
    this.#counts[person] = 0;
  }

  /**
   * Returns the most frequent, the smaller numbers on a tie, in descending order, and resets all counts.
   * @param canBe whether a person can be among them
   */
  takeLargest(most: number, canBe: (person: number) => boolean): readonly number[] {
    const counts = this.#counts;
    const best: { readonly person: number; readonly count: number }[] = [];
    let least = 1;
    for (const person of this.#repeated.subarray(0, this.#length)) {
      const count = counts[person] ?? 0;
      if (count < least || !canBe(person)) continue;
      const place = best.findIndex((other) => other.count < count || (other.count === count && person < other.person));
      best.splice(place === -1 ? best.length : place, 0, { person, count });
      if (best.length > most) best.pop();
      if (best.length === most) least = best.at(-1)?.count ?? least;
    }
    for (let person = counts.indexOf(1); person !== -1 && best.length < most; person = counts.indexOf(1, person + 1)) {
      if (canBe(person)) best.push({ person, count: 1 });
    }
    counts.fill(0);
    this.#length = 0;
    return best.map(({ person }) => person);
  }

  /** Returns everybody who was counted, and resets all counts. */
  takeAll(): { readonly person: number; readonly count: number }[] {
    const found: { readonly person: number; readonly count: number }[] = [];
    for (const [person, count] of this.#counts.entries()) if (count > 0) found.push({ person, count });
    this.#counts.fill(0);
    this.#length = 0;
    return found;
  }
}
