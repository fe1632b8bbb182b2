/** Mistakes that any text can suffer between the file that it is read from and the function that hashes it. */
import type { HashedKind } from './hashed-kinds.ts';
import { type WrongInput, wrongTexts } from './wrong-text.ts';

declare class TextEncoder {
  encode(text: string): Uint8Array;
}
declare function btoa(binary: string): string;

const encoder = new TextEncoder();

/** Words of a column of one kind. */
const LABELS: Readonly<Record<HashedKind, readonly string[]>> = {
  email: ['email', 'Email', 'mail'],
  device_id: ['device_id', 'device'],
  handle: ['handle', 'username'],
  platform_id: ['platform_id', 'user_id'],
  phone_number: ['phone_number', 'phone'],
};
/** Separators between an identifier and a salt that is not there. */
const JOINTS = [':', '|', '-', '_', '.', '$', '#', '/', '::', '||'];
/** Spellings of an absent salt. */
const ABSENT = ['null', 'NULL', 'undefined', 'None', 'nil', 'false', '""', "''"];

/** Returns what becomes of a text by a mistake, as text or as bytes. */
export function handlings(kind: HashedKind, text: string): WrongInput[] {
  const isAscii = /^[\0-\x7f]*$/.test(text);
  return [
    ...wrongTexts(
      'surrounding_blanks',
      [' ', '\t', '\u00a0', '  '].flatMap((blank) => [`${blank}${text}`, `${text}${blank}`, `${blank}${text}${blank}`]),
    ),
    ...wrongTexts('line_break', [`${text}\n`, `${text}\r\n`, `${text}\r`, `\n${text}`, `${text}\n\n`, `${text} \n`]),
    ...wrongTexts('nul_byte', [`${text}\0`]),
    ...wrongTexts('quotes_kept', [
      `"${text}"`,
      `'${text}'`,
      `'${text}`,
      `"${text}`,
      `${text}"`,
      `“${text}”`,
      `\`${text}\``,
    ]),
    ...wrongTexts('separator_kept', [`${text},`, `${text};`, `,${text}`, `;${text}`, `"${text}",`, `${text}, `]),
    ...wrongTexts('brackets_kept', [`["${text}"]`, `[${text}]`, `['${text}']`, `{${text}}`, `(${text})`]),
    ...wrongTexts(
      'label_kept',
      LABELS[kind].flatMap((label) => [
        `${label}:${text}`,
        `${label}: ${text}`,
        `${label}=${text}`,
        `{"${label}":"${text}"}`,
      ]),
    ),
    ...wrongTexts('url_encoded', [
      encodeURIComponent(text),
      encodeURIComponent(text).replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
      encodeURIComponent(encodeURIComponent(text)),
      text.replaceAll('+', ' '),
    ]),
    ...wrongTexts('html_encoded', [
      text.replaceAll(/[@+.]/g, (sign) => `&#${sign.charCodeAt(0)};`),
      text.replaceAll(/[@+]/g, (sign) => `&#${sign.charCodeAt(0)};`),
      text.replaceAll('@', '&commat;'),
    ]),
    ...wrongTexts('letters_composed_differently', [text.normalize('NFD'), text.normalize('NFKD')]),
    ...wrongTexts('base64_encoded', [base64(text)]),
    ...wrongTexts('empty_salt', [
      ...JOINTS.flatMap((joint) => [`${joint}${text}`, `${text}${joint}`]),
      ...ABSENT.flatMap((word) => [`${word}${text}`, `${text}${word}`, `${word}:${text}`, `${text}:${word}`]),
    ]),
    ...[...utf16(text, true), ...utf16(text, false)].map((input): WrongInput => ({ mistake: 'utf16', input })),
    { mistake: 'byte_order_mark', input: `\ufeff${text}` },
    ...(isAscii
      ? []
      : [...latin1(text), latinTwice(text)].map((input): WrongInput => ({ mistake: 'not_utf8', input }))),
  ];
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...encoder.encode(text)));
}

/** Returns the text in UTF-16, without and with a byte order mark. */
function utf16(text: string, littleEndian: boolean): Uint8Array[] {
  return [text, `\ufeff${text}`].map((marked) => {
    const bytes = new Uint8Array(2 * marked.length);
    const view = new DataView(bytes.buffer);
    for (let at = 0; at < marked.length; at++) view.setUint16(2 * at, marked.charCodeAt(at), littleEndian);
    return bytes;
  });
}

/** Returns the text in Latin-1, unless a character is not in it. */
function latin1(text: string): Uint8Array[] {
  const codes = Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
  return codes.every((code) => code < 256) ? [Uint8Array.from(codes)] : [];
}

/** Returns the bytes of UTF-8 taken for Latin-1, and turned into UTF-8. */
function latinTwice(text: string): Uint8Array {
  return encoder.encode(Array.from(encoder.encode(text), (byte) => String.fromCharCode(byte)).join(''));
}
