/** The hashes that come of an identifier by known mistakes. */
import { normalizeIdentifier } from '../resources/custom-audiences/identifiers/index.ts';
import { type Digest, hexOf, hmacWithEmptyKey, sha256 } from './digests.ts';
import { emailSpellings } from './email-spellings.ts';
import { handlings } from './handling.ts';
import { type HashedKind, hashedKinds } from './hashed-kinds.ts';
import { deviceSpellings, handleSpellings, platformIdSpellings, quantities } from './id-spellings.ts';
import type { HashingMistakeName } from './mistakes.ts';
import { phoneSpellings } from './phone-spellings.ts';
import { type WrongInput, type WrongText, wrongTexts } from './wrong-text.ts';

declare class TextEncoder {
  encode(text: string): Uint8Array;
}
declare function btoa(binary: string): string;

const encoder = new TextEncoder();

/** An identifier whose hash is right. */
export interface KnownIdentifier {
  readonly kind: HashedKind;
  /** In the form that is hashed. */
  readonly value: string;
  /** The identifier as people write it, such as a handle with its capital letters. */
  readonly spellings?: readonly string[] | undefined;
}

/** A hash that is wrong in a field. */
export interface WrongHash {
  readonly mistake: HashingMistakeName;
  /** The field in which it is wrong. */
  readonly field: HashedKind;
  /** 32 bytes. */
  readonly hash: Uint8Array;
  /** Somebody else could have the identifier whose hash this is: it is wrong only if nobody is known to have it. */
  readonly could_be_right: boolean;
}

/** Returns the bytes of a text or of bytes. */
export function bytesOf(input: string | Uint8Array): Uint8Array {
  return typeof input === 'string' ? encoder.encode(input) : input;
}

/** Returns the hash of an identifier as it should be. */
export function rightHash(digest: Digest, { value }: KnownIdentifier): Uint8Array {
  return sha256(digest, encoder.encode(value));
}

/** Returns what an identifier is written like by mistake, most likely ones first. */
export function wrongSpellings({ kind, value, spellings = [] }: KnownIdentifier): WrongInput[] {
  switch (kind) {
    case 'email':
      return [...recased(value, spellings), ...emailSpellings(value)];
    case 'handle':
      return handleSpellings(value, spellings);
    case 'phone_number':
      return [...phoneSpellings(value), ...wrongTexts('number_format', quantities(value.slice(1)))];
    case 'platform_id':
      return platformIdSpellings(value);
    case 'device_id':
      return deviceSpellings(value);
  }
}

function recased(value: string, spellings: readonly string[]): WrongText[] {
  return wrongTexts(
    'capitals',
    spellings.filter((spelling) => spelling.toLowerCase() === value),
  );
}

/** Returns the hashes that come of an identifier by one mistake, in every field. */
export function wrongHashes(digest: Digest, identifier: KnownIdentifier): WrongHash[] {
  const { kind, value, spellings = [] } = identifier;
  const inputs = [...wrongSpellings(identifier), ...handlings(kind, value), ...wrongTexts('not_normalized', spellings)];
  const right = rightHash(digest, identifier);
  return [
    ...hashesOfInputs(digest, kind, onceEach(inputs, value)),
    ...hashesOfText(digest, value).map(([mistake, hash]) => ({ mistake, field: kind, hash, could_be_right: false })),
    ...hashedKinds
      .filter((field) => field !== kind)
      .map(
        (field): WrongHash => ({ mistake: 'wrong_field', field, hash: right, could_be_right: isNormal(field, value) }),
      ),
  ];
}

/** Leaves out what is right, and texts that another mistake led to. */
function onceEach(inputs: readonly WrongInput[], value: string): WrongInput[] {
  const seen = new Set<string | Uint8Array>([value]);
  return inputs.filter(({ input }) => !seen.has(input) && seen.add(input));
}

function hashesOfInputs(digest: Digest, field: HashedKind, inputs: readonly WrongInput[]): WrongHash[] {
  return inputs.map(({ mistake, input }) => ({
    mistake,
    field,
    hash: sha256(digest, bytesOf(input)),
    could_be_right: typeof input === 'string' && isNormal(field, input),
  }));
}

/** Returns whether a text is an identifier of a kind in the form that is hashed. */
function isNormal(kind: HashedKind, text: string): boolean {
  const normalized = normalizeIdentifier(kind, text);
  return normalized.ok && normalized.value === text;
}

/** Returns the hashes that come of a text by hashing it in a wrong way. */
export function hashesOfText(digest: Digest, text: string): (readonly [HashingMistakeName, Uint8Array])[] {
  const bytes = encoder.encode(text);
  const right = sha256(digest, bytes);
  const again = (input: string | Uint8Array) => sha256(digest, bytesOf(input));
  const hex = hexOf(right);
  const others = (['md5', 'sha1', 'sha512'] as const).flatMap((algorithm) => digest(algorithm, bytes) ?? []);
  const sameLength = (['sha3-256', 'sha512-256', 'blake2s256'] as const).flatMap(
    (algorithm) => digest(algorithm, bytes) ?? [],
  );
  const cut = (['sha512', 'sha384'] as const).flatMap((algorithm) => digest(algorithm, bytes)?.slice(0, 32) ?? []);
  return [
    ...[hex, hex.toUpperCase(), right, `${hex}\n`, btoa(String.fromCharCode(...right))].map(
      (input) => ['hash_of_hash', again(input)] as const,
    ),
    ...others.flatMap((other) =>
      [hexOf(other), hexOf(other).toUpperCase(), other].map((input) => ['hash_of_other_digest', again(input)] as const),
    ),
    ...[...sameLength, ...cut].map((hash) => ['other_algorithm', hash] as const),
    ['empty_key', hmacWithEmptyKey(digest, bytes)],
  ];
}

/** Texts that stand in files where there is no identifier. */
const NOTHING = [
  '',
  ' ',
  '\n',
  'null',
  'NULL',
  'Null',
  'undefined',
  'None',
  'nil',
  'NaN',
  'nan',
  'N/A',
  'n/a',
  'NA',
  '#N/A',
];
const NO_VALUE = [
  '-',
  '--',
  '0',
  'false',
  '[]',
  '{}',
  '[object Object]',
  '""',
  '(null)',
  '<null>',
  '\\N',
  'unknown',
  'none',
];
const HEADINGS = [
  ...[
    'email',
    'Email',
    'EMAIL',
    'e-mail',
    'E-mail',
    'E-Mail',
    'mail',
    'email_address',
    'Email Address',
    'emailaddress',
  ],
  ...['phone', 'Phone', 'PHONE', 'phone_number', 'Phone Number', 'phonenumber', 'mobile', 'Mobile', 'telephone'],
  ...[
    'handle',
    'Handle',
    'username',
    'Username',
    'screen_name',
    'device_id',
    'Device ID',
    'deviceid',
    'idfa',
    'IDFA',
    'gaid',
  ],
  ...['GAID', 'platform_id', 'Platform ID', 'user_id', 'User ID', 'userid', 'id', 'ID'],
];

/** Returns the hashes that come of no identifier at all, and are wrong whoever is known. */
export function hashesOfNobody(digest: Digest): WrongHash[] {
  const texts = [
    ...wrongTexts('hash_of_nothing', [...NOTHING, ...NO_VALUE]),
    ...wrongTexts('hash_of_heading', HEADINGS),
  ];
  return hashedKinds.flatMap((field) => hashesOfInputs(digest, field, texts).filter((wrong) => !wrong.could_be_right));
}
