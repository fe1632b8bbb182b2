/** Wrong spellings of handles, and of ids of people and devices. */
import { capitalized } from './letter-case.ts';
import { type WrongInput, wrongTexts } from './wrong-text.ts';

/** Digits of an integer that spreadsheets keep. */
const SPREADSHEET_DIGITS = 15;

/** Returns wrong spellings of a handle. @param spellings the handle with the capital letters of its owner */
export function handleSpellings(handle: string, spellings: readonly string[]): WrongInput[] {
  const cased = [...spellings.filter((spelling) => spelling.toLowerCase() === handle), ...capitalized(handle)];
  return [
    ...wrongTexts('capitals', cased),
    ...wrongTexts(
      'at_sign_kept',
      [handle, ...cased].flatMap((name) => [`@${name}`, `＠${name}`]),
    ),
    ...wrongTexts('inner_blanks', [`@ ${handle}`, handle.replaceAll('_', ' ')]),
  ];
}

/** Returns wrong spellings of the id of a person. */
export function platformIdSpellings(id: string): WrongInput[] {
  const number = BigInt(id);
  const double = Number(id);
  const kept = id.slice(0, SPREADSHEET_DIGITS).padEnd(id.length, '0');
  return [
    ...wrongTexts('zeros_added', [`0${id}`, id.padStart(19, '0'), id.padStart(20, '0')]),
    ...wrongTexts('number_rounded', [`${double}`, `${BigInt(double)}`, kept]),
    ...wrongTexts('number_format', quantities(id)),
    ...wrongTexts(
      'other_base',
      [16, 36].flatMap((base) => [number.toString(base), number.toString(base).toUpperCase()]),
    ),
    ...wrongTexts('other_base', [`0x${number.toString(16)}`]),
    ...wrongTexts('label_kept', [`#${id}`, `id:${id}`]),
    { mistake: 'identifier_as_bytes', input: bytesOf(number, false) },
    { mistake: 'identifier_as_bytes', input: bytesOf(number, true) },
  ];
}

/** Returns a whole number as spreadsheets and data frames write quantities. */
export function quantities(digits: string): string[] {
  const inThousands = (by: string) => digits.replaceAll(/(?<=\d)(?=(?:\d{3})+$)/g, by);
  const exact = Number(digits).toExponential();
  const short = Number(digits).toExponential(5);
  const ofSpreadsheet = (text: string) => text.toUpperCase().replace(/\.?0*E/, 'E');
  return [
    `${digits}.0`,
    `${digits}.00`,
    ...[',', '.', ' ', '’'].map(inThousands),
    exact,
    short,
    ofSpreadsheet(exact),
    ofSpreadsheet(short),
  ];
}

function bytesOf(number: bigint, littleEndian: boolean): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, number, littleEndian);
  return bytes;
}

/** Returns wrong spellings of the id of a device. */
export function deviceSpellings(id: string): WrongInput[] {
  const plain = id.replaceAll('-', '');
  const hasDashes = plain !== id;
  return [
    ...wrongTexts('device_capitals', [id.toUpperCase()]),
    ...wrongTexts('dashes_removed', hasDashes ? [plain, plain.toUpperCase()] : []),
    ...wrongTexts('dashes_added', hasDashes ? [] : [(id.match(/.{1,4}/g) ?? []).join('-')]),
    ...wrongTexts('inner_blanks', hasDashes ? [id.replaceAll('-', ' ')] : [(id.match(/.{1,4}/g) ?? []).join(' ')]),
    ...wrongTexts('brackets_kept', [`{${id}}`, `{${id.toUpperCase()}}`]),
    ...wrongTexts('label_kept', [`urn:uuid:${id}`, `idfa:${id}`, `gaid:${id}`, `aaid:${id}`]),
    ...(plain.length % 2 === 0 ? [{ mistake: 'identifier_as_bytes', input: fromHex(plain) } as const] : []),
  ];
}

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16));
}
