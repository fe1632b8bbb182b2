/**
 * Counts how often people are met, and tells those who are met most. Its room, for everybody, is used again: to make it anew
 * for each query would be most of the work.
 */
export class Tally {
  /** All 0 between uses. */
  #counts = new Uint16Array(0);
  /** Those who were met twice, each once: most are met only once, and few of these are ever asked for. */
  #repeated = new Uint32Array(0);
  #length = 0;

  /** Makes room for so many people. To be called before counting begins. */
  fit(size: number): void {
    if (this.#counts.length >= size) return;
    // Room for some who come, so that not each of them costs a new one.
    this.#counts = new Uint16Array(Math.ceil(size * 1.25));
    this.#repeated = new Uint32Array(this.#counts.length);
  }

  /** Counts each of these once more, or each of a part of them. Nobody may be counted more than 65,535 times. */
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

  /** Counts somebody as never met. To be called when all are counted. */
  forget(person: number): void {
    this.#counts[person] = 0;
  }

  /** Those who were met most, of equals the smaller numbers, most first. Then nobody has been met. */
  takeLargest(most: number): readonly number[] {
    const counts = this.#counts;
    const best: { readonly person: number; readonly count: number }[] = [];
    let least = 1;
    for (const person of this.#repeated.subarray(0, this.#length)) {
      const count = counts[person] ?? 0;
      if (count < least) continue;
      const place = best.findIndex((other) => other.count < count || (other.count === count && person < other.person));
      best.splice(place === -1 ? best.length : place, 0, { person, count });
      if (best.length > most) best.pop();
      if (best.length === most) least = best.at(-1)?.count ?? least;
    }
    for (let person = counts.indexOf(1); person !== -1 && best.length < most; person = counts.indexOf(1, person + 1)) {
      best.push({ person, count: 1 });
    }
    counts.fill(0);
    this.#length = 0;
    return best.map(({ person }) => person);
  }
}
