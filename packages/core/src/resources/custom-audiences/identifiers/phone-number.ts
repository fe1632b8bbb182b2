import type { NormalizedIdentifier } from './normalize.ts';

/** Blanks, dashes, dots, slashes and brackets that people write between digits; also marks of the direction of text. */
const SEPARATORS = /[\s\p{Pd}\p{Ps}\p{Pe}\p{Cf}./\u2212]/gu;
/** E.164 allows up to 15 digits. No country has complete numbers of fewer than 7 with its code. */
const INTERNATIONAL = /^\+[1-9]\d{6,14}$/;

/**
 * Brings a telephone number into the form of E.164 with a leading `+`: `+15005550100`. `00` in place of `+` is replaced, and
 * `(0)`, which is dialled only within a country, left out. The country of a number without either is not guessed.
 */
export function normalizePhoneNumber(raw: string): NormalizedIdentifier {
  const written = raw.normalize('NFKC').trim().replace(/^tel:/i, '');
  const plain = written.replace(/(?<=^\s*(?:\+|00).*)\(0\)/, '').replaceAll(SEPARATORS, '');
  const number = plain.startsWith('00') ? `+${plain.slice(2)}` : plain;
  if (INTERNATIONAL.test(number)) return { ok: true, value: number };
  return { ok: false, message: reasonFor(number) };
}

function reasonFor(number: string): string {
  if (/^\d+$/.test(number)) {
    return 'The country is missing: write the number with + and the code of its country, such as +15005550100';
  }
  if (/^\+0/.test(number)) return 'No code of a country begins with 0: write the number such as +15005550100';
  if (/^\+\d+$/.test(number)) return 'Expected 7 to 15 digits after the +, such as +15005550100';
  return 'Expected a telephone number with + and the code of its country, without extension, such as +15005550100';
}
