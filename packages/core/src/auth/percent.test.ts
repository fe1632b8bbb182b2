import { costRatio } from '@broadside/cost-ratio';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formDecode, formEncode, formPairs, percentDecode, percentEncode } from './percent.ts';

const UNRESERVED = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~';
const unicode = fc.string({ unit: 'binary' });

describe('percentEncode', () => {
  test('leaves exactly the unreserved characters of RFC 3986 unencoded', () => {
    for (let code = 0; code < 128; code += 1) {
      const character = String.fromCharCode(code);
      const hex = `%${code.toString(16).toUpperCase().padStart(2, '0')}`;
      expect(percentEncode(character), character).toBe(UNRESERVED.includes(character) ? character : hex);
    }
  });

  test.each([
    ['Ladies + Gentlemen', 'Ladies%20%2B%20Gentlemen'],
    ['An encoded string!', 'An%20encoded%20string%21'],
    ["!*'()", '%21%2A%27%28%29'],
    ['100%', '100%25'],
    ['%7e', '%257e'],
    ['é', '%C3%A9'],
    ['☃', '%E2%98%83'],
    ['😀', '%F0%9F%98%80'],
    ['e\u0301', 'e%CC%81'],
    ['', ''],
  ])('%j becomes %s', (text, encoded) => {
    expect(percentEncode(text)).toBe(encoded);
  });

  test.each([
    ['a\uD83Db', 'a%EF%BF%BDb'],
    ['\uDE00', '%EF%BF%BD'],
    ['\uDE00\uD83D', '%EF%BF%BD%EF%BF%BD'],
    ['😀\uD83D!', '%F0%9F%98%80%EF%BF%BD%21'],
  ])('half of a surrogate pair becomes U+FFFD: %j', (text, encoded) => {
    expect(percentEncode(text)).toBe(encoded);
  });

  test('decodes back to the same text, in unreserved characters and upper-case triplets only', () => {
    fc.assert(
      fc.property(unicode, (text) => {
        const encoded = percentEncode(text);
        expect(encoded).toMatch(/^(?:[A-Za-z0-9\-._~]|%[0-9A-F]{2})*$/);
        expect(percentDecode(encoded)).toBe(text);
      }),
      { seed: 1, numRuns: 2000 },
    );
  });
});

describe('percentDecode', () => {
  test.each([
    ['%', 'nothing after %'],
    ['%4', 'one digit'],
    ['a%zz', 'no digits'],
    ['%4g', 'a digit and a letter'],
    ['% 41', 'a space'],
    ['%u0041', 'the %u form'],
    ['%C3', 'a lead byte alone'],
    ['%A9', 'a continuation byte alone'],
    ['%C3A9', 'a raw character for a continuation'],
    ['%C0%AF', 'an overlong form'],
    ['%E0%80%AF', 'a longer overlong form'],
    ['%ED%A0%80', 'an encoded surrogate'],
    ['%F4%90%80%80', 'a code point above U+10FFFF'],
    ['%FF', 'a byte that UTF-8 does not have'],
    ['%E2%98', 'a cut sequence'],
  ])('rejects %s: %s', (text) => {
    expect(percentDecode(text)).toBeUndefined();
    expect(formDecode(text)).toBeUndefined();
  });

  test('accepts digits in both cases, and raw characters as they are', () => {
    expect(percentDecode('%c3%A9+é')).toBe('é+é');
    expect(formDecode('%c3%A9+%2B')).toBe('é +');
  });
});

describe('formPairs', () => {
  test.each([
    ['', []],
    ['a=1', [['a', '1']]],
    ['a', [['a', '']]],
    ['a=', [['a', '']]],
    ['=b', [['', 'b']]],
    ['=', [['', '']]],
    ['a=b=c', [['a', 'b=c']]],
    [
      '&a=1&&b=2&',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    [
      'a=2&a=1&a=2',
      [
        ['a', '2'],
        ['a', '1'],
        ['a', '2'],
      ],
    ],
    ['a+b=c+d%2B%20e', [['a b', 'c d+ e']]],
    ['a;b=1', [['a;b', '1']]],
    ['?a=1', [['?a', '1']]],
    ['__proto__=x', [['__proto__', 'x']]],
  ])('%j', (text, pairs) => {
    expect(formPairs(text, 10)).toEqual(pairs);
  });

  test('rejects what cannot be decoded, in names and values', () => {
    expect(formPairs('a=1&b=%', 10)).toBeUndefined();
    expect(formPairs('%ff=1', 10)).toBeUndefined();
  });

  test('counts pairs, not separators', () => {
    expect(formPairs('a&b&c', 3)).toHaveLength(3);
    expect(formPairs('&&&&a&b&c', 3)).toHaveLength(3);
    expect(formPairs('a&b&c&d', 3)).toBe('too many');
  });

  test('reads back what formEncode wrote', () => {
    const pairs = fc.array(fc.tuple(unicode, unicode), { maxLength: 8 });
    fc.assert(
      fc.property(pairs, (list) => {
        expect(formPairs(formEncode(list), 8)).toEqual(list);
      }),
      { seed: 2, numRuns: 1000 },
    );
  });
});

describe('long texts', () => {
  const piece = fc.constantFrom('a', '+', '%', "'", '~', ' ', 'é', '\u{1f600}', '\ud800', '\ufeff', '\0', '=');
  const long = fc.array(piece, { minLength: 1, maxLength: 20 }).map((pieces) => pieces.join(''));

  test('are encoded and decoded like short ones', () => {
    fc.assert(
      fc.property(long, (text) => {
        const times = Math.ceil(10_001 / text.length);
        // Halves of surrogate pairs must not meet where the text is repeated.
        const spaced = `${text} `;
        expect(percentEncode(spaced.repeat(times))).toBe(percentEncode(spaced).repeat(times));
        const whole = `${text.toWellFormed().replaceAll('%', '%25')}+`;
        expect(formDecode(whole.repeat(times))).toBe(formDecode(whole)?.repeat(times));
      }),
    );
  });

  test.each(["'", '+', 'é', '%'])('of %s take a time that grows with their length alone', async (character) => {
    const work = (length: number) => () => formDecode(percentEncode(character.repeat(length)).replaceAll('%', '+'));
    work(400_000)();
    expect(await costRatio(work(400_000), work(100_000), 15)).toBeLessThan(15);
  });
});
