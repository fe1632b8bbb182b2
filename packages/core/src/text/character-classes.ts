/** Whitespace between words, as the members of a character class. */
export const spaces = '\\t-\\r \\x85\\xA0\\u1680\\u180E\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000';

/** Marks that control the writing direction, as the members of a character class. */
export const directionalMarks = '\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069';

/** Code points that no text may contain, as the members of a character class. */
export const forbidden = '\\uFFFE\\uFEFF\\uFFFF';

/** Latin letters with accents, and combining accents, as the members of a character class. */
export const accentedLatin =
  '\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u024F\\u0253\\u0254\\u0256\\u0257\\u0259\\u025B\\u0263\\u0268\\u026F\\u0272\\u0289\\u028B\\u02BB\\u0300-\\u036F\\u1E00-\\u1EFF';

/** ASCII punctuation that ends a word, as the members of a character class. Quotation marks are excluded. */
export const punctuation = "!'#%&()*+,\\\\\\-./:;<=>?@\\[\\]\\^_{|}~$";

/** Returns whether a code unit is a to z, in either case. */
export function isAsciiLetter(unit: number): boolean {
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** Returns whether a code unit is 0 to 9. */
export function isAsciiDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** Returns whether a code unit is an ASCII letter or digit. */
export function isAsciiAlphanumeric(unit: number): boolean {
  return isAsciiLetter(unit) || isAsciiDigit(unit);
}

/** Returns whether a code unit may occur in a screen name. */
export function isNameCharacter(unit: number): boolean {
  return isAsciiAlphanumeric(unit) || unit === 0x5f;
}
