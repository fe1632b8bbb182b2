import { accentedLatin, isAsciiLetter, isNameCharacter } from './character-classes.ts';
import type { Span } from './spans.ts';

/** A mention in code units: the sign and the name. */
export interface MentionSpan extends Span {
  kind: 'mention';
  username: string;
}

const longestName = 15;
const longestListName = 25;
const accented = new RegExp(`[${accentedLatin}]`);

/**
 * Finds the mentions of a text: `@` and 1 to 15 letters, digits or underscores.
 *
 * The following are not mentions: an e-mail address (`a@b`), a word longer than a name can be, a name followed by an
 * accented letter, the scheme of a link, or the name of a list (`@name/list`).
 */
export function findMentions(text: string): MentionSpan[] {
  const mentions: MentionSpan[] = [];
  let taken = 0;
  for (let at = 0; at < text.length; at++) {
    if (!isAtSign(text.charCodeAt(at)) || !mayPrecede(text, at, taken)) continue;
    const end = skipName(text, at + 1);
    if (end === at + 1) continue;
    const listEnd = skipListName(text, end);
    taken = listEnd;
    if (end - at - 1 <= longestName && listEnd === end && mayFollow(text, end)) {
      mentions.push({ kind: 'mention', start: at, end, username: text.slice(at + 1, end) });
    }
    at = listEnd - 1;
  }
  return mentions;
}

function isAtSign(unit: number): boolean {
  return unit === 0x40 || unit === 0xff20;
}

const excludedBefore = new Set(Array.from('!#$%&*@＠', (sign) => sign.charCodeAt(0)));
const excludedBeforeRepost = new Set(Array.from('_+~.-', (sign) => sign.charCodeAt(0)));

/** Returns whether a mention may start at `at`: not within a word, except after the repost marker (`RT@name`). */
function mayPrecede(text: string, at: number, taken: number): boolean {
  if (at === 0) return true;
  if (at === taken) return false;
  const before = text.charCodeAt(at - 1);
  if (!isNameCharacter(before) && !excludedBefore.has(before)) return true;
  const mark = at - 2;
  if (text.slice(Math.max(mark, 0), at).toLowerCase() !== 'rt') return false;
  if (mark === 0) return true;
  const beforeMark = text.charCodeAt(mark - 1);
  return !isNameCharacter(beforeMark) && !excludedBeforeRepost.has(beforeMark);
}

/** Returns whether the text after a name still leaves it a valid mention. */
function mayFollow(text: string, end: number): boolean {
  const after = text.charCodeAt(end);
  if (after < 0x80) return after !== 0x40 && !text.startsWith('://', end);
  return after !== 0xff20 && !accented.test(text.charAt(end));
}

function skipName(text: string, from: number): number {
  let at = from;
  while (at < text.length && isNameCharacter(text.charCodeAt(at))) at += 1;
  return at;
}

/** Returns the end of a `/list-name` that starts at `from`, or `from` if there is none. */
function skipListName(text: string, from: number): number {
  if (text[from] !== '/' || !isAsciiLetter(text.charCodeAt(from + 1))) return from;
  let at = from + 2;
  const limit = Math.min(text.length, from + 1 + longestListName);
  while (at < limit && (isNameCharacter(text.charCodeAt(at)) || text[at] === '-')) at += 1;
  return at;
}
