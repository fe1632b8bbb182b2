import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isValidPost, weightedLength, weightLimit } from './index.ts';

const weigh = (text: string) => weightedLength(text).weighted_length;

describe('weight', () => {
  test.each([
    ['©', 1],
    ['©️', 2],
    ['™', 2],
    ['漢', 2],
    ['…', 2],
    ['“’—', 3],
    ['1', 1],
    ['1️⃣', 2],
    ['1⃣', 2],
    ['🇩🇪', 2],
    ['🇩', 2],
    ['👨‍👩‍👧‍👦', 2],
    ['👁️‍🗨️', 2],
    ['👁‍🗨', 2],
    ['🕵🏽‍♂️', 2],
    ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', 2],
    ['👩🏻‍❤️‍💋‍👩🏼', 2],
    ['😀🏻', 4],
    ['☺︎', 4],
    ['👨‍👨‍👨‍👨', 11],
    ['e\u0301', 1],
    ['\u1112\u1161\u11AB', 2],
    ['example.com/a/long/path/that/weighs/nothing', 23],
  ])('%s weighs %i', (text, weight) => {
    expect(weigh(text)).toBe(weight);
  });

  test('a chain of joined emoji weighs as much as its known parts', () => {
    const chain = Array.from({ length: 200 }, () => '👨').join('\u200D');
    expect(weigh(chain)).toBeGreaterThan(weightLimit);
  });

  test('grows with each word that is added', () => {
    const word = fc.constantFrom('word', '言葉', '👨‍👩‍👧', 'example.com', '#tag', 'e\u0301', '1️⃣', '한글');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.array(word, { minLength: 1, maxLength: 5 }), (text, words) => {
        const weights = words.map((_, index) => weigh([text, ...words.slice(0, index + 1)].join(' ')));
        for (const [index, weight] of weights.entries())
          expect(weight).toBeGreaterThan(weights[index - 1] ?? weigh(text));
      }),
      { numRuns: 500 },
    );
  });

  test('is never within the limit for a text that is truncated for weighing', () => {
    for (const unit of ['e\u0301\u0323', '👨\u200D', 'a.co ', '漢', '\uFB2C']) {
      expect(weightedLength(unit.repeat(100_000))).toMatchObject({ valid: false, fault: 'too_long' });
    }
  });
});

describe('validity', () => {
  test.each([
    ['', 'empty', 0],
    ['x'.repeat(281), 'too_long', 280],
    ['漢'.repeat(141), 'too_long', 140],
    ['ab\uFFFEcd', 'invalid_characters', 2],
    ['ab\uFEFF', 'invalid_characters', 2],
    ['\uFFFF', 'invalid_characters', 0],
    ['ab\uD83D', 'invalid_characters', 2],
    ['\uDE00ab', 'invalid_characters', 0],
  ])('%j is rejected as %s', (text, fault, valid_end) => {
    expect(weightedLength(text)).toMatchObject({ valid: false, fault, valid_end });
    expect(isValidPost(text)).toBe(false);
  });

  test('a text of exactly the limit is valid', () => {
    const text = `${'x'.repeat(256)} http://example.com/${'y'.repeat(1000)}`;
    expect(weightedLength(text)).toEqual({
      weighted_length: 280,
      permillage: 1000,
      valid: true,
      valid_end: Array.from(text).length,
    });
    expect(isValidPost(`${text.slice(0, 1)}${text}`)).toBe(false);
  });

  test('twelve links of the maximum length are a valid post', () => {
    const link = `http://a.co/${'x'.repeat(4084)}`;
    const text = Array.from({ length: 11 }, () => link).join(' ');
    expect(weightedLength(text)).toMatchObject({ weighted_length: 263, valid: true });
  });
});
