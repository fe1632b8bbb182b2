import { costRatio } from '@broadside/cost-ratio';
import { describe, expect, test } from 'vitest';
import { findCashtags } from './cashtags.ts';
import { findHashtags } from './hashtags.ts';
import { extractEntities, repostText, weightedLength, withoutEntities } from './index.ts';
import { findMentions } from './mentions.ts';
import { findUrls } from './urls.ts';

/** Units that are repeated to make texts that are costly for a naive parser. */
const units: Record<string, string> = {
  signs: '@#$',
  'endless hashtags': '#a',
  'short mentions': '@a ',
  'short hashtags': '#a ',
  'symbols with a dot': '$A.',
  labels: 'a.',
  dots: '.',
  'labels with dashes': 'a.-',
  'labels with underscores': '_a.',
  'schemes only': 'http://',
  'schemes with a label': 'http://a.',
  parentheses: '((((',
  'paths with parentheses': 'a.co/(a(',
  'paths of dots': 'a.co/.....',
  'endless queries': 'a.co?!!!',
  links: 'a.co ',
  'combining marks': '\u0301\u0323',
  'chains of joined emoji': '👨\u200D',
  emoji: '😀',
  'half pairs': '\uD800',
  'text from right to left': '\u202Eא',
  'near misses of a domain': 'みんあ.',
  'long near misses of a domain': 'a.vermögensberatunf.',
  'labels of Chinese': '漢.',
  'long labels of Chinese': `${Array.from({ length: 60 }, (_, index) => String.fromCharCode(0x4e00 + index * 97)).join('')}.com `,
  'links within Japanese text': 'a.comあ',
  'encoded labels': 'xn--a.',
  digits: '1',
  'hashtags of digits': `#${'1'.repeat(1000)}`,
  'marks of a repost': 'RT@a',
  keycaps: '1\u20E3',
  mixed: '@#$a.co/(あ',
};
const readers = {
  links: findUrls,
  mentions: findMentions,
  hashtags: findHashtags,
  cashtags: findCashtags,
  entities: extractEntities,
  weight: weightedLength,
  repost: (text: string) => repostText('name', text),
  words: withoutEntities,
};
const mebibyte = 1 << 20;

/** Length of a costly text is; a short one has a sixteenth of it. */
const LONG = mebibyte / (process.env['BROADSIDE_TEST_LONG'] === undefined ? 16 : 4);

function textOf(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

describe.each(Object.entries(units))('a text of %s', (_, unit) => {
  test.each(Object.entries(readers))('%s: the time is linear in the length, not quadratic', async (_name, read) => {
    const short = textOf(unit, LONG / 16);
    const long = textOf(unit, LONG);
    read(short);
    // 16 times the length: 256 times the time if it were quadratic.
    const ratio = await costRatio(
      () => read(long),
      () => read(short),
      100,
    );
    expect(ratio).toBeLessThan(100);
  });
});

/** The operations of a server on a text from a client. */
const reachable = {
  entities: extractEntities,
  'entities beside short links': (text: string) => extractEntities(text, { shortLinkHost: 's.example.com' }),
  weight: weightedLength,
  repost: (text: string) => repostText('name', text),
  words: withoutEntities,
};
const more: Record<string, string> = {
  ...units,
  'short links': `https://s.example.com/${'a'.repeat(41)} `,
  'links with ports': 'a.co:1',
  'list names': '@a/b',
  'Cyrillic hosts': 'http://а.рф/',
  'flags of regions': '🏴\u{E0067}\u{E0062}\u{E007F}',
  'Korean in pieces': '\u1100\u1161',
  'empty labels': 'a..',
};

test.each(Object.entries(reachable))(
  '%s: a long text takes no more than 5 times as long as links of that length',
  async (_, read) => {
    const links = textOf('a.co ', LONG);
    for (const [name, unit] of Object.entries(more)) {
      const text = textOf(unit, LONG);
      const ratio = await costRatio(
        () => read(text),
        () => read(links),
        5,
      );
      expect(ratio, name).toBeLessThan(5);
    }
  },
);
