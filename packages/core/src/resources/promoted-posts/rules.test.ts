import { describe, expect, it } from 'vitest';
import type { LineItem } from '../line-items/entity.ts';
import { checkPromotedPosts, mustBeReposted, type PromotablePost, placementsWithPost } from './rules.ts';

const authors = { full: '10', reposts_only: new Set(['20']) };

const post = (fields: Partial<PromotablePost> = {}): PromotablePost => {
  const author_id = fields.author_id ?? '10';
  return { id: 1n, original_author_id: author_id, protected: false, links: [], media: [], ...fields, author_id };
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
  const web = ['https://books.example.com/autumn'];
  const android = 'https://play.google.com/store/apps/details?hl=de&id=com.example.app&gl=US';
  const ios = 'https://apps.apple.com/de/app/some-name/id333903271?mt=8';
  const app = { android_app_store_identifier: 'com.example.app', ios_app_store_identifier: '333903271' };

  it.each<[LineItem['objective'], string, Partial<PromotablePost>, boolean]>([
    ['VIDEO_VIEWS', 'a video', { media: ['video'] }, true],
    ['VIDEO_VIEWS', 'an animated GIF', { media: ['animated_gif'] }, true],
    ['VIDEO_VIEWS', 'photos', { media: ['photo', 'photo'] }, false],
    ['VIDEO_VIEWS', 'text', { links: web }, false],
    ['WEBSITE_CLICKS', 'a link', { links: web }, true],
    ['WEBSITE_CLICKS', 'no link', { media: ['video'] }, false],
    ['APP_INSTALLS', 'a link to the Android app', { links: [...web, android] }, true],
    ['APP_ENGAGEMENTS', 'a link to the iOS app', { links: [ios] }, true],
    [
      'APP_INSTALLS',
      'a link to the old address of iOS apps',
      { links: ['http://itunes.apple.com/app/id333903271'] },
      true,
    ],
    [
      'APP_INSTALLS',
      'a link to another app',
      { links: [android.replace('com.example.app', 'com.example.apps')] },
      false,
    ],
    ['APP_INSTALLS', 'a link to another iOS app', { links: [ios.replace('id333903271', 'id3339032711')] }, false],
    ['APP_INSTALLS', 'another site with the name in it', { links: [`https://x.example/?${ios}`] }, false],
    ['APP_INSTALLS', 'a parameter that ends like the right one', { links: [android.replace('&id=', '&xid=')] }, false],
    ['APP_ENGAGEMENTS', 'a link to a website', { links: web }, false],
    ['REACH', 'text', {}, true],
    ['ENGAGEMENTS', 'text', {}, true],
    ['FOLLOWERS', 'text', {}, true],
  ])('%s: %s', (objective, _title, one, fits) => {
    expect(errors(one, { objective, ...app })).toEqual(fits ? [] : rejected);
  });

  it('is a link to the app that the line item promotes, not to any other', () => {
    expect(errors({ links: [android] }, { objective: 'APP_INSTALLS', ios_app_store_identifier: '333903271' })).toEqual(
      rejected,
    );
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
