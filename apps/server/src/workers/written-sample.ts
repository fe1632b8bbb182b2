/** Samples of posts for JSON: words are one text, and marks another one of a digit each. */
import type { KeywordSample, SampledPost } from '../audience/keyword-part.ts';

type WrittenPost = readonly [id: string, author: string, lang: string, level: number, words: string, marks: string];

/** A sample, for JSON. */
interface WrittenSample {
  readonly found: readonly WrittenPost[];
  readonly others: readonly WrittenPost[];
}

/** Writes a sample for JSON. */
export function writtenSample({ found, others }: KeywordSample): WrittenSample {
  return { found: found.map(written), others: others.map(written) };
}

/** Reads what {@link writtenSample} wrote. */
export function sampleOfWritten({ found, others }: WrittenSample): KeywordSample {
  return { found: found.map(ofWritten), others: others.map(ofWritten) };
}

function written({ id, author_id, lang, level, words, marks }: SampledPost): WrittenPost {
  // No word has a space in it.
  return [id, author_id, lang, level, words.join(' '), marks.join('')];
}

function ofWritten([id, author_id, lang, level, words, marks]: WrittenPost): SampledPost {
  return { id, author_id, lang, level, words: words === '' ? [] : words.split(' '), marks: [...marks].map(Number) };
}
