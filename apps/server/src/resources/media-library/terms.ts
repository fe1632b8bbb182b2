/** The terms under which a library finds media, and those of a query. */
import { once } from '@broadside/core/data';
import type { LibraryMediaType } from '@broadside/core/resources/media-library';
import { foldName } from '../../db/fold-name.ts';

/** Letters of scripts that are written without spaces between words, with their marks. */
const UNSPACED =
  '(?!\\p{M})[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}ー]\\p{M}*';
/** A run of such letters, a word, or a pictograph. Made when it is used: classes of characters take a millisecond of each start. */
const wordPattern = once(
  () =>
    new RegExp(
      `(?<unspaced>(?:${UNSPACED})+)|[\\p{L}\\p{N}](?:(?!${UNSPACED})[\\p{L}\\p{M}\\p{N}])*|\\p{Extended_Pictographic}`,
      'gu',
    ),
);
const LETTER = /\P{M}\p{M}*/gu;

/** Texts of a record in which words are found (specification B, Media library). */
interface Texts {
  readonly name: string | null;
  readonly title: string | null;
  readonly file_name: string | null;
  readonly description: string | null;
}

/** Returns the terms of a record: its words, each once, and its type, which no word equals because it is in capitals. */
export function termsOf({
  media_type,
  name,
  title,
  file_name,
  description,
}: Texts & { readonly media_type: LibraryMediaType }): string[] {
  const terms = new Set<string>([media_type]);
  for (const text of [name, title, file_name, description]) {
    for (const { word, isUnspaced } of wordsOf(text ?? '')) {
      for (const term of isUnspaced ? [...lettersOf(word), ...pairsOf(word)] : [word]) terms.add(term);
    }
  }
  return [...terms];
}

/** Returns the terms that a record must all have to match a query; none where the query has no word. */
export function termsOfQuery(q: string): string[] {
  const terms = wordsOf(q).flatMap(({ word, isUnspaced }) => {
    const pairs = isUnspaced ? pairsOf(word) : [];
    return pairs.length > 0 ? pairs : [word];
  });
  return [...new Set(terms)];
}

/**
 * Words in any case of letters. In a script without spaces the letters of a run and their pairs are terms, so that a part
 * of the run is found (our choice): where words end there, a dictionary would say.
 */
function wordsOf(text: string): { readonly word: string; readonly isUnspaced: boolean }[] {
  return Array.from(foldName(text).matchAll(wordPattern()), ({ 0: word, groups }) => ({
    word,
    isUnspaced: groups?.['unspaced'] !== undefined,
  }));
}

function lettersOf(word: string): string[] {
  return word.match(LETTER) ?? [];
}

function pairsOf(word: string): string[] {
  const letters = lettersOf(word);
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
}
