/** Each mistake as somebody makes it, written out without the code under test. */
import { describe, expect, it } from 'vitest';
import { explainHash } from './explain-hash.ts';
import type { HashedKind } from './hashed-kinds.ts';
import { type HashingMistakeName, hashingMistakes } from './mistakes.ts';
import { hashed, nodeDigest } from './testing/node-digest.ts';
import { rightHash, wrongHashes } from './wrong-hashes.ts';

const EMAIL = 'nora.finch+posts@example.com';
const GMAIL = 'norafinch@gmail.com';
const HANDLE = 'nora_finch';
const PHONE = '+442079460018';
const AMERICAN = '+15005550100';
const ID = '1503831318555086849';
const DEVICE = '4b61639e-47cc-4056-a16a-c8217e029462';
const ANDROID = 'af3802a465767e36';

const bytes = (...values: readonly number[]) => Uint8Array.from(values);
const utf16 = (text: string) => bytes(...Array.from(text).flatMap((letter) => [letter.charCodeAt(0), 0]));

const cases: readonly (readonly [HashingMistakeName, HashedKind, string, string | Uint8Array])[] = [
  ['capitals', 'email', EMAIL, 'Nora.Finch+posts@example.com'],
  ['capitals', 'email', EMAIL, 'NORA.FINCH+POSTS@EXAMPLE.COM'],
  ['capitals', 'email', EMAIL, 'nora.finch+posts@Example.com'],
  ['capitals', 'handle', HANDLE, 'Nora_Finch'],
  ['at_sign_kept', 'handle', HANDLE, '@nora_finch'],
  ['at_sign_kept', 'handle', HANDLE, '@Nora_Finch'],
  ['surrounding_blanks', 'email', EMAIL, `${EMAIL} `],
  ['surrounding_blanks', 'phone_number', PHONE, `\t${PHONE}`],
  ['inner_blanks', 'email', EMAIL, 'nora.finch+posts @example.com'],
  ['line_break', 'handle', HANDLE, `${HANDLE}\n`],
  ['line_break', 'device_id', DEVICE, `${DEVICE}\r\n`],
  ['line_break', 'platform_id', ID, `${ID}\r`],
  ['nul_byte', 'email', EMAIL, `${EMAIL}\0`],
  ['quotes_kept', 'email', EMAIL, `"${EMAIL}"`],
  ['quotes_kept', 'phone_number', PHONE, `'${PHONE}`],
  ['separator_kept', 'handle', HANDLE, `${HANDLE},`],
  ['brackets_kept', 'email', EMAIL, `<${EMAIL}>`],
  ['brackets_kept', 'handle', HANDLE, `["${HANDLE}"]`],
  ['label_kept', 'email', EMAIL, `mailto:${EMAIL}`],
  ['label_kept', 'phone_number', PHONE, `tel:${PHONE}`],
  ['label_kept', 'handle', HANDLE, `handle=${HANDLE}`],
  ['dots_removed', 'email', EMAIL, 'norafinch+posts@example.com'],
  ['dots_added', 'email', GMAIL, 'nora.finch@gmail.com'],
  ['tag_removed', 'email', EMAIL, 'nora.finch@example.com'],
  ['tag_kept', 'email', GMAIL, 'norafinch+newsletter@gmail.com'],
  ['domain_variant', 'email', GMAIL, 'norafinch@googlemail.com'],
  ['domain_variant', 'email', EMAIL, `${EMAIL}.`],
  ['local_part_only', 'email', EMAIL, 'nora.finch+posts'],
  ['plus_missing', 'phone_number', PHONE, '442079460018'],
  ['dialling_prefix', 'phone_number', PHONE, '00442079460018'],
  ['country_code_missing', 'phone_number', PHONE, '02079460018'],
  ['country_code_missing', 'phone_number', AMERICAN, '(500) 555-0100'],
  ['trunk_zero', 'phone_number', PHONE, '+4402079460018'],
  ['phone_separators', 'phone_number', PHONE, '+44 20 7946 0018'],
  ['phone_separators', 'phone_number', AMERICAN, '+1 (500) 555-0100'],
  ['phone_separators', 'phone_number', AMERICAN, '1-500-555-0100'],
  ['number_format', 'phone_number', AMERICAN, '15005550100.0'],
  ['number_format', 'phone_number', AMERICAN, '1.50056E+10'],
  ['number_format', 'platform_id', ID, '1,503,831,318,555,086,849'],
  ['number_rounded', 'platform_id', ID, '1503831318555086800'],
  ['number_rounded', 'platform_id', ID, '1503831318555080000'],
  ['zeros_added', 'platform_id', ID, `0${ID}`],
  ['zeros_added', 'platform_id', '143567', '0000000000000143567'],
  ['other_base', 'platform_id', '143567', '0x230cf'],
  ['device_capitals', 'device_id', DEVICE, '4B61639E-47CC-4056-A16A-C8217E029462'],
  ['dashes_removed', 'device_id', DEVICE, '4b61639e47cc4056a16ac8217e029462'],
  ['dashes_added', 'device_id', ANDROID, 'af38-02a4-6576-7e36'],
  ['identifier_as_bytes', 'platform_id', '143567', bytes(0, 0, 0, 0, 0, 0x02, 0x30, 0xcf)],
  ['identifier_as_bytes', 'device_id', ANDROID, bytes(0xaf, 0x38, 0x02, 0xa4, 0x65, 0x76, 0x7e, 0x36)],
  ['utf16', 'email', EMAIL, utf16(EMAIL)],
  ['byte_order_mark', 'email', EMAIL, `\ufeff${EMAIL}`],
  ['not_utf8', 'email', 'jürgen@example.com', Uint8Array.from('jürgen@example.com', (letter) => letter.charCodeAt(0))],
  ['not_utf8', 'email', 'jürgen@example.com', 'jÃ¼rgen@example.com'],
  ['letters_composed_differently', 'email', 'jürgen@example.com', 'ju\u0308rgen@example.com'],
  ['url_encoded', 'email', EMAIL, 'nora.finch%2Bposts%40example.com'],
  ['url_encoded', 'phone_number', PHONE, '%2b442079460018'],
  ['html_encoded', 'email', GMAIL, 'norafinch&#64;gmail.com'],
  ['base64_encoded', 'handle', 'jack', 'amFjaw=='],
  ['empty_salt', 'email', EMAIL, `:${EMAIL}`],
  ['empty_salt', 'email', EMAIL, `${EMAIL}null`],
  ['hash_of_hash', 'email', EMAIL, hashed(EMAIL)],
  ['hash_of_hash', 'email', EMAIL, hashed(EMAIL).toUpperCase()],
  ['hash_of_other_digest', 'email', EMAIL, hashed(EMAIL, 'md5')],
  ['hash_of_other_digest', 'phone_number', PHONE, hashed(PHONE, 'sha1')],
  ['hash_of_nothing', 'email', EMAIL, ''],
  ['hash_of_nothing', 'phone_number', PHONE, 'null'],
  ['hash_of_heading', 'email', EMAIL, 'Email Address'],
];

/** Hashes that are no SHA-256 of anything. */
const digests: readonly (readonly [HashingMistakeName, string, string])[] = [
  // HMAC-SHA256 of this address under the empty key, by `openssl dgst -sha256 -hmac ""`.
  ['empty_key', 'jack', 'f49f620c06c3eabe35a99e0f3a0cf4ad7c56ae1df21c6c1fb2f252d416f35980'],
  ['other_algorithm', EMAIL, hashed(EMAIL, 'sha3-256')],
  ['other_algorithm', EMAIL, hashed(EMAIL, 'sha512').slice(0, 64)],
  ['md5_digest', EMAIL, hashed(EMAIL, 'md5')],
  ['sha1_digest', EMAIL, hashed(EMAIL, 'sha1')],
  ['digest_of_other_length', EMAIL, hashed(EMAIL, 'sha512')],
  ['base64_digest', 'adsapi', 'SeC+KuzPtRqN7kyUXIpwqaxQDPb1ywgRJXX3TbmxRw0='],
  ['digest_decorated', EMAIL, `0x${hashed(EMAIL)}`],
  ['digest_decorated', EMAIL, `"${hashed(EMAIL)}"\n`],
  ['digest_decorated', EMAIL, `sha256:${hashed(EMAIL)}`],
  ['not_normalized', '+1 500/555-0100', hashed('+1 500/555-0100')],
];

const namesOf = (explanation: ReturnType<typeof explainHash>) => explanation.findings.map(({ mistake }) => mistake);

describe('a mistake is named', () => {
  it.each(cases)('%s in %s %s', (mistake, kind, value, input) => {
    const explanation = explainHash({ hash: hashed(input), identifiers: [value], field: kind, digest: nodeDigest });
    expect([explanation.verdict, namesOf(explanation)]).toEqual(['explained', [mistake]]);
  });

  it.each(digests)('%s of %s', (mistake, identifier, hash) => {
    const explanation = explainHash({ hash, identifiers: [identifier], digest: nodeDigest });
    expect([explanation.verdict, namesOf(explanation)]).toEqual(['explained', [mistake]]);
  });

  it('when the hash belongs into another field', () => {
    const explanation = explainHash({
      hash: hashed(EMAIL),
      identifiers: [EMAIL],
      field: 'phone_number',
      digest: nodeDigest,
    });
    expect(namesOf(explanation)).toEqual(['wrong_field']);
    expect(explanation.identifier).toEqual({ index: 0, kind: 'email' });
  });

  it('beside another one that was made too', () => {
    const explain = (hash: string) => namesOf(explainHash({ hash, identifiers: [EMAIL], digest: nodeDigest }));
    expect(explain(hashed(`"Nora.Finch+posts@example.com"`))).toEqual(['capitals', 'quotes_kept']);
    expect(explain(hashed(hashed('nora.finch@example.com')))).toEqual(['tag_removed', 'hash_of_hash']);
    expect(explain(`0x${hashed(`${EMAIL}\n`)}`)).toEqual(['digest_decorated', 'line_break']);
  });

  it('all of them somewhere above', () => {
    const named = new Set<string>([...cases, ...digests].map(([mistake]) => mistake));
    expect(hashingMistakes.filter((mistake) => !named.has(mistake))).toEqual(['wrong_field']);
  });
});

describe('a right hash', () => {
  const people = [
    ['email', EMAIL],
    ['email', GMAIL],
    ['email', 'jürgen@example.com'],
    ['handle', HANDLE],
    ['phone_number', PHONE],
    ['platform_id', ID],
    ['device_id', DEVICE],
    ['device_id', ANDROID],
  ] as const;

  it.each(people)('of %s %s has no mistake, in either case of letters', (kind, value) => {
    for (const hash of [hashed(value), hashed(value).toUpperCase()]) {
      const explanation = explainHash({ hash, identifiers: ['jill', value], field: kind, digest: nodeDigest });
      expect(explanation).toMatchObject({ verdict: 'right', findings: [], identifier: { index: 1, kind } });
    }
  });

  it.each(people)('of %s %s is not among the wrong ones of its field, which differ from each other', (kind, value) => {
    const identifier = { kind, value };
    const right = hashed(value);
    const own = wrongHashes(nodeDigest, identifier).filter(({ field }) => field === kind);
    const hexes = own.map(({ hash }) => Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join(''));
    expect(hexes).not.toContain(right);
    expect(new Set(hexes).size).toBe(hexes.length);
    expect(hexes.length).toBeGreaterThan(80);
    expect(rightHash(nodeDigest, identifier)).toHaveLength(32);
  });
});

it('a hash of somebody else, and what is no hash, are not explained', () => {
  const explain = (hash: string) => explainHash({ hash, identifiers: [EMAIL, PHONE], digest: nodeDigest });
  expect(explain(hashed('somebody@example.com'))).toEqual({ verdict: 'unexplained', findings: [] });
  expect(explain('nora')).toEqual({ verdict: 'unexplained', findings: [] });
  expect(explain(`0x${hashed('somebody@example.com')}`)).toMatchObject({ verdict: 'unexplained' });
  expect(explain('x'.repeat(100_000))).toEqual({ verdict: 'unexplained', findings: [] });
});
