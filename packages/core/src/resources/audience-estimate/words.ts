/**
 * Splits texts into words for matching keywords with posts: in lower case, in one Unicode normalization form, without
 * punctuation. An emoji is a word. In scripts without spaces between words each character is a word, so that a keyword is
 * found at any position.
 */

import { once } from '../../once.ts';

// The text of a URL was not written by the author of the post.
const LINK = /https?:\/\/\S+/g;
const UNSPACED =
  '[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}]';
/** Made when it is used: classes of characters take a millisecond, which each start would wait for. */
const wordPattern = once(
  () =>
    new RegExp(
      `(?=[\\p{L}\\p{N}])${UNSPACED}\\p{M}*|(?!\\p{M})(?:(?!(?=\\p{L})${UNSPACED})[\\p{L}\\p{N}\\p{M}_])+|\\p{Regional_Indicator}{2}|\\p{Extended_Pictographic}`,
      'gu',
    ),
);

/** Returns the words of a text in order. */
export function wordsOf(text: string): string[] {
  return text.replace(LINK, ' ').normalize('NFKC').toLowerCase().match(wordPattern()) ?? [];
}

/** Returns the words of each space-separated part of a keyword. A part can hold several words, which then must be adjacent. */
export function wordGroupsOf(keyword: string): string[][] {
  return keyword
    .split(/\s+/u)
    .map(wordsOf)
    .filter((words) => words.length > 0);
}

/** The kinds of character right before a word: another word, anything else, `#` or `@`. */
export const wordMarks = { joined: 0, apart: 1, hashtag: 2, handle: 3 } as const;

/** Words of a text, and the mark of each. */
export interface MarkedWords {
  readonly words: readonly string[];
  /** See {@link wordMarks}. Only words of scripts without spaces can be joined to the word before. */
  readonly marks: readonly number[];
}

const HASH = 0x23;
const AT = 0x40;

/** Returns the words of a text in order, and the mark of each. */
export function markedWordsOf(text: string): MarkedWords {
  const plain = text.replace(LINK, ' ').normalize('NFKC').toLowerCase();
  const words = plain.match(wordPattern()) ?? [];
  const marks: number[] = [];
  let end = -1;
  for (const word of words) {
    // No word can begin between two words, so the next occurrence is this one.
    const at = plain.indexOf(word, Math.max(0, end));
    marks.push(markOf(plain, at, at === end));
    end = at + word.length;
  }
  return { words, marks };
}

function markOf(text: string, at: number, isJoined: boolean): number {
  if (isJoined) return wordMarks.joined;
  const before = text.charCodeAt(at - 1);
  if (before !== HASH && before !== AT) return wordMarks.apart;
  // As in `mail@example.com`: the sign has to begin something.
  if (at > 1 && /[\p{L}\p{N}_]/u.test(text.charAt(at - 2))) return wordMarks.apart;
  return before === HASH ? wordMarks.hashtag : wordMarks.handle;
}
