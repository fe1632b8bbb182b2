import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  hashIdentifier,
  hashNormalized,
  type IdentifierKind,
  identifierKinds,
  isHash,
  keyOf,
  keyOfPerson,
  kindNumber,
  normalizeIdentifier,
} from './index.ts';

const ZWSP = '\u200b';
const LRM = '\u200e';

describe('an identifier in normal form', () => {
  it.each<[IdentifierKind, string, string]>([
    // Samples of the reference are their own normal form.
    ['email', 'support@example.com', 'support@example.com'],
    ['handle', 'jack', 'jack'],
    ['platform_id', '143567', '143567'],
    ['device_id', '4b61639e-47cc-4056-a16a-c8217e029462', '4b61639e-47cc-4056-a16a-c8217e029462'],
    ['device_id', '2f5f5391-3e45-4d02-b645-4575a08f86e', '2f5f5391-3e45-4d02-b645-4575a08f86e'],
    ['device_id', 'af3802a465767e36', 'af3802a465767e36'],
    ['phone_number', '+15005550100', '+15005550100'],
    ['partner_user_id', 'abc123', 'abc123'],
    ['email', ' \tSupport@Example.COM\r\n', 'support@example.com'],
    ['email', '\ufeffsupport@example.com', 'support@example.com'],
    ['email', 'first.last+tag@example.com', 'first.last+tag@example.com'],
    ['email', 'JÜRGEN@BEISPIEL.DE', 'jürgen@beispiel.de'],
    ['email', '"a@b"@example.com', '"a@b"@example.com'],
    ['handle', '@Jack', 'jack'],
    ['handle', '  @ Jack_01 ', 'jack_01'],
    ['handle', '＠jack', 'jack'],
    ['platform_id', ' 143567\n', '143567'],
    ['platform_id', '000143567', '143567'],
    ['platform_id', '9223372036854775807', '9223372036854775807'],
    ['device_id', '4B61639E-47CC-4056-A16A-C8217E029462 ', '4b61639e-47cc-4056-a16a-c8217e029462'],
    ['device_id', 'AF38 02A4-6576 7E36', 'af3802a465767e36'],
    ['phone_number', '+1 (500) 555-0100', '+15005550100'],
    ['phone_number', ' 001.500.555.0100', '+15005550100'],
    ['phone_number', 'tel:+1-500-555-0100', '+15005550100'],
    ['phone_number', '+44 (0)20 7946 0018', '+442079460018'],
    ['phone_number', '+39 06 698 12345', '+390669812345'],
    ['phone_number', `${LRM}+49\u00a030\u2011901820`, '+4930901820'],
    ['phone_number', '＋８１ ３ １２３４ ５６７８', '+81312345678'],
    ['partner_user_id', ' Abc 123 ', ' Abc 123 '],
  ])('%s %j is %j', (kind, raw, value) => {
    expect(normalizeIdentifier(kind, raw)).toEqual({ ok: true, value });
    expect(normalizeIdentifier(kind, value)).toEqual({ ok: true, value });
  });

  it.each<[IdentifierKind, string, RegExp]>([
    ['email', '', /one e-mail address/],
    ['email', 'support', /such as support@example.com/],
    ['email', '@example.com', /one e-mail address/],
    ['email', 'support@', /one e-mail address/],
    ['email', 'Support <support@example.com>', /without a name/],
    ['email', 'a@example.com, b@example.com', /one e-mail address/],
    ['email', `sup${ZWSP}port@example.com`, /blanks/],
    ['email', `${'a'.repeat(250)}@example.com`, /one e-mail address/],
    ['handle', '@', /such as @jack/],
    ['handle', 'jack dorsey', /letters, digits and _/],
    ['handle', 'https://example.com/jack', /letters, digits and _/],
    ['platform_id', '', /digits only/],
    ['platform_id', '0', /digits only/],
    ['platform_id', '1.43567E+05', /spreadsheet/],
    ['platform_id', '143,567', /digits only/],
    ['platform_id', '-143567', /digits only/],
    ['platform_id', '9223372036854775808', /digits only/],
    ['platform_id', '9'.repeat(1000), /digits only/],
    ['device_id', 'iPhone', /advertising id with dashes/],
    ['device_id', '4b61639e47cc4056a16ac8217e029462', /with dashes/],
    ['device_id', '00000000-0000-0000-0000-000000000000', /all zeros/],
    ['phone_number', '', /\+ and the code/],
    ['phone_number', '(500) 555-0100', /country is missing/],
    ['phone_number', '15005550100', /country is missing/],
    ['phone_number', '+0500 5550100', /begins with 0/],
    ['phone_number', '+1 500', /7 to 15 digits/],
    ['phone_number', '+1234567890123456', /7 to 15 digits/],
    ['phone_number', '+1 500 555 0100 ext. 12', /without extension/],
    ['phone_number', '1-800-FLOWERS', /such as \+15005550100/],
    ['partner_user_id', '', /1 to 512 characters/],
    ['partner_user_id', 'x'.repeat(513), /1 to 512 characters/],
    ['partner_user_id', 'half\ud800', /sent as it is/],
  ])('cannot be made of %s %j', (kind, raw, message) => {
    expect(normalizeIdentifier(kind, raw)).toEqual({ ok: false, message: expect.stringMatching(message) });
  });

  it('stays what it is, and no message repeats an identifier', () => {
    fc.assert(
      fc.property(fc.constantFrom(...identifierKinds), fc.string({ minLength: 12, unit: 'binary' }), (kind, raw) => {
        const result = normalizeIdentifier(kind, raw);
        if (result.ok) expect(normalizeIdentifier(kind, result.value)).toEqual(result);
        else expect(result.message).not.toContain(raw);
      }),
    );
  });
});

describe('a hash', () => {
  it('of the reference holds', async () => {
    const expected = '49e0be2aeccfb51a8dee4c945c8a70a9ac500cf6f5cb08112575f74db9b1470d';
    expect(await hashNormalized('adsapi')).toBe(expected);
    expect(await hashIdentifier('handle', ' @AdsAPI')).toEqual({ ok: true, value: expected });
  });

  it('is that of the UTF-8 form', async () => {
    // printf 'jürgen@beispiel.de' | sha256sum
    expect(await hashNormalized('jürgen@beispiel.de')).toBe(
      'cd8b6d4d99526b8a464cfc2d6331c8e0b95787832c6aaf137d8b4934576122de',
    );
  });

  it('is made of no partner_user_id, and of nothing that cannot be normalized', async () => {
    expect(await hashIdentifier('partner_user_id', ' Abc')).toEqual({ ok: true, value: ' Abc' });
    expect(await hashIdentifier('email', 'nobody')).toMatchObject({ ok: false });
  });

  it.each<[string, boolean]>([
    ['49e0be2aeccfb51a8dee4c945c8a70a9ac500cf6f5cb08112575f74db9b1470d', true],
    ['49E0BE2AECCFB51A8DEE4C945C8A70A9AC500CF6F5CB08112575F74DB9B1470D', true],
    ['49e0be2aeccfb51a8dee4c945c8a70a9ac500cf6f5cb08112575f74db9b1470', false],
    ['49e0be2aeccfb51a8dee4c945c8a70a9ac500cf6f5cb08112575f74db9b1470d\n', false],
    ['g9e0be2aeccfb51a8dee4c945c8a70a9ac500cf6f5cb08112575f74db9b1470d', false],
    ['', false],
  ])('is recognized by its form: %j', (text, expected) => {
    expect(isHash(text)).toBe(expected);
  });
});

describe('a key', () => {
  const hash = Uint8Array.from({ length: 32 }, (_, index) => 255 - index);

  it('is the number of the kind and the beginning of the hash', () => {
    expect(identifierKinds.map(kindNumber)).toEqual([1, 2, 3, 4, 5, 6]);
    const begin = Array.from({ length: 15 }, (_, index) => 255 - index);
    expect([...keyOf('email', hash)]).toEqual([1, ...begin]);
    expect([...keyOf('partner_user_id', hash)]).toEqual([6, ...begin]);
    expect(() => keyOf('email', hash.subarray(1))).toThrow(RangeError);
  });

  it('of a person of the platform is their id', () => {
    expect([...keyOfPerson(0x0102030405060708n)]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0]);
  });
});
