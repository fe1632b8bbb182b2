/** Sets of small numbers as bitmaps: bit `n % 32` of word `n / 32` is number `n`. */

/** Returns the number of the lowest bit that is set in a word, which is not 0. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** Visits the numbers of a bitmap, ascending. */
export function forEachBit(words: Uint32Array, visit: (number: number) => void): void {
  for (let index = 0; index < words.length; index++) {
    for (let word = words[index] ?? 0; word !== 0; word &= word - 1) visit(index * 32 + lowestBit(word));
  }
}
