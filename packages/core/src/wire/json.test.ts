import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resultOf } from '../steps.ts';
import { INT64_MAX, INT64_MIN, parseJson, stringifyJson, stringifyJsonInSteps } from './json.ts';

const int64 = fc.bigInt({ min: INT64_MIN, max: INT64_MAX });

describe('exact JSON', () => {
  test('every 64-bit whole number is read back with all its digits', () => {
    fc.assert(
      // Wherever it stands in the text.
      fc.property(int64, fc.nat(40), (value, length) => {
        const beside = 'x'.repeat(length);
        const read = parseJson(stringifyJson({ beside, value }));
        const exact = Number.isSafeInteger(Number(value)) ? Number(value) : value;
        expect(read).toEqual({ beside, value: exact });
      }),
    );
  });

  test('steps write the same text, and each member of the objects down to a depth is one', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(4), (value, depth) => {
        expect(resultOf(stringifyJsonInSteps(value, depth))).toBe(stringifyJson(value));
      }),
    );
    const value = { left: undefined, one: { two: { three: 3n, four: [{ five: 5 }] } }, six: 6 };
    const steps = (depth: number) => [...stringifyJsonInSteps(value, depth)].length;
    expect([0, 1, 2, 3, 4].map(steps)).toEqual([0, 3, 4, 6, 6]);
    expect(resultOf(stringifyJsonInSteps(value, 3))).toBe(stringifyJson(value));
    expect(resultOf(stringifyJsonInSteps(undefined, 3))).toBe('null');
  });

  test('whatever JSON.stringify can write is written the same way', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        // Beyond 2^53 the digits are preserved, where JSON.parse would round.
        const rounded = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(stringifyJson(value))).toEqual(rounded);
        expect(stringifyJson(parseJson(stringifyJson(value)))).toBe(stringifyJson(value));
      }),
    );
  });

  test.each([
    ['9007199254740993', 9007199254740993n],
    ['9223372036854775807', INT64_MAX],
    ['-9223372036854775808', INT64_MIN],
    ['9007199254740991', 9007199254740991],
    ['1234567890123456.5', 1234567890123456.5],
    ['1e30', 1e30],
    ['[12345678901234567890]', [12345678901234567890n]],
    ['{"a":"1234567890123456789"}', { a: '1234567890123456789' }],
  ])('%s is read exactly', (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  test('members that are undefined are omitted, undefined elements become null', () => {
    expect(stringifyJson({ a: undefined, b: 1n, c: [undefined, 2n] })).toBe('{"b":1,"c":[null,2]}');
    expect(stringifyJson(undefined)).toBe('null');
  });

  test('text that is not JSON is rejected', () => {
    expect(() => parseJson('{"a": 12345678901234567890')).toThrow(SyntaxError);
  });
});
