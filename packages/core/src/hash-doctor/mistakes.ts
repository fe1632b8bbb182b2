/**
 * Mistakes that are made when identifiers are hashed, as data: the warnings of the server, the command line, the guide and the
 * tests are derived from this table. None of the texts holds an identifier or a hash.
 */

/** The texts of a mistake, the same for every hash. */
export interface HashingMistake {
  /** The mistake, as a sentence without its full stop. */
  readonly title: string;
  /** The fix. */
  readonly hint: string;
}

/** Mistakes in the order in which the guide lists them. Where two lead to the same hash, the first is named. */
export const HASHING_MISTAKES = {
  // How the identifier was written
  capitals: {
    title: 'The identifier has capital letters',
    hint: 'Turn e-mail addresses and handles into small letters before you hash them.',
  },
  at_sign_kept: {
    title: 'The handle has its @',
    hint: 'Take the @ off handles before you hash them: jack, not @jack.',
  },
  surrounding_blanks: {
    title: 'The identifier has blanks before or after it',
    hint: 'Trim identifiers before you hash them, of spaces, tabs and no-break spaces.',
  },
  inner_blanks: {
    title: 'The identifier has blanks in it',
    hint: 'Take blanks out of identifiers before you hash them.',
  },
  line_break: {
    title: 'The identifier has a line break at its end or beginning',
    hint: 'Cut \\n and \\r\\n off the lines of a file before you hash them; in a shell use printf %s instead of echo.',
  },
  nul_byte: {
    title: 'The identifier was hashed with the NUL that ends it in memory',
    hint: 'Hash the bytes of the text only, by its length.',
  },
  quotes_kept: {
    title: 'The identifier has quotes around it',
    hint: 'Read CSV and JSON with a parser, which takes quotes and apostrophes off, before you hash.',
  },
  separator_kept: {
    title: 'The identifier has the separator of a list at its end or beginning',
    hint: 'Split lists at commas and semicolons, and hash the parts without them.',
  },
  brackets_kept: {
    title: 'The identifier has brackets around it',
    hint: 'Hash the identifier alone, without the brackets of a list, an object, a name with an address or an id.',
  },
  label_kept: {
    title: 'The identifier has a label or scheme before it',
    hint: 'Hash the identifier alone, without email:, mailto:, tel: and the like.',
  },
  dots_removed: {
    title: 'Dots were removed from the local part of the e-mail address',
    hint: 'Keep dots in e-mail addresses: only blanks and capital letters are normalized.',
  },
  dots_added: {
    title: 'The e-mail address has dots that the person does not write',
    hint: 'Hash the address as the person gave it. Mail providers may ignore dots, hashes do not.',
  },
  tag_removed: {
    title: 'The +tag was removed from the e-mail address',
    hint: 'Keep +tags in e-mail addresses: only blanks and capital letters are normalized.',
  },
  tag_kept: {
    title: 'The e-mail address has a +tag that the person does not have here',
    hint: 'Hash the address that the person gave elsewhere too, without your +tag.',
  },
  domain_variant: {
    title: 'The domain of the e-mail address is another spelling of that of the person',
    hint: 'Hash the domain as the person writes it: without www. and final dot, complete, and not another name of the provider.',
  },
  local_part_only: {
    title: 'Only the part before the @ of the e-mail address was hashed',
    hint: 'Hash the whole address.',
  },
  plus_missing: {
    title: 'The telephone number has no +',
    hint: 'Hash telephone numbers with + and the code of the country: +15005550100.',
  },
  dialling_prefix: {
    title: 'The telephone number has 00 or another dialling prefix in place of the +',
    hint: 'Replace 00 and 011 by +, so that numbers look like +15005550100.',
  },
  country_code_missing: {
    title: 'The telephone number has no country code',
    hint: 'Put + and the code of the country before the number, and take the 0 off that is dialled only within it.',
  },
  trunk_zero: {
    title: 'The telephone number has a 0 after the country code that is dialled only within the country',
    hint: 'Take the 0 after the country code out: +442079460018, not +4402079460018.',
  },
  phone_separators: {
    title: 'The telephone number has blanks, dashes, dots or brackets',
    hint: 'Keep only + and digits of telephone numbers: +15005550100.',
  },
  number_format: {
    title: 'The number was formatted as a quantity, with separators, decimals or an exponent',
    hint: 'Read telephone numbers and ids as text: spreadsheets and data frames turn them into quantities.',
  },
  number_rounded: {
    title: 'The platform id was rounded to the digits that a floating-point number holds',
    hint: 'Read ids as text or as 64-bit integers: JavaScript and spreadsheets round numbers of more than 15 digits.',
  },
  zeros_added: {
    title: 'The platform id was padded with zeros',
    hint: 'Hash platform ids as decimal numbers without leading zeros.',
  },
  other_base: {
    title: 'The platform id was written in hexadecimal or base 36',
    hint: 'Hash platform ids as decimal numbers.',
  },
  device_capitals: {
    title: 'The device id has capital letters',
    hint: 'Turn device ids into small letters before you hash them; iOS shows them in capital letters.',
  },
  dashes_removed: {
    title: 'The dashes were removed from the advertising id',
    hint: 'Keep the dashes of advertising ids: 8, 4, 4, 4 and 12 digits.',
  },
  dashes_added: {
    title: 'Dashes were put into the Android id',
    hint: 'Hash Android ids as 16 hexadecimal digits without dashes.',
  },
  identifier_as_bytes: {
    title: 'The bytes of the id were hashed, and not its text',
    hint: 'Write ids as text before you hash them: platform ids in decimal digits, device ids with small letters.',
  },

  // How the text became bytes
  utf16: {
    title: 'The text was hashed in UTF-16',
    hint: 'Turn text into UTF-8 bytes before you hash it. .NET (Encoding.Unicode) and SQL Server (nvarchar) use UTF-16.',
  },
  byte_order_mark: {
    title: 'The text was hashed with a byte order mark',
    hint: 'Skip the three bytes EF BB BF at the beginning of a file.',
  },
  not_utf8: {
    title: 'The text was hashed in Latin-1, or in UTF-8 twice',
    hint: 'Turn text into UTF-8 once before you hash it.',
  },
  letters_composed_differently: {
    title: 'Accents were hashed as characters of their own',
    hint: 'Bring text into the Unicode form NFC before you hash it.',
  },
  url_encoded: {
    title: 'The identifier was percent-encoded before it was hashed',
    hint: 'Hash first, and encode for the URL afterwards: a hash needs no encoding.',
  },
  html_encoded: {
    title: 'The identifier was escaped for HTML before it was hashed',
    hint: 'Hash the text itself, with @ and + and not &#64; and &#43;.',
  },
  base64_encoded: {
    title: 'The identifier was encoded in base64 before it was hashed',
    hint: 'Hash the text itself.',
  },

  // How it was hashed
  empty_key: {
    title: 'The identifier was hashed with a key, which was empty',
    hint: 'Use SHA-256 and not HMAC: no key and no salt.',
  },
  empty_salt: {
    title: 'The identifier was hashed with a salt, of which only the separator or a word such as null was there',
    hint: 'Hash without salt: the setting of the salt is empty, and what joins it to the identifier remains.',
  },
  hash_of_hash: {
    title: 'A hash was hashed again',
    hint: 'Hash once. Perhaps the column is hashed already, or the library hashes too: then send it as it is.',
  },
  hash_of_other_digest: {
    title: 'A digest of the identifier, such as MD5, was hashed',
    hint: 'Start from the identifiers themselves: SHA-256 of an MD5 or SHA-1 matches nobody.',
  },
  other_algorithm: {
    title: 'The hash is not SHA-256, but another algorithm with a digest of 64 digits',
    hint: 'Use SHA-256: not SHA3-256, SHA-512/256 or BLAKE2, and not the beginning of SHA-512.',
  },
  hash_of_nothing: {
    title: 'This is the hash of no identifier, but of an empty text or a word such as null',
    hint: 'Leave out rows without an identifier, and read columns by their right names.',
  },
  hash_of_heading: {
    title: 'This is the hash of the heading of a column',
    hint: 'Skip the first line of the file.',
  },

  // Where it was sent
  wrong_field: {
    title: 'This is the hash of an identifier of another kind',
    hint: 'Send each identifier in the field of its kind: e-mail addresses in email, telephone numbers in phone_number.',
  },

  // The form of the hash; such input is rejected
  md5_digest: {
    title: 'This is an MD5, or another digest of 32 digits',
    hint: 'Use SHA-256, which has 64 hexadecimal digits.',
  },
  sha1_digest: {
    title: 'This is a SHA-1, or another digest of 40 digits',
    hint: 'Use SHA-256, which has 64 hexadecimal digits.',
  },
  digest_of_other_length: {
    title: 'This is a digest of another algorithm than SHA-256, such as SHA-224, SHA-384 or SHA-512',
    hint: 'Use SHA-256, which has 64 hexadecimal digits.',
  },
  base64_digest: {
    title: 'The hash is written in base64',
    hint: 'Write the hash as 64 hexadecimal digits.',
  },
  digest_decorated: {
    title: 'The hash has something around or between its digits',
    hint: 'Send the 64 hexadecimal digits alone, without 0x, sha256:, quotes, blanks, dashes and colons.',
  },
  not_normalized: {
    title: 'The identifier was hashed as it is written here',
    hint: 'Normalize it first: normalizeIdentifier of @broadside/core/identifiers does so.',
  },
} satisfies Readonly<Record<string, HashingMistake>>;

/** The stable id of a mistake: a key of {@link HASHING_MISTAKES}. */
export type HashingMistakeName = keyof typeof HASHING_MISTAKES;

/** All names, in the order of the table. */
export const hashingMistakes: readonly HashingMistakeName[] = Object.keys(HASHING_MISTAKES).filter(isMistake);

function isMistake(name: string): name is HashingMistakeName {
  return Object.hasOwn(HASHING_MISTAKES, name);
}
