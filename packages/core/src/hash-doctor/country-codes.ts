/** Country codes of two digits (ITU-T E.164); 1 and 7 have one, and all others three. */
const TWO_DIGITS = new Set(
  '20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98'.split(
    ' ',
  ),
);

/** Splits the digits of an international telephone number into country code and national number. */
export function splitCountryCode(digits: string): readonly [country: string, national: string] {
  const length = digits.startsWith('1') || digits.startsWith('7') ? 1 : TWO_DIGITS.has(digits.slice(0, 2)) ? 2 : 3;
  return [digits.slice(0, length), digits.slice(length)];
}
