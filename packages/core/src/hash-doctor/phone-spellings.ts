/** Wrong spellings of telephone numbers. */
import { splitCountryCode } from './country-codes.ts';
import { type WrongText, wrongTexts } from './wrong-text.ts';

/** Lengths of the groups of digits after the country code; what is left makes a last group. */
const GROUPINGS: readonly (readonly number[])[] = [[3, 3], [2, 4], [2, 2, 2, 2], [1, 2, 2, 2], [3], []];
const SEPARATORS = [' ', '-', '.'];
const IN_AMERICA = '1';

/** Returns wrong spellings of a normalized number, such as +15005550100. */
export function phoneSpellings(number: string): WrongText[] {
  const digits = number.slice(1);
  const [country, national] = splitCountryCode(digits);
  const grouped = GROUPINGS.flatMap((sizes) => SEPARATORS.map((by) => [by, groups(national, sizes).join(by)] as const));
  const inBrackets = country === IN_AMERICA ? american(national) : [];
  return [
    ...wrongTexts('plus_missing', [digits]),
    ...wrongTexts('dialling_prefix', [`00${digits}`, `011${digits}`, `+00${digits}`, `0${digits}`]),
    ...wrongTexts('country_code_missing', [
      national,
      `0${national}`,
      ...grouped.flatMap(([, text]) => [text, `0${text}`]),
      ...inBrackets,
    ]),
    ...wrongTexts('trunk_zero', [
      `+${country}0${national}`,
      `+${country}(0)${national}`,
      `+${country} (0) ${national}`,
      `+${country} (0)${national}`,
    ]),
    ...wrongTexts('phone_separators', [
      `+ ${digits}`,
      `(+${country})${national}`,
      `(+${country}) ${national}`,
      ...grouped.flatMap(([by, text]) => [
        `+${country}${by}${text}`,
        `${country}${by}${text}`,
        `00${country}${by}${text}`,
      ]),
      ...inBrackets.flatMap((text) => [`+1 ${text}`, `+1${text}`, `1 ${text}`, `+1-${text}`]),
    ]),
    ...wrongTexts('label_kept', [`tel:${number}`, `whatsapp:${number}`]),
  ];
}

function groups(digits: string, sizes: readonly number[]): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const size of sizes) {
    parts.push(digits.slice(from, from + size));
    from += size;
  }
  return [...parts, digits.slice(from)].filter((part) => part !== '');
}

function american(national: string): string[] {
  const [area, exchange, line] = [national.slice(0, 3), national.slice(3, 6), national.slice(6)];
  return [`(${area}) ${exchange}-${line}`, `(${area})${exchange}-${line}`, `(${area}) ${exchange} ${line}`];
}
