/** JSON in bytes: the parts of a scanner that do not depend on what is read. */
import { BACKSLASH, QUOTE } from '../../../wire/json-bounds.ts';

export const COMMA = 0x2c;

const HIGH = 0x80;
const PLAIN = 0;
const END = 1;
const ESCAPE = 2;
const CONTROL = 3;
const MULTIBYTE = 4;

/** The meaning of each byte inside a string. */
const inString = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === QUOTE) return END;
  if (byte === BACKSLASH) return ESCAPE;
  if (byte < 0x20) return CONTROL;
  return byte >= HIGH ? MULTIBYTE : PLAIN;
});

/** The result of {@link hexDigits} for a byte that is no hex digit. */
const NO_DIGIT = 0xff;

/** The value of each byte that is a hex digit, in capital or small letters. */
export const hexDigits: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  const digit = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(digit) ? NO_DIGIT : digit;
});

/** Returns the place of the next byte that is no blank. */
export function skipBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  for (;;) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at;
    at++;
  }
}

/** A string whose quotes and escapes are in order. */
export interface ScannedString {
  /** The place of the closing quote. */
  end: number;
  hasEscapes: boolean;
}

/** Reasons why bytes are not a string. */
export type StringFault = 'not json' | 'not utf-8';

/**
 * Looks for the end of a string.
 * @param start the place after the opening quote
 * @param found receives the result: strings are too many to make an object for each
 */
export function scanString(bytes: Uint8Array, start: number, found: ScannedString): StringFault | undefined {
  found.hasEscapes = false;
  let at = start;
  while (at < bytes.length) {
    switch (inString[bytes[at] ?? 0]) {
      case PLAIN:
        at++;
        break;
      case END:
        found.end = at;
        return undefined;
      case ESCAPE: {
        const size = escapeSize(bytes, at);
        if (size === 0) return 'not json';
        found.hasEscapes = true;
        at += size;
        break;
      }
      case MULTIBYTE: {
        const size = characterSize(bytes, at);
        if (size === 0) return 'not utf-8';
        at += size;
        break;
      }
      default:
        return 'not json';
    }
  }
  return 'not json';
}

const UNICODE_ESCAPE = 6;

function escapeSize(bytes: Uint8Array, at: number): number {
  const letter = bytes[at + 1];
  if (letter === undefined) return 0;
  if (letter !== 0x75) return '"\\/bfnrt'.includes(String.fromCharCode(letter)) ? 2 : 0;
  for (let digit = at + 2; digit < at + UNICODE_ESCAPE; digit++) {
    if ((hexDigits[bytes[digit] ?? 0] ?? NO_DIGIT) === NO_DIGIT) return 0;
  }
  return UNICODE_ESCAPE;
}

/** Returns the number of bytes of a character of several bytes; 0 if it is not UTF-8 (RFC 3629, section 4). */
function characterSize(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const second = bytes[at + 1] ?? 0;
  if (first >= 0xc2 && first <= 0xdf) return isTail(second) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    // Neither a longer form than needed nor half of a surrogate pair.
    const isSecond = isTail(second) && (first !== 0xe0 || second >= 0xa0) && (first !== 0xed || second <= 0x9f);
    return isSecond && isTail(bytes[at + 2]) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const isSecond = isTail(second) && (first !== 0xf0 || second >= 0x90) && (first !== 0xf4 || second <= 0x8f);
    return isSecond && isTail(bytes[at + 2]) && isTail(bytes[at + 3]) ? 4 : 0;
  }
  return 0;
}

function isTail(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === HIGH;
}

const escaped: Readonly<Record<string, number>> = { b: 0x08, f: 0x0c, n: 0x0a, r: 0x0d, t: 0x09 };

/**
 * Returns the UTF-8 bytes that a string with escapes stands for; `undefined` if it has half of a surrogate pair, which has no
 * such form.
 * @param start the place after the opening quote of a string that {@link scanString} accepted
 * @param end the place of its closing quote
 */
export function unescaped(bytes: Uint8Array, start: number, end: number): Uint8Array | undefined {
  const plain = new Uint8Array(end - start);
  let length = 0;
  for (let at = start; at < end; ) {
    const byte = bytes[at] ?? 0;
    if (byte !== BACKSLASH) {
      plain[length++] = byte;
      at++;
      continue;
    }
    const letter = bytes[at + 1] ?? 0;
    if (letter !== 0x75) {
      plain[length++] = escaped[String.fromCharCode(letter)] ?? letter;
      at += 2;
      continue;
    }
    let code = unit(bytes, at);
    at += UNICODE_ESCAPE;
    if (code >= 0xd800 && code <= 0xdfff) {
      const low = code < 0xdc00 && bytes[at] === BACKSLASH && bytes[at + 1] === 0x75 ? unit(bytes, at) : 0;
      if (low < 0xdc00 || low > 0xdfff) return undefined;
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
      at += UNICODE_ESCAPE;
    }
    length = putCharacter(plain, length, code);
  }
  return plain.subarray(0, length);
}

function unit(bytes: Uint8Array, at: number): number {
  let code = 0;
  for (let digit = at + 2; digit < at + UNICODE_ESCAPE; digit++) {
    code = code * 16 + (hexDigits[bytes[digit] ?? 0] ?? 0);
  }
  return code;
}

/** An escape is at least as long as the bytes that it stands for. */
function putCharacter(plain: Uint8Array, length: number, code: number): number {
  let at = length;
  if (code < HIGH) plain[at++] = code;
  else {
    if (code < 0x800) plain[at++] = 0xc0 | (code >> 6);
    else {
      if (code < 0x10000) plain[at++] = 0xe0 | (code >> 12);
      else {
        plain[at++] = 0xf0 | (code >> 18);
        plain[at++] = HIGH | ((code >> 12) & 0x3f);
      }
      plain[at++] = HIGH | ((code >> 6) & 0x3f);
    }
    plain[at++] = HIGH | (code & 0x3f);
  }
  return at;
}

/** Returns the text of ASCII bytes; `undefined` when there are others among them, or more than `max`. */
export function asciiOf(bytes: Uint8Array, max: number): string | undefined {
  if (bytes.length > max) return undefined;
  let text = '';
  for (const byte of bytes) {
    if (byte >= HIGH) return undefined;
    text += String.fromCharCode(byte);
  }
  return text;
}

/** Returns the number of characters (code points) of UTF-8. */
export function characterCount(text: Uint8Array): number {
  let count = 0;
  for (const byte of text) if (!isTail(byte)) count++;
  return count;
}

function digits(bytes: Uint8Array, from: number): number {
  let at = from;
  for (;;) {
    const byte = bytes[at];
    if (byte === undefined || byte < 0x30 || byte > 0x39) return at;
    at++;
  }
}

const words = ['true', 'false', 'null'].map((word) => Uint8Array.from(word, (letter) => letter.charCodeAt(0)));

/** Returns the place after a number, `true`, `false` or `null`; `undefined` when there is none of them. */
export function skipScalar(bytes: Uint8Array, start: number): number | undefined {
  for (const word of words) {
    if (word.every((letter, index) => bytes[start + index] === letter)) return start + word.length;
  }
  const whole = bytes[start] === 0x2d ? start + 1 : start;
  let at = bytes[whole] === 0x30 ? whole + 1 : digits(bytes, whole);
  if (at === whole) return undefined;
  if (bytes[at] === 0x2e) {
    const fraction = at + 1;
    at = digits(bytes, fraction);
    if (at === fraction) return undefined;
  }
  if (bytes[at] === 0x65 || bytes[at] === 0x45) {
    const sign = bytes[at + 1];
    const exponent = sign === 0x2b || sign === 0x2d ? at + 2 : at + 1;
    at = digits(bytes, exponent);
    if (at === exponent) return undefined;
  }
  return at;
}
