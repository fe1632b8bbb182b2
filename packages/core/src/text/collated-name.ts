/**
 * The order of names, as a dictionary has it, in any language: letters next to those that they are variants of, whatever their case. Our
 * choice. The tables are here, and Unicode guarantees that case and decomposition of an assigned character stay as they are, so
 * that the order does not depend on the version of the runtime.
 */

/** Letters that Unicode does not decompose, though readers take them for others with a stroke, or for two. In lower case. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');

/**
 * The accents of Latin, Greek and Cyrillic letters. Vowel signs and the like of other scripts are letters to their readers. So
 * is й, which has a place of its own in alphabets.
 */
const ACCENTS = /(?<!\u0438)\u0306|[\u0300-\u0305\u0307-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/gu;

/** Between the two parts of a key: before every character that parts have. */
const BEHIND = '\u0001';

/** The most bytes of a key, in UTF-8: as many as the longest name has. A cursor, which holds a key, is then no longer than one may be. */
const MOST_BYTES = 4 * 255;

const PLAIN = /^[ -~]*$/;

/** They count as spaces: JSON needs six bytes for each, in cursors too. */
const CONTROLS = /\p{Cc}/gu;

/**
 * The key by which a name is ordered, by the code points of keys. Accents and compatible forms (such as full width) count
 * where names are equal without them only, and case does not count: names that differ in nothing else have the same key. So
 * have names that differ in accents only behind the 1020 bytes that a key may have.
 */
export function collatedName(name: string): string {
  // Most names; the same as below.
  if (PLAIN.test(name)) return name.toLowerCase();
  const text = name.replace(CONTROLS, ' ');
  const letters = caseless(text.normalize('NFKD'))
    .normalize('NFKD')
    .replace(LETTER, (letter) => LETTERS[letter] ?? letter)
    .replace(ACCENTS, '')
    .normalize('NFC');
  const whole = caseless(text.normalize('NFC')).normalize('NFC');
  const plain = cut(letters, MOST_BYTES);
  return whole === letters ? plain : cut(`${plain}${BEHIND}${whole}`, MOST_BYTES);
}

/** As many characters from the beginning as fit into some bytes. */
function cut(text: string, bytes: number): string {
  // A code unit takes three bytes at most.
  if (3 * text.length <= bytes) return text;
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read);
}

/** One form of all cases. By way of upper case, as several letters have one form there only; and one sigma for both. */
function caseless(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}
