import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { INT64_MAX, INT64_MIN } from './json.ts';
import {
  boolean,
  currency,
  descriptionOf,
  int,
  list,
  long,
  micro,
  numericId,
  oneOf,
  oneOfInt,
  pagePosition,
  rejectionOf,
  removable,
  text,
  textOrInteger,
  time,
  wireTypeOf,
} from './types.ts';

/** Returns the value that a schema reads from a raw value, or the reason for rejecting it. */
function read(schema: z.ZodType, raw: unknown): unknown {
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const rejection = issue && rejectionOf(issue);
  return rejection ? `${rejection.reason}: ${rejection.expected}` : 'no reason';
}

describe('wire types', () => {
  test.each<[string, z.ZodType, unknown, unknown]>([
    ['a long as text', long(), '9223372036854775807', INT64_MAX],
    ['a long as a number', long(), 5, 5n],
    ['a long as it is', long(), INT64_MIN, INT64_MIN],
    ['an amount of one micro', micro(), '1', 1n],
    ['an int as text', int({ min: 1, max: 10 }), '10', 10],
    ['true', boolean(), 'true', true],
    ['false', boolean(), false, false],
    ['true of Python', boolean(), 'True', true],
    ['false of Python', boolean(), 'False', false],
    ['true as a digit', boolean(), '1', true],
    ['false as a digit', boolean(), '0', false],
    ['an empty position', pagePosition(), '', undefined],
    ['a position', pagePosition(), 'abc', 'abc'],
    ['a word', oneOf(['A', 'B']), 'B', 'B'],
    ['a number among some', oneOfInt([1, 7, 30]), '7', 7],
    ['a time with an offset', time(), '2018-02-01T10:20:30+0200', '2018-02-01T08:20:30Z'],
    ['a Date', time(), new Date(Date.UTC(2018, 1, 1)), '2018-02-01T00:00:00Z'],
    ['a comma list', list(oneOf(['A', 'B']), { max: 3 }), 'B,A', ['B', 'A']],
    ['an array', list(oneOf(['A', 'B']), { max: 3 }), ['A'], ['A']],
    ['a list with a repetition', list(oneOf(['A', 'B']), { max: 3 }), 'A,B,A', ['A', 'B']],
    ['a numeric id as bigint', numericId(), 1503831318555086849n, '1503831318555086849'],
    ['a currency', currency(), 'USD', 'USD'],
    ['an empty text, where a value can be removed', removable(micro()), '', null],
    ['null, where a value can be removed', removable(micro()), null, null],
    ['a value, where it can be removed', removable(micro()), '5', 5n],
    ['a number for text that can be one', textOrInteger(), 10027243420, '10027243420'],
    ['a long for text that can be one', textOrInteger(), INT64_MAX, '9223372036854775807'],
    ['text that could be a number', textOrInteger(), '1e3', '1e3'],
    ['text of the greatest length in astral characters', text({ max: 3 }), '😀😀😀', '😀😀😀'],
  ])('%s is read', (_, schema, raw, value) => {
    expect(read(schema, raw)).toEqual(value);
  });

  test.each<[string, z.ZodType, unknown, string]>([
    ['nothing', text(), undefined, 'missing: text of 1 to 255 characters'],
    ['empty text', text(), '', 'invalid: text of 1 to 255 characters'],
    ['text that is too long', text({ max: 3 }), '😀😀😀😀', 'invalid: text of 1 to 3 characters'],
    ['a NUL', text(), 'a\0b', 'illegal: text of 1 to 255 characters'],
    ['half a surrogate pair', text(), 'a\ud800', 'illegal: text of 1 to 255 characters'],
    ['a fraction for text', textOrInteger(), 1.5, 'invalid: text of 1 to 255 characters'],
    ['a number that has lost digits, for text', textOrInteger(), 2 ** 53, 'invalid: text of 1 to 255 characters'],
    ['empty text or a number', textOrInteger(), '', 'invalid: text of 1 to 255 characters'],
    ['a number for text', text(), 5, 'invalid: text of 1 to 255 characters'],
    ['a long above the range', long(), '9223372036854775808', 'invalid: a whole number, in 64 bits'],
    ['a fraction', long(), 1.5, 'invalid: a whole number'],
    ['a number that has lost digits', long(), 2 ** 53, 'invalid: a whole number'],
    ['an amount of zero', micro(), '0', 'invalid: a whole number greater than zero'],
    ['a number with an exponent', int(), '1e3', 'invalid: a whole number'],
    ['a number with a space', int(), ' 1', 'invalid: a whole number'],
    ['an int out of bounds', int({ min: 1, max: 10 }), '11', 'invalid: a whole number from 1 to 10'],
    ['a boolean in capitals', boolean(), 'TRUE', 'invalid: true or false'],
    ['a number for a boolean', boolean(), 1, 'invalid: true or false'],
    ['an unknown word', oneOf(['A', 'B']), 'a', 'invalid: one of A, B'],
    ['no time', time(), '', 'invalid: time'],
    ['an empty list', list(text(), { max: 2 }), '', 'invalid: a comma-separated list of 1 to 2 values'],
    ['a list that is too long', list(text(), { max: 2 }), 'a,b,c', 'invalid: a comma-separated list of 1 to 2 values'],
    ['a list with an unknown word', list(oneOf(['A']), { max: 2 }), 'A,B', 'invalid: A'],
    ['an object for a list', list(text(), { max: 2 }), {}, 'invalid: a comma-separated list of 1 to 2 values'],
    ['an id with letters', numericId(), '12a', 'invalid: a numeric id'],
    ['a wrong value, where it can be removed', removable(micro()), 'x', 'invalid: a whole number greater than zero'],
  ])('%s is rejected with a description of valid values', (_, schema, raw, rejection) => {
    expect(read(schema, raw)).toBe(rejection);
  });

  test('every 64-bit number is read exactly from text', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: INT64_MIN, max: INT64_MAX }), (value) => {
        expect(read(long(), value.toString())).toBe(value);
      }),
    );
  });

  test('no JSON value makes a type throw', () => {
    const types = [text(), long(), int(), boolean(), time(), oneOf(['A']), list(text(), { max: 3 }), removable(long())];
    fc.assert(
      fc.property(fc.jsonValue(), (raw) => {
        for (const type of types) read(type, raw);
      }),
    );
  });

  test('a type is found through optional, nullable and default', () => {
    const field = int({ min: 1 }).default(5).describe('How many.');
    expect(wireTypeOf(field)?.kind).toBe('int');
    expect(wireTypeOf(text().nullable().optional())?.kind).toBe('text');
    expect(wireTypeOf(removable(micro()).optional())?.removable).toBe(true);
    expect(descriptionOf(field)).toBe('How many.');
    expect(descriptionOf(text().describe('Inside.').optional())).toBe('Inside.');
  });
});

test('a type without options is one schema, which descriptions leave as it is', () => {
  for (const type of [text, boolean, currency, micro, numericId, textOrInteger, time]) {
    const described = type().describe('of a test');
    expect(type()).toBe(type());
    expect(descriptionOf(type())).toBeUndefined();
    expect([descriptionOf(described), wireTypeOf(described)]).toEqual(['of a test', wireTypeOf(type())]);
  }
});
