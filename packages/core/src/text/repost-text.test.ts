import fc from 'fast-check';
import { expect, test } from 'vitest';
import { extractEntities, repostText, weightedLength, weightLimit } from './index.ts';

const name = fc.stringMatching(/^[A-Za-z0-9_]{1,15}$/);
const unit = fc.constantFrom(
  'word ',
  'x',
  '.',
  '漢',
  '👨‍👩‍👧‍👦',
  '🇩🇪',
  'e\u0301',
  '𝒳',
  'a.comb',
  'http://example.com/a/path ',
  '#tag ',
  '@name ',
  '$ABC ',
  '1️⃣',
);
const text = fc.array(unit, { minLength: 1, maxLength: 400 }).map((units) => units.join(''));

test('a post that fits is repeated in full', () => {
  expect(repostText('alice', 'Hello')).toBe('RT @alice: Hello');
});

test('a repost is never too long, begins with the name, and continues with the post', () => {
  fc.assert(
    fc.property(name, text, (screenName, original) => {
      const repost = repostText(screenName, original);
      const lead = `RT @${screenName}: `;
      expect(weightedLength(repost).weighted_length).toBeLessThanOrEqual(weightLimit);
      expect(repost.startsWith(lead)).toBe(true);
      const rest = repost.slice(lead.length);
      if (rest !== original) {
        expect(rest.endsWith('…')).toBe(true);
        expect(original.startsWith(rest.slice(0, -1))).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});

test('a cut falls between whole characters and outside links, mentions and tags', () => {
  fc.assert(
    fc.property(name, text, (screenName, original) => {
      const repost = repostText(screenName, original);
      const lead = `RT @${screenName}: `;
      if (repost === lead + original) return;
      const cut = repost.length - lead.length - 1;
      const boundaries = Array.from(new Intl.Segmenter('en').segment(original), ({ index }) => index);
      expect(boundaries).toContain(cut);
      const point = Array.from(original.slice(0, cut)).length;
      const { urls, mentions, hashtags, cashtags } = extractEntities(original);
      const inside = [...urls, ...mentions, ...hashtags, ...cashtags].filter(
        ({ start, end }) => start < point && point < end,
      );
      expect(inside).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('as much of the post is repeated as fits', () => {
  expect(repostText('alice', 'x'.repeat(300))).toBe(`RT @alice: ${'x'.repeat(267)}…`);
  expect(repostText('alice', '👨‍👩‍👧‍👦'.repeat(140))).toBe(`RT @alice: ${'👨‍👩‍👧‍👦'.repeat(133)}…`);
});

test('a cut that would create a link is moved to an earlier place', () => {
  const words = 'x'.repeat(261);
  expect(repostText('alice', `${words} a.combine the rest`)).toBe(`RT @alice: ${words} a.c…`);
});

test('a hashtag that begins the post and is too long itself is cut', () => {
  expect(repostText('alice', `#${'x'.repeat(279)}`)).toBe(`RT @alice: #${'x'.repeat(266)}…`);
});

test('a link that does not fit is omitted entirely', () => {
  const words = 'x'.repeat(250);
  expect(repostText('alice', `${words} http://example.com/a`)).toBe(`RT @alice: ${words} …`);
});
