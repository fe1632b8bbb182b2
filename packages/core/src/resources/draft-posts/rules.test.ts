import { describe, expect, it } from 'vitest';
import type { ContentChanges, ContentOfNew } from './params.ts';
import { type Content, changeContent, checkContent, checkContentOfNew, resolveContent } from './rules.ts';

const whole: Content = {
  text: 'Autumn',
  card_uri: null,
  media_keys: ['3_1', '3_2'],
  nullcast: true,
  name: 'First idea',
};

it('a new post has what was given, and nothing of the rest', () => {
  expect(resolveContent({ nullcast: true })).toEqual({
    text: '',
    card_uri: null,
    media_keys: [],
    nullcast: true,
    name: null,
  });
  const given = { text: 'Autumn', card_uri: 'card://1', media_keys: ['3_1'], nullcast: false, name: 'Idea' };
  expect(resolveContent(given)).toEqual(given);
});

describe('a change', () => {
  it.each<[string, ContentChanges, Partial<Content>]>([
    ['of nothing', {}, {}],
    [
      'of everything',
      { text: 'Winter', nullcast: false, name: 'Second', media_keys: ['7_1'] },
      {
        text: 'Winter',
        nullcast: false,
        name: 'Second',
        media_keys: ['7_1'],
      },
    ],
    ['removes media', { media_keys: null }, { media_keys: [] }],
    ['removes the name', { name: null }, { name: null }],
    ['empties the text', { text: null }, { text: '' }],
    ['gives a card for media', { media_keys: null, card_uri: 'card://1' }, { media_keys: [], card_uri: 'card://1' }],
  ])('%s leaves the rest as it was', (_title, changes, expected) => {
    expect(changeContent(whole, changes)).toEqual({ ...whole, ...expected });
  });

  it('removes a card', () => {
    expect(changeContent({ ...whole, card_uri: 'card://1' }, { card_uri: null })).toEqual(whole);
  });
});

const errorsOf = (issues: readonly { error: string; parameter?: string }[]) =>
  issues.map(({ error, parameter }) => `${error} ${parameter}`);

describe('a new post', () => {
  it.each<[string, Omit<ContentOfNew, 'nullcast'>, string[]]>([
    ['says something', { text: 'Autumn' }, []],
    ['shows something', { media_keys: ['3_1'] }, []],
    ['says nothing and shows nothing', {}, ['MISSING_PARAMETER text']],
    ['shows a card and says nothing', { card_uri: 'card://1' }, ['MISSING_PARAMETER text']],
    ['is blank', { text: ' ' }, ['POST_CANNOT_BE_BLANK text']],
    ['is as long as it may be', { text: 'a'.repeat(280) }, []],
    ['is too long', { text: 'a'.repeat(281) }, ['INVALID_POST text']],
    [
      'shows a card and media',
      { text: 'a', card_uri: 'card://1', media_keys: ['3_1'] },
      ['EXCLUSIVE_PARAMETERS card_uri'],
    ],
  ])('%s', (_title, content, expected) => {
    expect(errorsOf(checkContentOfNew({ ...content, nullcast: true }))).toEqual(expected);
  });
});

describe('the result of a change', () => {
  it.each<[string, Partial<Content>, string[]]>([
    ['says and shows something', {}, []],
    ['shows something', { text: '' }, []],
    ['says something', { media_keys: [] }, []],
    ['says nothing and shows nothing', { text: '', media_keys: [] }, ['POST_CANNOT_BE_BLANK text']],
    ['shows a card and media', { card_uri: 'card://1' }, ['EXCLUSIVE_PARAMETERS card_uri']],
  ])('%s', (_title, content, expected) => {
    expect(errorsOf(checkContent({ ...whole, ...content }))).toEqual(expected);
  });
});
