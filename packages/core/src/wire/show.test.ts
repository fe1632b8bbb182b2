import { costRatio } from '@broadside/cost-ratio';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { repeated, show } from './show.ts';

describe('values in messages', () => {
  test('as JSON, cut to a hundred characters', () => {
    const shown: readonly (readonly [value: unknown, text: string])[] = [
      ['text', '"text"'],
      ['', '""'],
      [12n, '12'],
      [1.5, '1.5'],
      [null, 'null'],
      [undefined, 'nothing'],
      [{ a: [1n, 'x', undefined], b: undefined }, '{"a":[1,"x",null]}'],
      ['x'.repeat(200), `"${'x'.repeat(96)}...`],
    ];
    for (const [value, text] of shown) expect(show(value)).toBe(text);
  });

  test('a short value is shown as its JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        const written = JSON.stringify(value);
        fc.pre(written.length <= 100);
        expect(show(value)).toBe(written);
      }),
    );
  });

  test('half of a surrogate pair never remains where a text is cut', () => {
    for (const text of [`${'a'.repeat(999)}\u{1f600}`, '\u{1f600}'.repeat(1000), `a${'\u{1f600}'.repeat(1000)}`]) {
      expect(String(repeated(text)).isWellFormed()).toBe(true);
    }
  });

  test('an error repeats values up to a thousand characters, and the beginnings of longer texts', () => {
    expect(repeated('x'.repeat(1000))).toBe('x'.repeat(1000));
    expect(repeated('x'.repeat(1001))).toBe(`${'x'.repeat(1000)}...`);
    expect(repeated([1, 'a'])).toEqual([1, 'a']);
    expect(repeated(Array(1000).fill('a'))).toBeUndefined();
    expect(repeated({ a: 'x'.repeat(2000) })).toBeUndefined();
    expect(repeated(2n ** 63n)).toBe(2n ** 63n);
    expect(repeated(10n ** 100n)).toBeUndefined();
  });

  const values: Readonly<Record<string, (size: number) => unknown>> = {
    'a text': (size) => 'x'.repeat(size),
    'an array': (size) => Array(size).fill('x'),
    'an array of nothing': (size) => Array(size).fill([]),
    'a whole number': (size) => 10n ** BigInt(Math.floor(size / 10)),
  };
  test.each(Object.entries(values))('the time that %s takes does not depend on its size', async (_name, value) => {
    const [small, large] = [value(2_000), value(100_000)];
    const many = (each: unknown) => () => {
      for (let run = 0; run < 20; run++) {
        show(each);
        repeated(each);
      }
    };
    expect(await costRatio(many(large), many(small), 12)).toBeLessThan(12);
  });
});
