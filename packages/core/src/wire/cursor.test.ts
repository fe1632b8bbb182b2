import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CursorValue, decodeCursor, encodeCursor } from './cursor.ts';
import { INT64_MAX } from './json.ts';

const value: fc.Arbitrary<CursorValue> = fc.oneof(
  fc.bigInt({ min: -INT64_MAX, max: INT64_MAX }),
  fc.string({ unit: 'grapheme' }).filter((text) => text.isWellFormed() && !text.includes('\0')),
);

describe('cursors', () => {
  test('decoding reverses encoding, whatever the sort values', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme-ascii' }),
        fc.array(value, { minLength: 1, maxLength: 4 }),
        (order, after) => {
          expect(decodeCursor(encodeCursor({ order, after }))).toEqual({ order, after });
        },
      ),
    );
  });

  test('a cursor can be used in a URL unencoded', () => {
    fc.assert(
      fc.property(value, (after) => {
        expect(encodeCursor({ order: 'name-asc', after: [after] })).toMatch(/^[A-Za-z0-9_-]+$/);
      }),
    );
  });

  test('text that is not a cursor is rejected without an exception', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const read = decodeCursor(text);
        if (read) expect(encodeCursor(read).length).toBeGreaterThan(0);
      }),
    );
  });

  const forged = (json: string) => btoa(json).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

  test.each([
    ['nothing', ''],
    ['no base64', '%%%'],
    ['no JSON', forged('hello')],
    ['no list', forged('{"order":"a"}')],
    ['no values', forged('["created_at-desc"]')],
    ['no order', forged('[1,"a"]')],
    ['a number', forged('["created_at-desc",1]')],
    ['a number out of range', forged('["created_at-desc",{"n":"zzzzzzzzzzzzz"}]')],
    ['an invalid number', forged('["created_at-desc",{"n":"-"}]')],
    ['half a surrogate pair', forged('["created_at-desc","\\ud800"]')],
    ['a NUL', forged('["created_at-desc","\\u0000"]')],
    ['bytes that are not UTF-8', forged('["\xff","a"]')],
  ])('%s is rejected', (_, text) => {
    expect(decodeCursor(text)).toBeUndefined();
  });
});
