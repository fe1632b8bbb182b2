import { describe, expect, it } from 'vitest';
import type { Conversation } from './entity.ts';
import { changeConversation, checkConversation, resolveConversation } from './rules.ts';

const least: Conversation = resolveConversation({
  name: 'Autumn',
  title: 'Choose',
  first_cta: '#one',
  first_cta_post: 'The first #one',
  thank_you_text: 'Thank you',
});

function issues(card: Partial<Conversation>): string[] {
  return checkConversation({ ...least, ...card }).map(({ error, parameter }) => `${error} ${parameter}`);
}

const twenty = 'a'.repeat(20);
const second = { second_cta: '#two', second_cta_post: 'The second' };

describe('what a conversation card says', () => {
  it.each<[string, Partial<Conversation>]>([
    ['a title and one call to action', {}],
    ['two calls to action and no title', { title: null, ...second }],
    ['both', second],
    ['all four', { ...second, third_cta: '#three', third_cta_post: 'c', fourth_cta: '#four', fourth_cta_post: 'd' }],
    ['a fourth call to action without a second and a third', { fourth_cta: '#four', fourth_cta_post: 'd' }],
    ['20 characters after the #', { first_cta: `#${twenty}` }],
    ['letters of any script, and beyond 16 bits', { first_cta: `#${'書'.repeat(20)}` }],
    ['a # of full width', { first_cta: '＃読書' }],
    ['later calls to action that are no hashtags', { second_cta: 'Read it now, please!', second_cta_post: 'b' }],
    ['20 characters after the # of a later one', { third_cta: `#${twenty}`, third_cta_post: 'c' }],
    ['a text of 280', { first_cta_post: 'a'.repeat(280) }],
    ['a link that counts 23', { first_cta_post: `${'a'.repeat(256)} https://example.com/${'b'.repeat(100)}` }],
  ])('is accepted: %s', (_title, card) => {
    expect(issues(card)).toEqual([]);
  });

  it.each<[string, Partial<Conversation>, string[]]>([
    ['neither a title nor a second call to action', { title: null }, ['MISSING_PARAMETER title']],
    [
      'a third call to action instead',
      { title: null, third_cta: '#three', third_cta_post: 'c' },
      ['MISSING_PARAMETER title'],
    ],
    ['a second one without its text', { second_cta: '#two' }, ['MISSING_PARAMETER second_cta_post']],
    ['a third one without its text', { third_cta: '#three' }, ['MISSING_PARAMETER third_cta_post']],
    ['a fourth one without its text', { fourth_cta: '#four' }, ['MISSING_PARAMETER fourth_cta_post']],
    ['a text without the second', { second_cta_post: 'b' }, ['INCLUSIVE_PARAMETERS second_cta_post']],
    ['a text without the third', { third_cta_post: 'b' }, ['INCLUSIVE_PARAMETERS third_cta_post']],
    ['a text without the fourth', { fourth_cta_post: 'b' }, ['INCLUSIVE_PARAMETERS fourth_cta_post']],
    ['a first one without a #', { first_cta: 'one' }, ['INVALID_PARAMETER first_cta']],
    ['a # alone', { first_cta: '#' }, ['INVALID_PARAMETER first_cta']],
    ['digits only', { first_cta: '#2026' }, ['INVALID_PARAMETER first_cta']],
    ['two words', { first_cta: '#one two' }, ['INVALID_PARAMETER first_cta']],
    ['two hashtags', { first_cta: '#one#two' }, ['INVALID_PARAMETER first_cta']],
    ['21 characters after the #', { first_cta: `#${twenty}b` }, ['INVALID_PARAMETER first_cta']],
    ['21 characters without #', { ...second, second_cta: `${twenty}b` }, ['INVALID_PARAMETER second_cta']],
    [
      '21 characters after the # of a third',
      { third_cta: `#${twenty}b`, third_cta_post: 'c' },
      ['INVALID_PARAMETER third_cta'],
    ],
    ['21 characters of a fourth', { fourth_cta: `${twenty}b`, fourth_cta_post: 'c' }, ['INVALID_PARAMETER fourth_cta']],
    ['a # with something that is no tag', { ...second, second_cta: '# two' }, ['INVALID_PARAMETER second_cta']],
    ['blanks', { ...second, second_cta: '   ' }, ['INVALID_PARAMETER second_cta']],
    ['a text of 281', { first_cta_post: 'a'.repeat(281) }, ['INVALID_PARAMETER first_cta_post']],
    ['a text of 141 letters that count 2', { first_cta_post: '書'.repeat(141) }, ['INVALID_PARAMETER first_cta_post']],
    ['a blank text', { first_cta_post: ' \n ' }, ['INVALID_PARAMETER first_cta_post']],
    ['noncharacters', { first_cta_post: 'a\ufffe' }, ['INVALID_PARAMETER first_cta_post']],
    [
      'several at once',
      { title: null, first_cta: 'one', third_cta: '#three' },
      ['MISSING_PARAMETER title', 'INVALID_PARAMETER first_cta', 'MISSING_PARAMETER third_cta_post'],
    ],
  ])('is rejected: %s', (_title, card, expected) => {
    expect(issues(card)).toEqual(expected);
  });

  it('says how long a text is that is too long', () => {
    const [issue] = checkConversation({ ...least, first_cta_post: 'a'.repeat(300) });
    expect(issue?.message).toContain('got one of 300');
  });
});

describe('a change of what it says', () => {
  const full: Conversation = { ...least, thank_you_url: 'https://example.com', ...second };

  it('leaves alone what is not given', () => {
    expect(changeConversation(full, {})).toEqual(full);
  });

  it('replaces what is given', () => {
    const changes = { name: 'Winter', first_cta: '#winter', thank_you_text: 'Thanks', title: 'Pick' };
    expect(changeConversation(full, changes)).toEqual({ ...full, ...changes });
  });

  it('removes what a card can do without, and the text with its call to action', () => {
    expect(changeConversation(full, { second_cta: null })).toEqual({
      ...full,
      second_cta: null,
      second_cta_post: null,
    });
    expect(changeConversation(full, { title: null, thank_you_url: null })).toEqual({
      ...full,
      title: null,
      thank_you_url: null,
    });
  });

  it('keeps a text that is given with the removal, for the rules to reject', () => {
    const after = changeConversation(full, { second_cta: null, second_cta_post: 'more' });
    expect(checkConversation(after)).toMatchObject([{ error: 'INCLUSIVE_PARAMETERS', parameter: 'second_cta_post' }]);
  });

  it('keeps the text of a call to action that changes', () => {
    expect(changeConversation(full, { second_cta: '#other' })).toMatchObject({ second_cta_post: 'The second' });
  });
});
