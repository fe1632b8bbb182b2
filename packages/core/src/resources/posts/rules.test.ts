import { describe, expect, it } from 'vitest';
import type { MediaKind } from '../media/categories.ts';
import {
  checkCardOrMedia,
  checkMediaMix,
  checkPosting,
  checkPostText,
  checkVideo,
  type PostContent,
  type Posting,
  type VideoTexts,
} from './rules.ts';

const brief = (issues: readonly { readonly error: string; readonly parameter?: string }[]) =>
  issues.map(({ error, parameter }) => `${error} ${parameter}`);

describe('posting in the name of a user', () => {
  const caller = { user_id: '1', permissions: ['AD_MANAGER'] as const };
  const composer = { user_id: '1', permissions: ['CREATIVE_MANAGER', 'POST_COMPOSER'] as const };
  const full = { as_user_id: '10', promotable_user_type: 'FULL', nullcast: true } as const;

  it.each<[string, Posting, readonly string[]]>([
    ['as the FULL user', { ...full, caller: { ...caller, user_id: '10' } }, []],
    ['as the FULL user in public', { ...full, caller: { ...caller, user_id: '10' }, nullcast: false }, []],
    ['with POST_COMPOSER', { ...full, caller: composer }, []],
    ['without POST_COMPOSER', { ...full, caller }, ['ACTION_NOT_ALLOWED as_user_id']],
    ['in public with POST_COMPOSER', { ...full, caller: composer, nullcast: false }, ['ACTION_NOT_ALLOWED nullcast']],
    [
      'as oneself, whose posts are reposted',
      { ...full, caller, as_user_id: '1', promotable_user_type: 'REPOSTS_ONLY', nullcast: false },
      [],
    ],
    [
      'as another whose posts are reposted, with POST_COMPOSER',
      { ...full, caller: composer, promotable_user_type: 'REPOSTS_ONLY' },
      ['ACTION_NOT_ALLOWED as_user_id'],
    ],
    [
      'as oneself, who is not promotable',
      { ...full, caller, as_user_id: '1', promotable_user_type: undefined },
      ['INVALID_USER_ID as_user_id'],
    ],
    ['as the operator in public', { ...full, caller: null, nullcast: false }, []],
    [
      'as the operator for somebody else',
      { ...full, caller: null, promotable_user_type: undefined },
      ['INVALID_USER_ID as_user_id'],
    ],
  ])('%s', (_title, posting, expected) => {
    expect(brief(checkPosting(posting))).toEqual(expected);
  });
});

describe('the text of a post', () => {
  const media_keys = ['3_1'];
  it.each<[string, PostContent, readonly string[]]>([
    ['says something', { text: 'Hello' }, []],
    ['is missing', {}, ['MISSING_PARAMETER text']],
    ['is missing beside a card', { card_uri: 'card://1' }, ['MISSING_PARAMETER text']],
    ['is missing beside media', { media_keys }, []],
    ['is blank', { text: ' \n' }, ['POST_CANNOT_BE_BLANK text']],
    ['is blank beside media', { text: '', media_keys }, []],
    ['is as long as it may be', { text: 'a'.repeat(280) }, []],
    ['is too long', { text: 'a'.repeat(281) }, ['INVALID_POST text']],
    ['is too long beside media', { text: 'a'.repeat(281), media_keys }, ['INVALID_POST text']],
    ['is too long in weight', { text: '書'.repeat(141) }, ['INVALID_POST text']],
    ['is as long as its links may be', { text: `${'a'.repeat(256)} https://example.com/${'b'.repeat(200)}` }, []],
    ['has half a surrogate pair', { text: 'a\ud83d' }, ['INVALID_POST text']],
    ['has what cannot be stored', { text: 'a\0' }, ['INVALID_POST text']],
    ['has a noncharacter', { text: 'a\ufffe' }, ['INVALID_POST text']],
  ])('%s', (_title, content, expected) => {
    expect(brief(checkPostText(content))).toEqual(expected);
  });
});

it('a post shows a card or media', () => {
  expect(checkCardOrMedia({ card_uri: 'card://1' })).toEqual([]);
  expect(checkCardOrMedia({ card_uri: 'card://1', media_keys: [] })).toEqual([]);
  expect(checkCardOrMedia({ media_keys: ['3_1'] })).toEqual([]);
  expect(brief(checkCardOrMedia({ card_uri: 'card://1', media_keys: ['3_1'] }))).toEqual([
    'EXCLUSIVE_PARAMETERS card_uri',
  ]);
});

describe('the media of a post', () => {
  it.each<[readonly MediaKind[], boolean]>([
    [[], true],
    [['photo'], true],
    [['photo', 'photo', 'photo', 'photo'], true],
    [['photo', 'photo', 'photo', 'photo', 'photo'], false],
    [['animated_gif'], true],
    [['animated_gif', 'animated_gif'], false],
    [['video'], true],
    [['video', 'video'], false],
    [['photo', 'video'], false],
    [['animated_gif', 'photo'], false],
    [['video', 'animated_gif'], false],
  ])('%j: %s', (kinds, fits) => {
    expect(brief(checkMediaMix(kinds))).toEqual(fits ? [] : ['INVALID_MEDIA media_keys']);
  });
});

describe('the texts of a video', () => {
  const call = { video_cta: 'VISIT_SITE', video_cta_value: 'https://books.example.com/autumn?x=1#y' } as const;
  it.each<[string, VideoTexts, readonly MediaKind[], readonly string[]]>([
    ['none', {}, [], []],
    ['all', { ...call, video_title: 'Autumn', video_description: 'Reading' }, ['video'], []],
    ['a title', { video_title: 'Autumn' }, ['video'], []],
    ['a call without its address', { video_cta: 'WATCH_NOW' }, ['video'], ['INCLUSIVE_PARAMETERS video_cta_value']],
    [
      'an address without its call',
      { video_cta_value: call.video_cta_value },
      ['video'],
      ['INCLUSIVE_PARAMETERS video_cta'],
    ],
    ['a script', { ...call, video_cta_value: 'javascript:alert(1)' }, ['video'], ['INVALID_PARAMETER video_cta_value']],
    ['no host', { ...call, video_cta_value: 'https://' }, ['video'], ['INVALID_PARAMETER video_cta_value']],
    [
      'a host with a name',
      { ...call, video_cta_value: 'https://a@b.example' },
      ['video'],
      ['INVALID_PARAMETER video_cta_value'],
    ],
    [
      'markup',
      { ...call, video_cta_value: 'https://b.example/"><b>' },
      ['video'],
      ['INVALID_PARAMETER video_cta_value'],
    ],
    ['an address of a port', { ...call, video_cta_value: 'http://[::1]:8080/x' }, ['video'], []],
    ['a title of a picture', { video_title: 'Autumn' }, ['photo'], ['INVALID_PARAMETER video_title']],
    [
      'a description of a GIF',
      { video_description: 'Autumn' },
      ['animated_gif'],
      ['INVALID_PARAMETER video_description'],
    ],
    ['a call without media', call, [], ['INVALID_PARAMETER video_cta', 'INVALID_PARAMETER video_cta_value']],
  ])('%s', (_title, texts, kinds, expected) => {
    expect(brief(checkVideo(texts, kinds))).toEqual(expected);
  });
});
