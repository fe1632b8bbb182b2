/** A set of people as a bitmap, for the computation of queries. A million people take 125 KB. */
export class DenseSet {
  /** Bit `n % 32` of word `n / 32` is person `n`. */
  readonly words: Uint32Array;

  /** @param size the number of people; there is room for them and for as many more as fill the last word */
  constructor(size: number) {
    this.words = new Uint32Array(DenseSet.wordsFor(size));
  }

  /** Returns the number of words of a bitmap. */
  static wordsFor(size: number): number {
    return Math.ceil(size / 32);
  }

  add(ordinal: number): void {
    const word = ordinal >>> 5;
    // A write past the end of a typed array is dropped, so people who joined later are left out.
    this.words[word] = (this.words[word] ?? 0) | (1 << (ordinal & 31));
  }

  /** Adds many people. Those who were members before are added to another set. */
  addAll(ordinals: Uint32Array, again?: DenseSet): void {
    const { words } = this;
    const repeated = again?.words;
    for (let i = 0; i < ordinals.length; i++) {
      const ordinal = ordinals[i] ?? 0;
      const index = ordinal >>> 5;
      const bit = 1 << (ordinal & 31);
      const word = words[index] ?? 0;
      if (repeated && (word & bit) !== 0) repeated[index] = (repeated[index] ?? 0) | bit;
      else words[index] = word | bit;
    }
  }

  delete(ordinal: number): void {
    const word = ordinal >>> 5;
    this.words[word] = (this.words[word] ?? 0) & ~(1 << (ordinal & 31));
  }

  has(ordinal: number): boolean {
    return ((this.words[ordinal >>> 5] ?? 0) & (1 << (ordinal & 31))) !== 0;
  }

  /** Union with another set, in place. */
  unite({ words: others }: DenseSet): void {
    const { words } = this;
    for (let i = 0; i < words.length; i++) words[i] = (words[i] ?? 0) | (others[i] ?? 0);
  }

  /** Intersection with another set, in place. */
  intersect({ words: others }: DenseSet): void {
    const { words } = this;
    for (let i = 0; i < words.length; i++) words[i] = (words[i] ?? 0) & (others[i] ?? 0);
  }

  /** Difference to another set, in place. */
  subtract({ words: others }: DenseSet): void {
    const { words } = this;
    for (let i = 0; i < words.length; i++) words[i] = (words[i] ?? 0) & ~(others[i] ?? 0);
  }

  /** Becomes those of another set that are not in it. */
  complementIn({ words: others }: DenseSet): void {
    const { words } = this;
    for (let i = 0; i < words.length; i++) words[i] = (others[i] ?? 0) & ~(words[i] ?? 0);
  }

  get count(): number {
    let sum = 0;
    for (const word of this.words) sum += ones(word);
    return sum;
  }
}

/** Counts the bits that are set. */
function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (((fours + (fours >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
