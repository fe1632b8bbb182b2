import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractEntities } from '../../text/entities.ts';
import { weightedLength } from '../../text/weighted-length.ts';
import { compatText, formatTimeV1, fullText, type MentionedUser, type PostText, type TextV1 } from './text-v1.ts';

const permalink = {
  url: 'http://api.test/s/p0b3o8ifnje7uu',
  expanded_url: 'http://api.test/anna/status/1',
  display_url: 'api.test/s/p0b3o8ifnje7…',
};

const piece = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 10 }),
  fc.constantFrom(
    '@anna',
    '@ben_2',
    '#autumn',
    '#日本',
    '$ACME',
    'https://books.example.com/höst/a?x=1',
    '👩‍👩‍👧',
    'e\u0301',
    '…',
  ),
  fc.constantFrom('a'.repeat(130), 'word '.repeat(20)),
);
const texts = fc
  .array(piece, { maxLength: 12 })
  .map((pieces) => pieces.join(' ').normalize('NFC'))
  .filter((text) => weightedLength(text).fault !== 'too_long' && weightedLength(text).fault !== 'invalid_characters');

/** A text as it is stored: everybody who is mentioned exists. */
function stored(text: string, withMedia: boolean): { post: PostText; people: Map<string, MentionedUser> } {
  const { mentions, ...others } = extractEntities(text);
  const named = mentions.map((mention, index) => ({ ...mention, id: `${index + 1}` }));
  const people = named.map(({ id, username }) => [id, { id, name: 'Somebody', screen_name: username }] as const);
  const post = { text, entities: { ...others, mentions: named }, mediaLink: withMedia ? permalink : undefined };
  return { post, people: new Map(people) };
}

/** Returns the texts that the entities of a text say stand at their indices, and those that do. */
function cuts({ text, entities, media_indices }: TextV1, withMedia: boolean): [said: string, cut: string][] {
  const points = Array.from(text);
  const cut = ([start, end]: readonly [number, number]) => points.slice(start, end).join('');
  return [
    ...entities.hashtags.map((tag): [string, string] => [tag.text, cut(tag.indices).slice(1)]),
    ...entities.symbols.map((tag): [string, string] => [tag.text, cut(tag.indices).slice(1)]),
    ...entities.user_mentions.map((one): [string, string] => [one.screen_name, cut(one.indices).slice(1)]),
    ...entities.urls.map((url): [string, string] => [url.url, cut(url.indices)]),
    ...(withMedia ? [[permalink.url, cut(media_indices)] as [string, string]] : []),
  ];
}

describe('the text of a post in version 1.1', () => {
  it('has entities whose indices cut them out of it, whole or cut to 140 characters', () => {
    fc.assert(
      fc.property(texts, fc.boolean(), (text, withMedia) => {
        const { post, people } = stored(text, withMedia);
        for (const shown of [fullText(post, people), compatText(post, people, permalink)]) {
          for (const [said, cut] of cuts(shown, withMedia)) expect(cut).toBe(said);
        }
      }),
    );
  });

  it('is whole with its range, or has up to 140 characters', () => {
    fc.assert(
      fc.property(texts, fc.boolean(), (text, withMedia) => {
        const { post, people } = stored(text, withMedia);
        const whole = fullText(post, people);
        const [start, end] = whole.display_text_range;
        expect(Array.from(whole.text).slice(start, end).join('')).toBe(text);
        const compat = compatText(post, people, permalink);
        expect(Array.from(compat.text).length).toBeLessThanOrEqual(140);
        expect(compat.truncated).toBe(Array.from(whole.text).length > 140);
        if (!compat.truncated) expect(compat).toEqual(whole);
        else expect(compat.text.endsWith(`… ${permalink.url}`)).toBe(true);
      }),
    );
  });

  it('is not cut within a link, and then has the link to the post', () => {
    const link = 'https://books.example.com/autumn';
    const { post, people } = stored(`${'a'.repeat(90)} ${link} ${'b'.repeat(60)}`, false);
    const cut = compatText(post, people, permalink);
    expect(cut.text).toBe(`${'a'.repeat(90)}… ${permalink.url}`);
    expect(cut.entities.urls).toEqual([{ ...permalink, indices: [92, 92 + permalink.url.length] }]);
  });

  it('has no mention of nobody', () => {
    const { post } = stored('Hello @anna', false);
    expect(fullText(post, new Map()).entities.user_mentions).toEqual([]);
  });
});

it.each([
  [Date.UTC(2019, 7, 27, 22, 22, 12), 'Tue Aug 27 22:22:12 +0000 2019'],
  [Date.UTC(2026, 0, 1), 'Thu Jan 01 00:00:00 +0000 2026'],
])('a time: %i', (ms, expected) => {
  expect(formatTimeV1(ms)).toBe(expected);
});
