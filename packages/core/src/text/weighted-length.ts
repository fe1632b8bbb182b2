import { forbidden } from './character-classes.ts';
import { emojiEnd } from './emoji.ts';
import { searchedUnits, weightLimit } from './limits.ts';
import { codePointCounter } from './spans.ts';
import { findUrls, type UrlOptions } from './urls.ts';

/** The weight of a link, however long it is. */
const urlWeight = 23;
const defaultWeight = 2;
const lastLightLetter = 0x10ff;
/** In general punctuation: joiners, spaces, dashes, quotation marks and primes. */
const lightRanges = [
  [0x2000, 0x200d],
  [0x2010, 0x201f],
  [0x2032, 0x2037],
] as const;
const firstLightMark = 0x2000;
const lastLightMark = 0x2037;

/**
 * No text of the allowed weight has more code units outside its links: an emoji of weight 2 has at most 16, a composed
 * character of weight 1 at most 4. A longer text is too long, and is weighed without composing characters and joining
 * emoji: composing a hostile run of combining marks takes quadratic time.
 */
const weighableUnits = 4096;

const invalid = new RegExp(`[${forbidden}]|\\p{Surrogate}`, 'u');

/** The reason why a text cannot be posted. */
export type TextFault = 'empty' | 'too_long' | 'invalid_characters';

/** Weighted length of a text, measured against the post limit. */
export interface TextWeight {
  weighted_length: number;
  /** The weight in thousandths of the limit. */
  permillage: number;
  valid: boolean;
  /** The reason why the text cannot be posted; absent from a valid one. */
  fault?: TextFault;
  /** Number of code points of the NFC text that are within the limit and before the first invalid character. */
  valid_end: number;
}

/**
 * Weighs a text: a link 23, an emoji 2, a character of Latin and its neighbours or of general punctuation 1, any other
 * 2. Characters count in composed form (NFC). Unpaired surrogates are rejected along with noncharacter code points.
 */
export function weightedLength(text: string, options: UrlOptions = {}): TextWeight {
  const urls = text.length > searchedUnits ? [] : findUrls(text, options);
  const outside = urls.reduce((units, { start, end }) => units - (end - start), text.length);
  const exact = outside <= weighableUnits;
  const composed = exact ? text.normalize('NFC') : text;
  const composedUrls = composed === text ? urls : findUrls(composed, options);
  const invalidAt = composed.search(invalid);
  const soundEnd = invalidAt === -1 ? composed.length : invalidAt;
  let weight = 0;
  let validEnd = 0;
  let nextUrl = 0;
  for (let at = 0; at < composed.length; ) {
    const url = composedUrls[nextUrl];
    const emoji = exact && url?.start !== at ? emojiEnd(composed, at) : 0;
    if (url?.start === at) {
      weight += urlWeight;
      at = url.end;
      nextUrl += 1;
    } else if (emoji > 0) {
      weight += defaultWeight;
      at = emoji;
    } else {
      const point = composed.codePointAt(at) ?? 0;
      weight += codePointWeight(point);
      at += point > 0xffff ? 2 : 1;
    }
    if (weight <= weightLimit && at <= soundEnd) validEnd = at;
  }
  const valid_end = codePointCounter(composed)(validEnd);
  const fault = faultOf(weight, invalidAt === -1);
  const permillage = Math.floor((weight / weightLimit) * 1000);
  return { weighted_length: weight, permillage, valid: fault === undefined, ...(fault && { fault }), valid_end };
}

/** Returns whether a text can be posted: neither empty nor too long, and without invalid characters. */
export function isValidPost(text: string, options: UrlOptions = {}): boolean {
  return weightedLength(text, options).valid;
}

/** Returns the weight of one code point. */
function codePointWeight(point: number): number {
  if (point <= lastLightLetter) return 1;
  if (point < firstLightMark || point > lastLightMark) return defaultWeight;
  return lightRanges.some(([first, last]) => point >= first && point <= last) ? 1 : defaultWeight;
}

function faultOf(weight: number, sound: boolean): TextFault | undefined {
  if (weight === 0) return 'empty';
  if (!sound) return 'invalid_characters';
  return weight > weightLimit ? 'too_long' : undefined;
}
