import { describe, expect, it } from 'vitest';
import type { CreativeType } from '../account-media/entity.ts';
import type { LineItem } from '../line-items/entity.ts';
import { checkMediaCreative, landingUrlOf } from './rules.ts';

type Parts = Parameters<typeof checkMediaCreative>[0];

function errors(objective: LineItem['objective'], creative_type: CreativeType, more: Partial<Parts> = {}): string[] {
  const issues = checkMediaCreative({
    lineItem: { id: 'li', objective, product_type: 'MEDIA' },
    media: { id: 'am', creative_type },
    landing_url: undefined,
    existing: undefined,
    ...more,
  });
  return issues.map(({ error, parameter }) => `${error} ${parameter}`);
}

describe('a media creative', () => {
  it.each<[LineItem['objective'], CreativeType, Partial<Parts>, string[]]>([
    ['PREROLL_VIEWS', 'PREROLL', {}, []],
    ['PREROLL_VIEWS', 'VAST_PREROLL', {}, []],
    ['PREROLL_VIEWS', 'BANNER', {}, ['INVALID_PARAMETER account_media_id']],
    ['APP_INSTALLS', 'INTERSTITIAL', {}, []],
    ['APP_INSTALLS', 'PREROLL', {}, ['INVALID_PARAMETER account_media_id']],
    ['WEBSITE_CLICKS', 'BANNER', {}, ['MISSING_PARAMETER landing_url']],
    ['WEBSITE_CLICKS', 'BANNER', { landing_url: 'https://example.com' }, []],
    ['WEBSITE_CLICKS', 'PREROLL', {}, ['INVALID_PARAMETER account_media_id', 'MISSING_PARAMETER landing_url']],
    ['PREROLL_VIEWS', 'PREROLL', { existing: 'mc' }, ['INVALID_PARAMETER account_media_id']],
  ])('%s with %s and %j', (objective, creative_type, more, expected) => {
    expect(errors(objective, creative_type, more)).toEqual(expected);
  });

  it.each(['PROMOTED_POSTS', 'PROMOTED_ACCOUNT'] as const)('is not for line items of %s', (product_type) => {
    const lineItem = { id: 'li', objective: 'WEBSITE_CLICKS', product_type } as const;
    expect(errors('WEBSITE_CLICKS', 'BANNER', { lineItem })).toEqual(['INCOMPATIBLE_LINE_ITEM line_item_id']);
  });
});

it('an image has a landing URL; a video has none', () => {
  const url = 'https://example.com';
  expect(landingUrlOf({ creative_type: 'BANNER' }, url)).toBe(url);
  expect(landingUrlOf({ creative_type: 'BANNER' }, undefined)).toBeNull();
  expect(landingUrlOf({ creative_type: 'PREROLL' }, url)).toBeNull();
});
