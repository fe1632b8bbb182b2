import { describe, expect, it } from 'vitest';
import { placements as allPlacements, type Placement } from './entity.ts';
import { placementCombinations } from './placements.ts';
import { issuesOfNew, newLineItems } from './testing/line-items.ts';

describe('placements', () => {
  const network = { advertiser_domain: 'example.com', categories: ['IAB1'] };
  const wrong = ['INVALID_PLACEMENT_TYPE placements'];
  newLineItems([
    ['profile, search and timeline', { placements: 'PLATFORM_PROFILE,PLATFORM_SEARCH,PLATFORM_TIMELINE' }, []],
    ['the same in another order', { placements: 'PLATFORM_TIMELINE,PLATFORM_PROFILE,PLATFORM_SEARCH' }, []],
    ['search alone', { placements: 'PLATFORM_SEARCH' }, []],
    ['the profile is never alone', { placements: 'PLATFORM_PROFILE' }, wrong],
    ['replies beside the timeline', { placements: 'PLATFORM_TIMELINE,PLATFORM_REPLIES' }, []],
    ['replies are never alone', { placements: 'PLATFORM_REPLIES' }, wrong],
    ['all and one of them', { placements: 'ALL_ON_PLATFORM,PLATFORM_TIMELINE' }, wrong],
    ['a banner is for product type MEDIA', { placements: 'TAP_BANNER' }, wrong],
    ['a banner', { objective: 'WEBSITE_CLICKS', product_type: 'MEDIA', placements: 'TAP_BANNER' }, []],
    ['the timeline is not for MEDIA', { objective: 'PREROLL_VIEWS', placements: 'PLATFORM_TIMELINE' }, wrong],
    ['the timeline for an account', { objective: 'FOLLOWERS', placements: 'PLATFORM_TIMELINE' }, []],
    ['search is not for an account', { objective: 'FOLLOWERS', placements: 'PLATFORM_SEARCH' }, wrong],
    ['REACH everywhere', { objective: 'REACH', placements: 'ALL_ON_PLATFORM' }, []],
    ['REACH in the timeline and more', { objective: 'REACH', placements: 'PLATFORM_SEARCH,PLATFORM_TIMELINE' }, []],
    ['REACH without the timeline', { objective: 'REACH', placements: 'PLATFORM_PROFILE,PLATFORM_SEARCH' }, wrong],
    [
      'REACH on the network without the timeline',
      { objective: 'REACH', placements: 'ALL_ON_PLATFORM,PUBLISHER_NETWORK', ...network },
      wrong,
    ],
    ['the network with domain and categories', { placements: 'PUBLISHER_NETWORK', ...network }, []],
    [
      'the network without them',
      { placements: 'PUBLISHER_NETWORK,ALL_ON_PLATFORM' },
      ['MISSING_PARAMETER advertiser_domain', 'MISSING_PARAMETER categories'],
    ],
    [
      'the network for a pre-roll without categories',
      {
        objective: 'PREROLL_VIEWS',
        placements: 'PUBLISHER_NETWORK',
        categories: undefined,
        advertiser_domain: 'example.com',
      },
      ['MISSING_PARAMETER categories'],
    ],
  ]);

  it('the issue lists the valid combinations', () => {
    expect(issuesOfNew({ objective: 'FOLLOWERS', placements: 'PLATFORM_SEARCH' })).toEqual([
      {
        error: 'INVALID_PLACEMENT_TYPE',
        parameter: 'placements',
        value: ['PLATFORM_SEARCH'],
        message:
          'Expected one of these combinations for PROMOTED_ACCOUNT with objective FOLLOWERS: ALL_ON_PLATFORM; PLATFORM_TIMELINE',
      },
    ]);
  });

  it('every placement of the specification is part of a valid combination', () => {
    expect(new Set(Object.values(placementCombinations).flat(2))).toEqual(new Set<Placement>(allPlacements));
  });
});
