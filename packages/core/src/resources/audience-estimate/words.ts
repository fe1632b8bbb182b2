/**
 * The words of a text, as keywords are compared with posts: in small letters, in one form for all ways to encode a letter,
 * without marks of punctuation. An emoji is a word. Scripts that put no blanks between words give one word for each
 * character, so that a keyword is found wherever it stands.
 */

// What an address says is nobody's word.
const LINK = /https?:\/\/\S+/g;
const UNSPACED =
  '[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}]';
const WORD = new RegExp(
  `(?=[\\p{L}\\p{N}])${UNSPACED}\\p{M}*|(?!\\p{M})(?:(?!(?=\\p{L})${UNSPACED})[\\p{L}\\p{N}\\p{M}_])+|\\p{Regional_Indicator}{2}|\\p{Extended_Pictographic}`,
  'gu',
);

/** The words of a text, in their order. */
export function wordsOf(text: string): string[] {
  return text.replace(LINK, ' ').normalize('NFKC').toLowerCase().match(WORD) ?? [];
}

/** The words between the blanks of a keyword. What is one word to its writer can be several here, which then stand together. */
export function wordGroupsOf(keyword: string): string[][] {
  return keyword
    .split(/\s+/u)
    .map(wordsOf)
    .filter((words) => words.length > 0);
}
