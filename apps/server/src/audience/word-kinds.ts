import { STOP_WORDS } from './stop-words.ts';

/** The kinds of words, by which related keywords are formed. */
export const wordKinds = {
  /** Not known yet. */
  unknown: 0,
  /** Says nothing on its own: a stop word, a number, a single letter. */
  void: 1,
  /** A word of a script with spaces. */
  word: 2,
  /** A Chinese character. */
  han: 3,
  /** A character of katakana, in which words are written as a whole. */
  katakana: 4,
  /** A character of another script without spaces. */
  unspaced: 5,
} as const;

const DIGITS = /^[\p{N}_]+$/u;
const LETTER = /^\p{L}\p{M}*$/u;

function kindOf(word: string): number {
  if (STOP_WORDS.has(word) || DIGITS.test(word)) return wordKinds.void;
  if (/^\p{Script=Han}/u.test(word)) return wordKinds.han;
  if (/^(?:\p{Script=Katakana}|ー)/u.test(word)) return wordKinds.katakana;
  // Japanese writes what has a meaning of its own in other scripts, with few exceptions.
  if (/^\p{Script=Hiragana}/u.test(word)) return wordKinds.void;
  if (/^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(word)) return wordKinds.unspaced;
  return LETTER.test(word) ? wordKinds.void : wordKinds.word;
}

/** The kind of each word, determined when it is first needed. */
export class WordKinds {
  readonly #wordOf: (number: number) => string;
  #kinds = new Uint8Array(1024);

  constructor(wordOf: (number: number) => string) {
    this.#wordOf = wordOf;
  }

  /** Returns the kind of the word with a number. See {@link wordKinds}. */
  of(number: number): number {
    const known = this.#kinds[number];
    if (known) return known;
    const kind = kindOf(this.#wordOf(number));
    if (number >= this.#kinds.length) {
      const larger = new Uint8Array(Math.max(number + 1, this.#kinds.length * 2));
      larger.set(this.#kinds);
      this.#kinds = larger;
    }
    this.#kinds[number] = kind;
    return kind;
  }
}
