/**
 * Samples of posts that do not depend on where these are. Each post has a level, which follows from its id: half of all posts have level 0, a quarter
 * level 1 and so on. From how many posts there are on each level it follows which levels make a sample of the size
 * that is wanted, and each part then gives its posts of these.
 */
import type { IdList } from './id-list.ts';

const SEED = 0x2545f491;
/** Levels are 0 to 32. */
export const LEVELS = 33;

/** The number of posts on each level, from 0 on. Levels that are left out have none. */
export type LevelCounts = readonly number[];

/** Returns the level of a post by its number. */
export function levelOf(ids: IdList, post: number): number {
  return Math.clz32(ids.hashOf(post, SEED));
}

/** Counts the posts of each language on each level. */
export class LevelTable {
  readonly #counts = new Map<number, Uint32Array>();

  /** @param language its number */
  add(language: number, level: number): void {
    let counts = this.#counts.get(language);
    if (!counts) {
      counts = new Uint32Array(LEVELS);
      this.#counts.set(language, counts);
    }
    counts[level] = (counts[level] ?? 0) + 1;
  }

  /** @param nameOf returns the name of a language */
  named(nameOf: (language: number) => string): LanguageLevels {
    return [...this.#counts].map(([language, counts]) => [nameOf(language), withoutEnd(counts)] as const);
  }
}

/** The numbers of posts of languages on each level. */
export type LanguageLevels = readonly (readonly [lang: string, counts: LevelCounts])[];

/** Leaves out the levels above the last one that has posts. */
export function withoutEnd(counts: Uint32Array): number[] {
  let end = counts.length;
  while (end > 0 && counts[end - 1] === 0) end--;
  return [...counts.subarray(0, end)];
}

/** Adds up counts. */
export function sumOfLevels(counts: readonly LevelCounts[]): number[] {
  return Array.from({ length: LEVELS }, (_, level) => counts.reduce((sum, one) => sum + (one[level] ?? 0), 0));
}

/** Adds up the counts of each language. */
export function sumOfLanguages(counts: readonly LanguageLevels[]): Map<string, number[]> {
  const byLanguage = Map.groupBy(counts.flat(), ([lang]) => lang);
  return new Map([...byLanguage].map(([lang, levels]) => [lang, sumOfLevels(levels.map(([, one]) => one))]));
}

/** Returns the lowest level from which on there are at most so many posts. */
export function levelFor(counts: LevelCounts, most: number, lowest = 0): number {
  let posts = 0;
  for (let level = LEVELS - 1; level >= lowest; level--) {
    posts += counts[level] ?? 0;
    if (posts > most) return level + 1;
  }
  return lowest;
}

/** The number of posts from a level on. */
export function postsFrom(counts: LevelCounts, level: number): number {
  return counts.slice(level).reduce((sum, count) => sum + count, 0);
}
