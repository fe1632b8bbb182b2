/** Searches posts for keywords: how many there are in each unit of time, and what else occurs in them. */
import type { Units } from '@broadside/core/resources/keyword-insights';
import type { Slices } from '../pace.ts';
import { BLOCK_SIZE } from './compressed-set.ts';
import type { Keywords } from './keywords.ts';
import { PostSample, selectOthers } from './post-sample.ts';
import type { PostSearch, PostWords, WordQuery } from './post-words.ts';
import { RelatedKeywords } from './related-keywords.ts';

/** Posts whose words are counted, at most: as many of all that are found, evenly. */
export const MAX_READ = 4096;
/** And of posts of the year, where those of the window have too few related keywords. */
export const MAX_FURTHER = 2048;

/** Posts to search, and the people whose posts count. */
export interface Searched {
  readonly words: PostWords;
  /** Milliseconds since the epoch. */
  readonly from_ms: number;
  readonly to_ms: number;
  /** A bit for each person. */
  readonly authors: Uint32Array;
}

/** Posts that were found, and the blocks in which they were searched. */
interface Found {
  readonly sample: PostSample;
  readonly blocks: readonly number[];
}

const asQuery = (words: readonly string[]): WordQuery => ({ groups: [words], exactly: false });

/** Returns the search for posts of a period. */
export function searchOf({ from_ms, to_ms, authors }: Omit<Searched, 'words'>, { any, none }: Keywords): PostSearch {
  return { any: any.map(asQuery), none: none.map(asQuery), from: from_ms / 1000, to: to_ms / 1000, authors };
}

/** Counts the posts in each unit, which are counted from the start, and finds what is related in them. */
export async function searchWindow(
  searched: Searched,
  keywords: Keywords,
  units: Units,
  pace: Slices,
): Promise<{ readonly post_volume: number[]; readonly related: string[] }> {
  const search = searchOf(searched, keywords);
  const counts = new Float64Array(units.count);
  const sample = new PostSample(MAX_READ);
  const blocks: number[] = [];
  await searched.words.search(
    search,
    ({ block, first, posts }) => {
      block.addVolumeTo(counts, posts, search.from, units.length_ms / 1000);
      sample.offer(first, posts);
      blocks.push(first / BLOCK_SIZE);
      return true;
    },
    pace,
  );
  const related = await relatedIn(searched, keywords, { sample, blocks }, pace);
  return { post_volume: [...counts], related };
}

/** Finds what is related in posts of any time, the latest first, of which as many are read as are needed. */
export async function searchRelated(searched: Searched, keywords: Keywords, pace: Slices): Promise<string[]> {
  const sample = new PostSample(MAX_FURTHER);
  const blocks: number[] = [];
  await searched.words.search(
    searchOf(searched, keywords),
    ({ first, posts }) => {
      sample.offer(first, posts);
      blocks.push(first / BLOCK_SIZE);
      return sample.seen < MAX_FURTHER;
    },
    pace,
  );
  return relatedIn(searched, keywords, { sample, blocks }, pace);
}

async function relatedIn(
  searched: Searched,
  keywords: Keywords,
  { sample, blocks }: Found,
  pace: Slices,
): Promise<string[]> {
  const { words } = searched;
  const related = new RelatedKeywords(words);
  await related.count(sample.posts, pace);
  const shares = languageShares(words, sample.posts);
  const { any, ...filter } = searchOf(searched, keywords);
  const isExcluded = words.matcher(any);
  if (pace.isOver) await pace.step();
  const others = selectOthers(words, { filter, blocks, isExcluded, compared: sample.posts.length, shares });
  if (pace.isOver) await pace.step();
  await related.compare(others, shares, pace);
  return related.best(keywords);
}

/** Returns the share of each language among posts. */
export function languageShares(words: PostWords, posts: Uint32Array): Map<number, number> {
  const shares = new Map<number, number>();
  for (const post of posts) {
    const language = words.languageOf(post);
    shares.set(language, (shares.get(language) ?? 0) + 1 / posts.length);
  }
  return shares;
}
