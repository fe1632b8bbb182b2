import { isAsciiLetter, punctuation, spaces } from './character-classes.ts';
import type { Span } from './spans.ts';

/** A cashtag in code units: the sign and the symbol. */
export interface CashtagSpan extends Span {
  kind: 'cashtag';
  tag: string;
}

const longestSymbol = 6;
const longestSuffix = 2;
const space = new RegExp(`[${spaces}]`);
const spaceOrPunctuation = new RegExp(`[${spaces}${punctuation}]`);

/**
 * Finds the cashtags of a text: `$` at its beginning or after a space, 1 to 6 ASCII letters, and optionally a suffix of
 * 1 or 2 letters after a dot or an underscore, followed by the end, a space or punctuation.
 */
export function findCashtags(text: string): CashtagSpan[] {
  const cashtags: CashtagSpan[] = [];
  for (let at = text.indexOf('$'); at !== -1; at = text.indexOf('$', at + 1)) {
    if (at > 0 && text[at - 1] !== ' ' && !space.test(text.charAt(at - 1))) continue;
    const end = symbolEnd(text, at + 1);
    if (end === undefined) continue;
    cashtags.push({ kind: 'cashtag', start: at, end, tag: text.slice(at + 1, end) });
    at = end - 1;
  }
  return cashtags;
}

function symbolEnd(text: string, from: number): number | undefined {
  const end = skipLetters(text, from, longestSymbol);
  if (end === from) return undefined;
  const separator = text[end];
  if (separator === '.' || separator === '_') {
    const suffixEnd = skipLetters(text, end + 1, longestSuffix);
    if (suffixEnd > end + 1 && mayEnd(text, suffixEnd)) return suffixEnd;
  }
  return mayEnd(text, end) ? end : undefined;
}

function skipLetters(text: string, from: number, max: number): number {
  let at = from;
  while (at < text.length && at - from < max && isAsciiLetter(text.charCodeAt(at))) at += 1;
  return at;
}

function mayEnd(text: string, end: number): boolean {
  return end === text.length || spaceOrPunctuation.test(text.charAt(end));
}
