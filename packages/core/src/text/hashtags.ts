import { isAsciiDigit, isNameCharacter } from './character-classes.ts';
import type { Span } from './spans.ts';

/** A hashtag in code units: the sign and the tag. */
export interface HashtagSpan extends Span {
  kind: 'hashtag';
  tag: string;
}

/** Joiners, and marks of Hebrew, Japanese, Tibetan and Catalan, that belong to words without being letters. */
const wordMarks =
  '_\\u200C\\u200D\\uA67E\\u05BE\\u05F3\\u05F4\\uFF5E\\u301C\\u309B\\u309C\\u30A0\\u30FB\\u3003\\u0F0B\\u0F0C\\xB7';
const tagRun = new RegExp(`[\\p{L}\\p{M}\\p{Nd}${wordMarks}]+`, 'uy');
const letter = /[\p{L}\p{M}]/u;

/**
 * Finds the hashtags of a text: `#` and letters, marks, digits and joiners of any script, at least one of them a letter
 * or a mark.
 *
 * A hashtag does not begin within a word or an HTML entity (`&#`), is not a keycap emoji, and does not run into another
 * hashtag or a scheme.
 */
export function findHashtags(text: string): HashtagSpan[] {
  const hashtags: HashtagSpan[] = [];
  let taken = 0;
  for (let at = 0; at < text.length; at++) {
    if (!isHashSign(text.charCodeAt(at)) || !mayPrecede(text, at, taken) || isKeycap(text, at)) continue;
    const { end, lettered } = readTag(text, at + 1);
    if (!lettered) continue;
    taken = end;
    if (!isHashSign(text.charCodeAt(end)) && !text.startsWith('://', end)) {
      hashtags.push({ kind: 'hashtag', start: at, end, tag: text.slice(at + 1, end) });
    }
    at = end - 1;
  }
  return hashtags;
}

function isHashSign(unit: number): boolean {
  return unit === 0x23 || unit === 0xff03;
}

function isKeycap(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  return next === 0xfe0f || next === 0x20e3;
}

/** Returns whether a hashtag may start at `at`: at the start of the text, or after punctuation or an emoji. */
function mayPrecede(text: string, at: number, taken: number): boolean {
  if (at === 0) return true;
  if (at === taken) return false;
  const before = text.charCodeAt(at - 1);
  if (before < 0x80) return !isNameCharacter(before) && before !== 0x26;
  if (before === 0xfe0e || before === 0xfe0f) return true;
  // In the middle of a surrogate pair, a match by code points begins at the pair.
  tagRun.lastIndex = at - 1;
  return !tagRun.test(text);
}

/** Returns the end of the tag that starts at `from`, and whether it contains a letter or a mark. */
function readTag(text: string, from: number): { end: number; lettered: boolean } {
  let end = from;
  let lettered = false;
  for (; end < text.length && isNameCharacter(text.charCodeAt(end)); end++) {
    const unit = text.charCodeAt(end);
    lettered ||= !isAsciiDigit(unit) && unit !== 0x5f;
  }
  if (text.charCodeAt(end) >= 0x80) {
    tagRun.lastIndex = end;
    if (tagRun.test(text)) {
      lettered ||= letter.test(text.slice(end, tagRun.lastIndex));
      end = tagRun.lastIndex;
    }
  }
  return { end, lettered };
}
