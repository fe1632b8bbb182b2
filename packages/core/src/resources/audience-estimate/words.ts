/**
 * Splits texts into words for matching keywords with posts: in lower case, in one Unicode normalization form, without
 * punctuation. An emoji is a word. In scripts without spaces between words each character is a word, so that a keyword is
 * found at any position.
 */

// The text of a URL was not written by the author of the post.
const LINK = /https?:\/\/\S+/g;
const UNSPACED =
  '[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}]';
const WORD = new RegExp(
  `(?=[\\p{L}\\p{N}])${UNSPACED}\\p{M}*|(?!\\p{M})(?:(?!(?=\\p{L})${UNSPACED})[\\p{L}\\p{N}\\p{M}_])+|\\p{Regional_Indicator}{2}|\\p{Extended_Pictographic}`,
  'gu',
);

/** Returns the words of a text in order. */
export function wordsOf(text: string): string[] {
  return text.replace(LINK, ' ').normalize('NFKC').toLowerCase().match(WORD) ?? [];
}

/** Returns the words of each space-separated part of a keyword. A part can hold several words, which then must be adjacent. */
export function wordGroupsOf(keyword: string): string[][] {
  return keyword
    .split(/\s+/u)
    .map(wordsOf)
    .filter((words) => words.length > 0);
}
