import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extractEntities, withoutEntities } from './index.ts';

/** Fragments that entities consist of or are interrupted by. */
const atoms = [
  ...'ab1_-./:@#$＠＃?=&()!,;\'"%+~|[]*<\\ \n',
  ...['é', 'ß', 'я', 'あ', '漢', 'ー', 'א', '٣', '·', '\u0301', '\u200D', '\uFE0F', '\u20E3', '\u202A', '\uFEFF', '…'],
  ...['👍🏽', '👨‍👩‍👧', '🇩🇪', '𠀡', '𝒳', '\uD83D', '\uDE00'],
  ...[
    '.com',
    '.co.jp',
    'みんな',
    '.中国',
    'http://',
    'https://',
    'xn--',
    'xn--ls8h',
    '(x)',
    'RT',
    's.co/',
    '#tag',
    '@name',
    '$ABC',
  ],
];
const text = fc.array(fc.constantFrom(...atoms), { maxLength: 40 }).map((parts) => parts.join(''));
const anyText = fc.oneof(text, fc.string({ unit: 'binary' }));
const options = { shortLinkHost: 's.co' };

function all(of: string) {
  const { urls, mentions, hashtags, cashtags } = extractEntities(of, options);
  return [...urls, ...mentions, ...hashtags, ...cashtags].sort((one, other) => one.start - other.start);
}

function shifted(of: string, by: number) {
  const shift = <E extends { start: number; end: number }>(entities: E[]) =>
    entities.map((entity) => ({ ...entity, start: entity.start + by, end: entity.end + by }));
  const { urls, mentions, hashtags, cashtags } = extractEntities(of, options);
  return { urls: shift(urls), mentions: shift(mentions), hashtags: shift(hashtags), cashtags: shift(cashtags) };
}

describe('offsets', () => {
  test('delimit, in code points, exactly the text that was found', () => {
    fc.assert(
      fc.property(anyText, (of) => {
        const points = Array.from(of);
        const cut = ({ start, end }: { start: number; end: number }) => points.slice(start, end).join('');
        const { urls, mentions, hashtags, cashtags } = extractEntities(of, options);
        for (const url of urls) expect(cut(url)).toBe(url.url);
        for (const mention of mentions) expect(cut(mention).replace(/^[@＠]/, '')).toBe(mention.username);
        for (const hashtag of hashtags) expect(cut(hashtag).replace(/^[#＃]/, '')).toBe(hashtag.tag);
        for (const cashtag of cashtags) expect(cut(cashtag)).toBe(`$${cashtag.tag}`);
      }),
      { numRuns: 2000 },
    );
  });

  test('ascend and never overlap', () => {
    fc.assert(
      fc.property(anyText, (of) => {
        let end = 0;
        for (const entity of all(of)) {
          expect(entity.start).toBeGreaterThanOrEqual(end);
          expect(entity.end).toBeGreaterThan(entity.start);
          end = entity.end;
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('shift with the words before a text, and are unaffected by words after it', () => {
    const word = fc.constantFrom('plain ', 'слово ', '言葉 ', '👨‍👩‍👧 ', 'e\u0301 ', '𝒳𝒴 ');
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 4 }),
        fc.array(fc.constantFrom(...atoms), { maxLength: 40 }),
        (words, parts) => {
          const of = ` ${parts.join('')}`.toWellFormed();
          const before = words.join('');
          expect(extractEntities(before + of, options)).toEqual(shifted(of, Array.from(before).length));
          expect(extractEntities(`${of} ${before}`, options)).toEqual(extractEntities(of, options));
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('links', () => {
  test.each([
    ['example.com', 'http://example.com', 'example.com'],
    ['HTTPS://www.Example.com/', 'HTTPS://www.Example.com/', 'Example.com'],
    ['http://example.com/path?q=1', 'http://example.com/path?q=1', 'example.com/path?q=1'],
    ['http://example.com/123456789012345', 'http://example.com/123456789012345', 'example.com/12345678901234…'],
    ['http://example.com/12345678901234', 'http://example.com/12345678901234', 'example.com/12345678901234'],
    ['https://foobar.みんな/пример_пути_х', 'https://foobar.みんな/пример_пути_х', 'foobar.みんな/пример_пути_х'],
  ])('%s expands and is shown', (url, expanded_url, display_url) => {
    expect(extractEntities(url).urls).toEqual([{ start: 0, end: url.length, url, expanded_url, display_url }]);
  });

  test('the rule for short links applies to the given host only, and nowhere without one', () => {
    const text = 'http://s.co/abc-d';
    expect(extractEntities(text, options).urls[0]?.url).toBe('http://s.co/abc');
    expect(extractEntities(text).urls[0]?.url).toBe(text);
    expect(extractEntities('http://x.co/abc-d', options).urls[0]?.url).toBe('http://x.co/abc-d');
  });

  test('a link may have 4,096 characters and no more', () => {
    const link = (length: number) => `http://a.co/${'x'.repeat(length - 12)}`;
    expect(extractEntities(link(4096)).urls).toHaveLength(1);
    expect(extractEntities(link(4097)).urls).toHaveLength(0);
  });

  test('a label may have 63 characters in its ASCII form', () => {
    expect(extractEntities(`http://${'a'.repeat(63)}.com`).urls).toHaveLength(1);
    expect(extractEntities(`http://${'a'.repeat(64)}.com`).urls).toHaveLength(0);
    expect(extractEntities(`http://${'漢'.repeat(57)}.com`).urls).toHaveLength(1);
    expect(extractEntities(`http://${'漢'.repeat(58)}.com`).urls).toHaveLength(0);
  });
});

describe('the context of entities', () => {
  test.each([
    ['http://a.co/b.(x)', ['http://a.co/b']],
    ['http://a.co/b(x).', ['http://a.co/b(x)']],
    ['http://a.co/b,(x)c', ['http://a.co/b,(x)c']],
    ['http://a.co/()', ['http://a.co/']],
    ['a.b..co x..co', []],
    ['foo.http://a.co', ['http://a.co']],
  ])('links of %s', (of, expected) => {
    expect(extractEntities(of).urls.map(({ url }) => url)).toEqual(expected);
  });

  test.each([
    ['@name/list-@other', []],
    ['rt@a', ['a']],
    ['art@a', []],
    ['-rt@a', []],
    ['(rt@a', ['a']],
  ])('mentions of %s', (of, expected) => {
    expect(extractEntities(of).mentions.map(({ username }) => username)).toEqual(expected);
  });

  test.each([
    ['𠀡#tag', []],
    ['😀#tag', ['tag']],
    ['𝟙#tag', []],
    ['&#tag', []],
    ['#a#b #c', ['c']],
  ])('hashtags of %s', (of, expected) => {
    expect(extractEntities(of).hashtags.map(({ tag }) => tag)).toEqual(expected);
  });
});

describe('names and tags', () => {
  test('a name has at most 15 characters', () => {
    expect(extractEntities('@abcdefghijklmno').mentions).toEqual([{ start: 0, end: 16, username: 'abcdefghijklmno' }]);
    expect(extractEntities('@abcdefghijklmnop').mentions).toEqual([]);
  });

  test('full-width signs begin mentions and hashtags', () => {
    expect(extractEntities('＠name ＃タグ')).toMatchObject({
      mentions: [{ start: 0, end: 5, username: 'name' }],
      hashtags: [{ start: 6, end: 9, tag: 'タグ' }],
    });
  });

  test.each(['#️⃣', '#⃣', '1️⃣ #️⃣1', 'me@example.com'])('%s contains neither mention nor hashtag', (of) => {
    expect(extractEntities(of)).toMatchObject({ mentions: [], hashtags: [] });
  });

  test('astral characters and sequences count as their code points', () => {
    expect(extractEntities('👨‍👩‍👧 #𠀡 @b 𝒳 $AB.C').hashtags).toEqual([{ start: 6, end: 8, tag: '𠀡' }]);
    expect(extractEntities('👨‍👩‍👧 #𠀡 @b 𝒳 $AB.C').mentions).toEqual([{ start: 9, end: 11, username: 'b' }]);
    expect(extractEntities('👨‍👩‍👧 #𠀡 @b 𝒳 $AB.C').cashtags).toEqual([{ start: 14, end: 19, tag: 'AB.C' }]);
  });

  test('words are the rest without entities', () => {
    expect(withoutEntities('Hi @name, see example.com #now $ABC').trim()).toBe('Hi  , see');
  });
});
