import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { termsOf, termsOfQuery } from './terms.ts';

const none = { media_type: 'IMAGE', name: null, title: null, file_name: null, description: null } as const;

/** Returns whether a record with a name is found by a query. */
function finds(name: string, q: string): boolean {
  const held = new Set(termsOf({ ...none, name }));
  const terms = termsOfQuery(q);
  return terms.length > 0 && terms.every((term) => held.has(term));
}

describe('a record', () => {
  test('has its type and each word of its texts once', () => {
    const record = { ...none, name: 'Books, BOOKS', title: 'and films', file_name: 'books_2.png', description: '' };
    expect(termsOf(record)).toEqual(['IMAGE', 'books', 'and', 'films', '2', 'png']);
  });

  test.each([
    ['Straße', 'STRASSE'],
    ['ΟΔΟΣ', 'οδός'.normalize('NFD').replaceAll('\u0301', '')],
    ['Bu\u0308cher', 'BÜCHER'],
    ['ЗИМА 2026', 'зима'],
    ['a.b-c_d', 'c d'],
    ['2026年の秋', '2026'],
    ['2026年の秋', '年の'],
    ['東京都', '東京都'],
    ['東京都', '都'],
    ['สวัสดี', 'สวัส'],
    ['हिन्दी किताब', 'किताब'],
    ['한국어 책', '책'],
    ['🍂 sale', '🍂'],
    ['👩‍👩‍👧', '👧'],
    ['x\u200by', 'y'],
  ])('%s is found by %s', (name, q) => {
    expect(finds(name, q)).toBe(true);
  });

  test.each([
    ['books', 'book'],
    ['book', 'books'],
    ['東京都', '都東'],
    ['東京', '東京都'],
    ['zebra', '!'],
    ['', 'image'],
    ['', 'IMAGE'],
    ['e', '\u0301'],
  ])('%s is not found by %s', (name, q) => {
    expect(finds(name, q)).toBe(false);
  });
});

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(fc.constantFrom('a', 'B', 'ß', 'İ', 'ς', '東', '京', 'の', 'ー', 'ไ', '\u0301', ' ', '_', '7', '🍂'), {
      maxLength: 20,
    })
    .map((some) => some.join('')),
);

test('a text that has a term is found by itself, in any case of letters, and by each of its words', () => {
  fc.assert(
    fc.property(text, (name) => {
      const terms = termsOfQuery(name);
      expect(finds(name, name)).toBe(terms.length > 0);
      if (terms.length > 0) expect(finds(name, name.toUpperCase())).toBe(true);
      for (const word of name.split(/[\s_]+/)) if (termsOfQuery(word).length > 0) expect(finds(name, word)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test('terms are no more than letters, and none is a type', () => {
  fc.assert(
    fc.property(text, (name) => {
      const terms = termsOf({ ...none, name }).slice(1);
      expect(terms.length).toBeLessThanOrEqual(2 * [...name.normalize('NFC')].length * 3);
      expect(terms).not.toContain('IMAGE');
      expect(terms).not.toContain('');
    }),
  );
});
