import { describe, expect, it } from 'vitest';
import type { LineItem } from '../line-items/entity.ts';
import {
  checkPromotedPosts,
  mustBeReposted,
  type PromotablePost,
  type PromotedCard,
  placementsWithPost,
  promotedCard,
} from './rules.ts';

const authors = { full: '10', reposts_only: new Set(['20']) };

const post = (fields: Partial<PromotablePost> = {}): PromotablePost => {
  const author_id = fields.author_id ?? '10';
  return {
    id: 1n,
    original_author_id: author_id,
    protected: false,
    taken_down: false,
    links: [],
    media: [],
    card: null,
    ...fields,
    author_id,
  };
};

const lineItem = (fields: Partial<LineItem> = {}) => ({
  id: 'bw2rq',
  objective: 'ENGAGEMENTS' as const,
  product_type: 'PROMOTED_POSTS' as const,
  android_app_store_identifier: null,
  ios_app_store_identifier: null,
  ...fields,
});

function errors(one: Partial<PromotablePost>, on: Partial<LineItem> = {}): string[] {
  const issues = checkPromotedPosts([1n], new Map([[1n, post(one)]]), lineItem(on), authors);
  return issues.map(({ error, parameter, value }) => `${error} ${parameter} ${value}`);
}

const rejected = ['INVALID_POST post_ids 1'];

describe('a post can be promoted', () => {
  it.each<[string, Partial<PromotablePost>, readonly string[]]>([
    ['of the FULL user', {}, []],
    ['of a REPOSTS_ONLY user', { author_id: '20' }, []],
    ['of anybody else', { author_id: '30' }, rejected],
    ['a repost by the FULL user of a REPOSTS_ONLY one', { original_author_id: '20' }, []],
    ['a repost by the FULL user of anybody else', { original_author_id: '30' }, rejected],
    ['a repost by a REPOSTS_ONLY user of anybody else', { author_id: '20', original_author_id: '30' }, rejected],
    ['a repost by anybody else of the FULL user', { author_id: '30', original_author_id: '10' }, rejected],
    ['that only approved followers see', { protected: true }, rejected],
    ['that was taken down', { taken_down: true }, rejected],
  ])('%s', (_title, one, expected) => {
    expect(errors(one)).toEqual(expected);
  });

  it('but not by an account without a FULL user', () => {
    const issues = checkPromotedPosts([1n], new Map([[1n, post()]]), lineItem(), { ...authors, full: null });
    expect(issues).toMatchObject([{ error: 'INVALID_POST' }]);
  });

  it('and a rejection says what to do', () => {
    const [issue] = checkPromotedPosts([1n], new Map([[1n, post({ author_id: '30' })]]), lineItem(), authors);
    expect(issue?.message).toMatch(/Post 1 .* user 30.*REPOSTS_ONLY/);
  });
});

describe('the requirements of an objective on a post', () => {
  const links = ['https://books.example.com/autumn'];
  const card = (card_type: PromotedCard['card_type'], of: Partial<PromotedCard> = {}) => ({
    card: { card_type, googleplay_app_id: undefined, ios_app_store_identifier: undefined, ...of },
  });

  it.each<[LineItem['objective'], string, Partial<PromotablePost>, boolean]>([
    ['VIDEO_VIEWS', 'a video', { media: ['video'] }, true],
    ['VIDEO_VIEWS', 'an animated GIF', { media: ['animated_gif'] }, true],
    ['VIDEO_VIEWS', 'a video conversation card', card('VIDEO_CONVERSATION'), true],
    ['VIDEO_VIEWS', 'a website card of a video', card('VIDEO_WEBSITE'), true],
    ['VIDEO_VIEWS', 'an image conversation card', card('IMAGE_CONVERSATION'), false],
    ['VIDEO_VIEWS', 'a card of images and videos', card('MIXED_MEDIA_SINGLE_DEST_CAROUSEL_APP'), false],
    ['VIDEO_VIEWS', 'photos', { media: ['photo', 'photo'] }, false],
    ['VIDEO_VIEWS', 'text', { links }, false],
    ['WEBSITE_CLICKS', 'a link', { links }, true],
    ['WEBSITE_CLICKS', 'a website card', card('IMAGE_WEBSITE'), true],
    ['WEBSITE_CLICKS', 'a carousel of websites', card('VIDEO_MULTI_DEST_CAROUSEL_WEBSITE'), true],
    ['WEBSITE_CLICKS', 'a website card and a link', { ...card('IMAGE_WEBSITE'), links }, false],
    ['WEBSITE_CLICKS', 'a poll and a link', { ...card('TEXT_POLLS'), links }, true],
    ['WEBSITE_CLICKS', 'an app card', card('IMAGE_APP'), false],
    ['WEBSITE_CLICKS', 'nothing that leads anywhere', { media: ['video'] }, false],
    ['APP_INSTALLS', 'an image app card', card('IMAGE_APP'), true],
    ['APP_ENGAGEMENTS', 'a video app card', card('VIDEO_APP'), true],
    ['APP_INSTALLS', 'a carousel of an app', card('MIXED_MEDIA_SINGLE_DEST_CAROUSEL_APP'), true],
    ['APP_INSTALLS', 'a website card', card('IMAGE_WEBSITE'), false],
    ['APP_INSTALLS', 'a link', { links: ['https://play.google.com/store/apps/details?id=com.example.app'] }, false],
    ['APP_ENGAGEMENTS', 'a poll', card('TEXT_POLLS'), false],
    ['REACH', 'text', {}, true],
    ['ENGAGEMENTS', 'text', {}, true],
    ['FOLLOWERS', 'text', {}, true],
  ])('%s: %s', (objective, _title, one, fits) => {
    expect(errors(one, { objective })).toEqual(fits ? [] : rejected);
  });

  const android = { googleplay_app_id: 'com.example.app' };
  const ios = { ios_app_store_identifier: '333903271' };
  const ofBoth = { android_app_store_identifier: 'com.example.app', ios_app_store_identifier: '333903271' };
  const ofAndroid = { android_app_store_identifier: 'com.example.app' };

  it.each<[string, Partial<PromotedCard>, Partial<LineItem>, boolean]>([
    ['both of both', { ...android, ...ios }, ofBoth, true],
    ['one of both', ios, ofBoth, true],
    ['the one that is named', { ...android, ...ios }, ofAndroid, true],
    ['none that is named', ios, ofAndroid, false],
    ['another one', { googleplay_app_id: 'com.example.apps' }, ofAndroid, false],
    ['another one in one store', { ...android, ios_app_store_identifier: '333903272' }, ofBoth, false],
    ['any, where none is named', ios, {}, true],
  ])("an app card is of the line item's app: %s", (_title, of, lineItem, fits) => {
    expect(errors(card('IMAGE_APP', of), { objective: 'APP_INSTALLS', ...lineItem })).toEqual(fits ? [] : rejected);
  });
});

describe('the facts of a card', () => {
  const shown = { name: 'Garden', created_at: '', card_uri: 'card://1', id: '1', updated_at: '', deleted: false };
  const destination = { type: 'APP', country_code: 'US', googleplay_app_id: 'com.example.app' } as const;
  const label = { type: 'ENUM', value: 'INSTALL' } as const;

  it('are its type and the app of its button', () => {
    const components = [
      { type: 'MEDIA', media_key: '3_1' },
      { type: 'BUTTON', label, destination },
    ] as const;
    expect(promotedCard({ ...shown, card_type: 'IMAGE_APP', components })).toEqual({
      card_type: 'IMAGE_APP',
      googleplay_app_id: 'com.example.app',
      ios_app_store_identifier: undefined,
    });
  });

  it('have no app where there is no button', () => {
    const components = [
      { type: 'MEDIA', media_key: '3_1' },
      { type: 'DETAILS', title: 'x', destination: { type: 'WEBSITE', url: 'https://x.example/' } },
    ] as const;
    expect(promotedCard({ ...shown, card_type: 'IMAGE_WEBSITE', components })).toEqual({ card_type: 'IMAGE_WEBSITE' });
    const slides = [components, components];
    const card_type = 'IMAGE_MULTI_DEST_CAROUSEL_WEBSITE';
    expect(promotedCard({ ...shown, card_type, slides })).toEqual({ card_type });
  });
});

it('a line item of product type MEDIA takes no posts, which is reported for any posts', () => {
  expect(errors({}, { product_type: 'MEDIA', objective: 'PREROLL_VIEWS' })).toEqual([
    'INCOMPATIBLE_LINE_ITEM line_item_id bw2rq',
  ]);
  expect(errors({ author_id: '30' }, { product_type: 'MEDIA', objective: 'WEBSITE_CLICKS' })).toEqual([
    'INCOMPATIBLE_LINE_ITEM line_item_id bw2rq',
    ...rejected,
  ]);
});

it('all errors are reported at once, in the order of the posts', () => {
  const found = new Map([
    [1n, post()],
    [3n, post({ id: 3n, author_id: '30' })],
  ]);
  const issues = checkPromotedPosts([4n, 3n, 1n, 2n], found, lineItem(), authors);
  expect(issues.map(({ error, value }) => [error, value])).toEqual([
    ['POST_NOT_FOUND', 4n],
    ['INVALID_POST', 3n],
    ['POST_NOT_FOUND', 2n],
  ]);
});

it('posts of others are reposted, posts of the FULL user are not', () => {
  expect(mustBeReposted(post(), authors)).toBe(false);
  expect(mustBeReposted(post({ original_author_id: '20' }), authors)).toBe(false);
  expect(mustBeReposted(post({ author_id: '20' }), authors)).toBe(true);
});

describe('an attached post', () => {
  it.each<[LineItem['product_type'], LineItem['placements'], LineItem['placements']]>([
    ['PROMOTED_ACCOUNT', [], ['PLATFORM_TIMELINE']],
    ['PROMOTED_ACCOUNT', ['PLATFORM_SEARCH'], ['PLATFORM_SEARCH', 'PLATFORM_TIMELINE']],
    ['PROMOTED_ACCOUNT', ['PLATFORM_TIMELINE'], ['PLATFORM_TIMELINE']],
    ['PROMOTED_ACCOUNT', ['ALL_ON_PLATFORM'], ['ALL_ON_PLATFORM']],
    ['PROMOTED_POSTS', ['PLATFORM_SEARCH'], ['PLATFORM_SEARCH']],
  ])('adds the timeline to %s in %j: %j', (product_type, placements, expected) => {
    expect(placementsWithPost({ product_type, placements })).toEqual(expected);
  });
});
