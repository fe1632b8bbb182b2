import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isStorable } from '../wire/types.ts';
import { collatedName } from './collated-name.ts';

/** Compares keys as the stores do. */
function compare(one: string, other: string): number {
  return Buffer.compare(Buffer.from(collatedName(one)), Buffer.from(collatedName(other)));
}

const sorted = (names: readonly string[]) => names.toSorted(compare);

describe('the order of names', () => {
  test.each([
    ['case does not count', ['b', 'A', 'a2', 'B2', 'Zoo'], ['A', 'a2', 'b', 'B2', 'Zoo']],
    [
      'letters with accents are beside those without',
      ['zoo', 'Éa', 'f', 'ea', 'eb', 'd'],
      ['d', 'ea', 'Éa', 'eb', 'f', 'zoo'],
    ],
    [
      'accents count among names that are equal without',
      ['résumé', 'resume', 'Résume', 'resume 2'],
      ['resume', 'Résume', 'résumé', 'resume 2'],
    ],
    ['composed and decomposed letters are the same', ['A\u0308b', 'äa', 'äc'], ['äa', 'A\u0308b', 'äc']],
    ['letters with a stroke are beside those without', ['Łódź', 'm', 'Lodzer', 'Lo'], ['Lo', 'Łódź', 'Lodzer', 'm']],
    ['ligatures are two letters', ['z', 'Ærø', 'Weiß', 'Weisz', 'Aes'], ['Ærø', 'Aes', 'Weiß', 'Weisz', 'z']],
    ['full width is beside half width', ['Ｂ', 'c', 'a'], ['a', 'Ｂ', 'c']],
    ['й is a letter behind и', ['йод', 'ия', 'ёлка', 'ель', 'Кот'], ['ёлка', 'ель', 'ия', 'йод', 'Кот']],
    ['kana with voiced marks stay letters', ['がく', 'かな', 'き'], ['かな', 'がく', 'き']],
    ['vowel signs of other scripts are letters', ['คี', 'คา', 'ค'], ['ค', 'คา', 'คี']],
  ])('%s', (_, names, expected) => {
    expect(sorted(names)).toEqual(expected);
    expect(sorted(names.toReversed())).toEqual(expected);
  });

  test('is that of a dictionary, among words of letters and digits', () => {
    // The collation of Unicode, of which these letters are in one order whatever the version.
    const dictionary = new Intl.Collator('en', { sensitivity: 'accent' });
    // Without ß, which is two letters here and one that differs from them there.
    const letter = fc.constantFrom(...'aAbBcCéÉeEoOöÖsSuUüÜzZñÑnN 019αΑάΆβΒωΩеЕёЁжЖйЙиИкК');
    const word = fc.string({ unit: letter, maxLength: 6 }).map((text) => text.trim());
    fc.assert(
      fc.property(word, word, (one, other) => {
        expect(Math.sign(compare(one, other))).toBe(Math.sign(dictionary.compare(one, other)));
      }),
      { numRuns: 2000 },
    );
  });

  const name = fc.string({ unit: 'binary', maxLength: 255 }).filter((text) => isStorable(text));

  test('case and composition make no difference', () => {
    for (let code = 1; code < 0x1f000; code++) {
      // Ideographs have neither.
      if (code === 0x3400) code = 0xd7a4;
      const one = String.fromCodePoint(code);
      if (!isStorable(one)) continue;
      const key = collatedName(one);
      for (const same of [one.toUpperCase(), one.toLowerCase(), one.normalize('NFD'), one.normalize('NFC')]) {
        if (collatedName(same) !== key) expect(collatedName(same), code.toString(16)).toBe(key);
      }
    }
  });

  test('a key can be stored and is no longer than the longest name', () => {
    const long = fc
      .constantFrom('é', '\ufdfa', '語é', '\u{1F600}', '\u{1F600}é', 'ΐ', 'a', '\u0001', '"')
      .map((text) => [...text.repeat(255)].slice(0, 255).join(''));
    fc.assert(
      fc.property(fc.oneof(name, long), (text) => {
        const key = collatedName(text);
        expect(isStorable(key)).toBe(true);
        expect(new TextEncoder().encode(key).length).toBeLessThanOrEqual(1020);
        // As a cursor has it.
        expect(new TextEncoder().encode(JSON.stringify(key)).length).toBeLessThan(1100);
        expect(collatedName(key.split('\u0001')[0] ?? '')).toBe(key.split('\u0001')[0]);
      }),
    );
  });

  test('long names are in order to their last letter', () => {
    const ends = ['a', 'É', 'f', 'z'].map((end) => `${'語'.repeat(254)}${end}`);
    expect(sorted(ends.toReversed())).toEqual(ends);
    expect(new Set(ends.map(collatedName)).size).toBe(4);
  });
});
