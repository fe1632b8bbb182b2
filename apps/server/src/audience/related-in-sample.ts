/** Ranks what is related in samples of posts that were gathered from several processes. */
import { Pace } from '../pace.ts';
import type { KeywordSample, SampledPost } from './keyword-part.ts';
import { languageShares } from './keyword-search.ts';
import { type AskedKeywords, keywordsOf } from './keywords.ts';
import { PostWords } from './post-words.ts';
import { RelatedKeywords } from './related-keywords.ts';

/** A sample, and which of the other posts are compared with. */
export interface GatheredSample extends KeywordSample {
  /** Those from this level on are compared with in whatever language, */
  readonly any: number;
  /** and those in each of these languages from its level on. */
  readonly same: ReadonlyMap<string, number>;
}

/** Returns related keywords, the best first. They follow from which posts are in the sample, and not from their order. */
export async function relatedInSample(sample: GatheredSample, asked: AskedKeywords): Promise<string[]> {
  const pace = new Pace();
  const words = new PostWords();
  const authors = new Map<string, number>();
  const numbers = new Map<SampledPost, number>();
  const posts = [...sample.found, ...sample.others].map((post) => ({ post, id: BigInt(post.id) }));
  posts.sort((one, other) => (one.id < other.id ? -1 : 1));
  for (const [number, { post, id }] of posts.entries()) {
    const author = authors.get(post.author_id) ?? authors.size;
    authors.set(post.author_id, author);
    words.add({ id, author, created_ms: 0, words: post.words, marks: post.marks, lang: post.lang });
    numbers.set(post, number);
    if (pace.isOver) await pace.step();
  }
  const numbersOf = (some: readonly SampledPost[]) => some.map((post) => numbers.get(post) ?? 0).sort(ascending);
  const found = Uint32Array.from(numbersOf(sample.found));
  const any = numbersOf(sample.others.filter(({ level }) => level >= sample.any));
  const same = numbersOf(
    sample.others.filter(({ lang, level }) => level >= (sample.same.get(lang) ?? Number.POSITIVE_INFINITY)),
  );
  const related = new RelatedKeywords(words);
  await related.count(found, pace);
  await related.compare({ posts: [...any, ...same], any: any.length }, languageShares(words, found), pace);
  return related.best(keywordsOf(asked));
}

function ascending(one: number, other: number): number {
  return one - other;
}
