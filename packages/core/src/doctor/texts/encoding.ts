/** Texts of mistakes in the encoding, sorting and joining of parameters. */
import { ENCODING, METHOD, NORMALIZATION } from './clauses.ts';
import type { MistakeText } from './mistake-text.ts';

export const ENCODING_TEXTS = {
  // Encoding
  marks_left_raw: {
    title: "Some of ! * ' ( ) were left unencoded",
    hint: "Encode ! * ' ( ) as %21 %2A %27 %28 %29; encodeURIComponent and most URL functions leave them.",
    clause: ENCODING,
  },
  reserved_left_raw: {
    title: 'Reserved characters such as commas, colons or slashes were left unencoded',
    hint: 'Encode everything but letters, digits and - . _ ~ in names and values before you join them.',
    clause: ENCODING,
  },
  plus_for_space: {
    title: 'A space was signed as +',
    hint: 'Sign a space as %20 (%2520 in the base string). Functions for HTML forms write +, or read a sent + as itself.',
    clause: ENCODING,
  },
  lower_case_hex: {
    title: 'Percent encoding was written with lower-case digits',
    hint: 'Write the hexadecimal digits in upper case: %2F, not %2f.',
    clause: ENCODING,
  },
  unreserved_encoded: {
    title: 'Some of - . _ ~ were encoded',
    hint: 'Leave letters, digits and - . _ ~ as they are; older URL functions encode ~ as %7E.',
    clause: ENCODING,
  },
  values_encoded_twice: {
    title: 'Names and values were encoded once too often, in what was signed or in what was sent',
    hint: 'Give the signer decoded parameters, and encode once for the wire. Do not sign text taken from an encoded URL.',
    clause: NORMALIZATION,
  },
  values_not_encoded: {
    title: 'Names and values were joined without being encoded first',
    hint: 'Encode each name and each value, join them, and then encode the joined text once more for the base string.',
    clause: NORMALIZATION,
  },
  text_not_utf8: {
    title: 'Text was encoded in another character set than UTF-8',
    hint: 'Turn text into UTF-8 bytes before percent encoding, when you sign and when you send.',
    clause: ENCODING,
  },
  utf8_twice: {
    title: 'Text was turned into UTF-8 twice, in what was signed or in what was sent',
    hint: 'Find where UTF-8 bytes are taken for Latin-1 text, and decode them there. It shows as \u00c3\u00a9 for \u00e9.',
    clause: ENCODING,
  },
  // Order
  sorted_before_encoding: {
    title: 'Parameters were sorted before they were encoded',
    hint: 'Encode names and values first, then sort by bytes.',
    clause: NORMALIZATION,
  },
  sorted_by_name_only: {
    title: 'Parameters were sorted by name only',
    hint: 'Sort pairs of the same name by their encoded values.',
    clause: NORMALIZATION,
  },
  sorted_as_joined: {
    title: 'Joined name=value texts were sorted',
    hint: 'Compare names first and values after; the equals sign must not take part.',
    clause: NORMALIZATION,
  },
  sorted_by_alphabet: {
    title: 'Parameters were sorted as words and not by bytes',
    hint: 'Sort by bytes: upper case comes before lower case. Do not use a collation or a comparison that ignores case.',
    clause: NORMALIZATION,
  },
  not_sorted: {
    title: 'Parameters were not sorted, or the protocol parameters apart from the others',
    hint: 'Put all parameters in one list, of protocol, query and form, and sort the list.',
    clause: NORMALIZATION,
  },
  // Construction of the base string
  parameters_not_encoded: {
    title: 'The joined parameters were put into the base string unencoded',
    hint: 'Percent-encode the joined parameters as a whole: & becomes %26, = becomes %3D and % becomes %25.',
    clause: METHOD,
  },
  address_not_encoded: {
    title: 'The address was put into the base string unencoded',
    hint: 'Percent-encode the address as a whole: it begins with http%3A%2F%2F or https%3A%2F%2F.',
    clause: METHOD,
  },
  parts_encoded_twice: {
    title: 'The joined parameters, the address or the whole base string was encoded once too often',
    hint: 'Encode the address and the joined parameters once each, and the base string not at all.',
    clause: METHOD,
  },
} as const satisfies Record<string, MistakeText>;
