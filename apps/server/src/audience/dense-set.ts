/** A set of people as one bit for each: what queries compute with. A million people are 125 KB. */
export class DenseSet {
  /** Bit `n % 32` of word `n / 32` is person `n`. */
  readonly words: Uint32Array;

  /** @param size how many people there are; there is room for them and for as many more as fill the last word */
  constructor(size: number) {
    this.words = new Uint32Array(DenseSet.wordsFor(size));
  }

  /** How many words are a bit for each of so many people. */
  static wordsFor(size: number): number {
    return Math.ceil(size / 32);
  }

  add(ordinal: number): void {
    const word = ordinal >>> 5;
    // A write past the end of a typed array is lost, so people who came later stay out.
    this.words[word] = (this.words[word] ?? 0) | (1 << (ordinal & 31));
  }

  /** Adds many people. Those who are there before go into another set. */
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

  /** Adds those who are in the other set. */
  unite({ words: others }: DenseSet): void {
    const { words } = this;
    for (let i = 0; i < words.length; i++) words[i] = (words[i] ?? 0) | (others[i] ?? 0);
  }

  /** Keeps those who are in the other set too. */
  intersect({ words: others }: DenseSet): void {
    const { words } = this;
    for (let i = 0; i < words.length; i++) words[i] = (words[i] ?? 0) & (others[i] ?? 0);
  }

  /** Takes away those who are in the other set. */
  subtract({ words: others }: DenseSet): void {
    const { words } = this;
    for (let i = 0; i < words.length; i++) words[i] = (words[i] ?? 0) & ~(others[i] ?? 0);
  }

  get count(): number {
    let sum = 0;
    for (const word of this.words) sum += ones(word);
    return sum;
  }
}

/** The number of bits that are set. */
function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (((fours + (fours >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
