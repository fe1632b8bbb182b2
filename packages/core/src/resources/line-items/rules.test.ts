import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import type { Issue } from '../../wire/errors.ts';
import type { EntityStatus, StoredCampaign } from '../campaigns/entity.ts';
import type { BidStrategy, Goal, LineItem, Objective, PayBy, Placement, ProductType } from './entity.ts';
import { placements as allPlacements, bidStrategies, goals, objectives, productTypes } from './entity.ts';
import { LineItemChanges, LineItemCreate } from './params.ts';
import {
  changeLineItem,
  checkLineItem,
  checkLineItemLimits,
  countsAsActiveLineItem,
  type LineItemSurroundings,
  placementCombinations,
  resolveLineItem,
} from './rules.ts';

type CreateInput = Partial<z.input<typeof LineItemCreate>>;
type ChangesInput = z.input<typeof LineItemChanges>;
type Campaign = Pick<
  StoredCampaign,
  | 'id'
  | 'funding_instrument_id'
  | 'budget_optimization'
  | 'currency'
  | 'daily_budget_amount_local_micro'
  | 'total_budget_amount_local_micro'
>;

interface Around {
  readonly campaign?: Partial<Campaign>;
  readonly sibling?: LineItemSurroundings['sibling'];
  readonly funding?: Partial<LineItemSurroundings['funding']>;
  readonly is_promotable?: boolean;
}

/** Pays whatever is asked, and always has. */
const FUNDING: LineItemSurroundings['funding'] = {
  type: 'PARTNER_MANAGED',
  start_time: '2020-01-01T00:00:00Z',
  end_time: null,
  credit_limit_local_micro: null,
  credit_remaining_local_micro: null,
  funded_amount_local_micro: null,
};

const PER_CAMPAIGN: Campaign = {
  id: '8wku2',
  funding_instrument_id: 'lygyi',
  budget_optimization: 'CAMPAIGN',
  currency: 'USD',
  daily_budget_amount_local_micro: null,
  total_budget_amount_local_micro: null,
};
const PER_LINE_ITEM: Around = { campaign: { budget_optimization: 'LINE_ITEM' } };

/** The FULL promotable user of the account. */
const ADVERTISER = '1503831318555086849';

// The tables of the specification and the reference (9.3), written out here so that a slip in the source shows.
interface Row {
  readonly types: readonly ProductType[];
  /** Goals, and what is paid for without and with TARGET. */
  readonly goals: readonly [Goal, PayBy, PayBy?][];
  readonly strategies: readonly BidStrategy[];
  readonly cap: boolean;
}
const expectedRules: Readonly<Record<Objective, Row>> = {
  APP_ENGAGEMENTS: {
    types: ['PROMOTED_POSTS', 'MEDIA'],
    goals: [
      ['APP_CLICKS', 'APP_CLICK'],
      ['APP_INSTALLS', 'APP_CLICK'],
    ],
    strategies: ['AUTO', 'MAX'],
    cap: false,
  },
  APP_INSTALLS: {
    types: ['PROMOTED_POSTS', 'MEDIA'],
    goals: [
      ['APP_CLICKS', 'APP_CLICK'],
      ['APP_INSTALLS', 'IMPRESSION'],
      ['APP_PURCHASES', 'IMPRESSION'],
    ],
    strategies: ['AUTO', 'MAX'],
    cap: false,
  },
  REACH: {
    types: ['PROMOTED_POSTS'],
    goals: [
      ['MAX_REACH', 'IMPRESSION'],
      ['REACH_WITH_ENGAGEMENT', 'IMPRESSION'],
    ],
    strategies: ['AUTO', 'TARGET'],
    cap: true,
  },
  FOLLOWERS: {
    types: ['PROMOTED_ACCOUNT'],
    goals: [['FOLLOWERS', 'FOLLOW']],
    strategies: ['AUTO', 'TARGET'],
    cap: false,
  },
  ENGAGEMENTS: {
    types: ['PROMOTED_POSTS'],
    goals: [['ENGAGEMENT', 'ENGAGEMENT']],
    strategies: ['AUTO', 'MAX'],
    cap: true,
  },
  VIDEO_VIEWS: {
    types: ['PROMOTED_POSTS'],
    goals: [
      ['VIDEO_VIEW', 'VIEW'],
      ['VIEW_3S_100PCT', 'VIEW_3S_100PCT'],
      ['VIEW_6S', 'VIEW'],
      ['VIEW_15S', 'VIEW'],
    ],
    strategies: ['AUTO', 'MAX'],
    cap: true,
  },
  PREROLL_VIEWS: {
    types: ['MEDIA'],
    goals: [
      ['PREROLL', 'VIEW_3S_100PCT'],
      ['PREROLL_STARTS', 'VIEW_3S_100PCT'],
      ['VIEW_3S_100PCT', 'VIEW_3S_100PCT'],
      ['VIEW_6S', 'VIEW_3S_100PCT'],
      ['VIEW_15S', 'VIEW_3S_100PCT'],
    ],
    strategies: ['AUTO', 'MAX'],
    cap: true,
  },
  WEBSITE_CLICKS: {
    types: ['PROMOTED_POSTS', 'MEDIA'],
    goals: [
      ['LINK_CLICKS', 'IMPRESSION', 'LINK_CLICK'],
      ['SITE_VISITS', 'IMPRESSION'],
      ['WEBSITE_CONVERSIONS', 'IMPRESSION', 'LINK_CLICK'],
    ],
    strategies: ['AUTO', 'MAX', 'TARGET'],
    cap: false,
  },
};

/** A valid line item of each objective. */
function valid(objective: Objective): z.input<typeof LineItemCreate> {
  const [product_type = 'PROMOTED_POSTS'] = expectedRules[objective].types;
  const needed: CreateInput = objective.startsWith('APP_')
    ? { ios_app_store_identifier: '333903271' }
    : objective === 'PREROLL_VIEWS'
      ? { categories: ['IAB18'] }
      : {};
  return {
    campaign_id: '8wku2',
    objective,
    product_type,
    placements: ['ALL_ON_PLATFORM'],
    start_time: '2026-02-01T00:00:00Z',
    end_time: '2026-03-01T00:00:00Z',
    ...needed,
  };
}

function resolve(input: CreateInput, around: Around = {}) {
  const params = LineItemCreate.parse({ ...valid(input.objective ?? 'ENGAGEMENTS'), ...input });
  const campaign = { ...PER_CAMPAIGN, ...around.campaign };
  return resolveLineItem(params, { campaign, advertiser_user_id: ADVERTISER });
}

function stored(input: CreateInput, around: Around = {}): LineItem {
  const time = '2026-01-15T08:00:00Z';
  return { id: 'bw2rq', created_at: time, updated_at: time, ...resolve(input, around) };
}

function surroundings(given: object, around: Around): LineItemSurroundings {
  const campaign = { ...PER_CAMPAIGN, ...around.campaign };
  const names = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const funding = { ...FUNDING, ...around.funding };
  const { sibling, is_promotable = true } = around;
  return { campaign, sibling, funding, is_promotable, given: new Set(names) };
}

function issuesOfNew(input: CreateInput, around: Around = {}): Issue[] {
  const given = { ...valid(input.objective ?? 'ENGAGEMENTS'), ...input };
  return checkLineItem(resolve(input, around), surroundings(given, around));
}

function faultsOfNew(input: CreateInput, around: Around = {}): string[] {
  return issuesOfNew(input, around).map(({ error, parameter }) => `${error} ${parameter}`);
}

function change(current: LineItem, changes: ChangesInput, { campaign }: Around = {}): LineItem {
  return changeLineItem(current, LineItemChanges.parse(changes), { ...PER_CAMPAIGN, ...campaign });
}

/** The faults of a change; `later` is what has become of the campaign since the line item was created. */
function faultsOfChange(current: LineItem, changes: ChangesInput, later: Around = {}): string[] {
  const issues = checkLineItem(change(current, changes, later), surroundings(changes, later));
  return issues.map(({ error, parameter }) => `${error} ${parameter}`);
}

type Case = [title: string, input: CreateInput, faults: string[], around?: Around];

function newLineItems(cases: readonly Case[]): void {
  it.each(cases)('%s', (_title, input, faults, around) => {
    expect(faultsOfNew(input, around)).toEqual(faults);
  });
}

describe('a new line item', () => {
  it('has the defaults of the specification', () => {
    expect(resolve({})).toEqual({
      name: null,
      campaign_id: '8wku2',
      funding_instrument_id: 'lygyi',
      advertiser_user_id: ADVERTISER,
      objective: 'ENGAGEMENTS',
      product_type: 'PROMOTED_POSTS',
      placements: ['ALL_ON_PLATFORM'],
      start_time: '2026-02-01T00:00:00Z',
      end_time: '2026-03-01T00:00:00Z',
      goal: 'ENGAGEMENT',
      pay_by: 'ENGAGEMENT',
      bid_strategy: 'AUTO',
      bid_amount_local_micro: null,
      target_cpa_local_micro: null,
      primary_web_event_tag: null,
      daily_budget_amount_local_micro: null,
      total_budget_amount_local_micro: null,
      standard_delivery: null,
      duration_in_days: null,
      frequency_cap: null,
      entity_status: 'ACTIVE',
      automatic_post_promotion: null,
      advertiser_domain: null,
      categories: [],
      android_app_store_identifier: null,
      ios_app_store_identifier: null,
      audience_expansion: null,
      currency: 'USD',
      creative_source: 'MANUAL',
      deleted: false,
    });
  });

  it('keeps what is given', () => {
    const given = {
      name: 'Readers in the north',
      bid_strategy: 'MAX',
      bid_amount_local_micro: 1_400_000n,
      audience_expansion: 'BROAD',
      entity_status: 'DRAFT',
      frequency_cap: 3,
      duration_in_days: 7,
      total_budget_amount_local_micro: 9_007_199_254_740_993n,
    } as const;
    expect(resolve(given)).toMatchObject(given);
  });

  it.each(objectives)('of objective %s is valid with its defaults', (objective) => {
    expect(faultsOfNew({ objective })).toEqual([]);
  });

  it('is told all that is wrong at once, and what would be right', () => {
    const issues = issuesOfNew({
      objective: 'REACH',
      product_type: 'PROMOTED_ACCOUNT',
      bid_strategy: 'MAX',
      goal: 'SITE_VISITS',
      frequency_cap: 2,
      end_time: '2026-01-01',
    });
    expect(issues.map(({ message }) => message)).toEqual([
      'Expected PROMOTED_POSTS, got "PROMOTED_ACCOUNT" for product_type with objective REACH',
      'Expected one of MAX_REACH, REACH_WITH_ENGAGEMENT, got "SITE_VISITS" for goal with objective REACH',
      'Expected one of AUTO, TARGET, got "MAX" for bid_strategy with objective REACH',
      '"bid_amount_local_micro" is required with bid strategy MAX',
      '"frequency_cap" needs "duration_in_days" beside it: a cap is a number of views in a period',
      'Expected a time after start_time (2026-02-01T00:00:00Z), got "2026-01-01T00:00:00Z" for end_time',
    ]);
  });
});

describe('flight', () => {
  newLineItems([
    ['an end one second after the start', { end_time: '2026-02-01T00:00:01Z' }, []],
    ['an end at the start', { end_time: '2026-02-01T00:00:00Z' }, ['INVALID_TIME_WINDOW end_time']],
    ['an end before the start', { end_time: '2026-01-31T23:59:59Z' }, ['INVALID_TIME_WINDOW end_time']],
  ]);
});

describe('what pays', () => {
  const [start, end] = ['2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'];

  newLineItems([
    ['begins before the flight ends', {}, [], { funding: { start_time: '2026-02-28T23:59:59Z' } }],
    ['begins as the flight ends', {}, ['INVALID_TIME_WINDOW end_time'], { funding: { start_time: end } }],
    ['ends after the flight begins', {}, [], { funding: { end_time: '2026-02-01T00:00:01Z' } }],
    ['ends as the flight begins', {}, ['INVALID_TIME_WINDOW start_time'], { funding: { end_time: start } }],
    [
      'has less than the whole of it takes',
      { total_budget_amount_local_micro: 11 },
      ['SPEND_EXCEEDS_BUDGET total_budget_amount_local_micro'],
      { funding: { type: 'INSERTION_ORDER', funded_amount_local_micro: 10n } },
    ],
    [
      'has less credit than a day of it takes',
      { daily_budget_amount_local_micro: 11 },
      ['FUNDING_INSTRUMENT_EXCEEDS_AVAILABLE_CREDIT_LIMIT daily_budget_amount_local_micro'],
      { ...PER_LINE_ITEM, funding: { type: 'CREDIT_CARD', credit_limit_local_micro: 10n } },
    ],
  ]);

  it('is held against what is changed only', () => {
    const current = stored({ total_budget_amount_local_micro: 11 });
    const around: Around = {
      funding: { type: 'INSERTION_ORDER', funded_amount_local_micro: 10n, start_time: start, end_time: start },
    };
    expect(faultsOfChange(current, { name: 'Renamed' }, around)).toEqual([]);
    expect(faultsOfChange(current, { start_time: '2026-02-02' }, around)).toEqual(['INVALID_TIME_WINDOW start_time']);
    expect(faultsOfChange(current, { total_budget_amount_local_micro: 12 }, around)).toEqual([
      'SPEND_EXCEEDS_BUDGET total_budget_amount_local_micro',
    ]);
  });
});

describe('product type', () => {
  const pairs = objectives.flatMap((objective) => productTypes.map((type) => [objective, type] as const));

  it.each(pairs)('%s with %s', (objective, product_type) => {
    const refused = expectedRules[objective].types.includes(product_type) ? [] : ['INVALID_PARAMETER product_type'];
    expect(faultsOfNew({ objective, product_type })).toEqual(refused);
  });
});

describe('the line items of a campaign', () => {
  const sibling = { objective: 'WEBSITE_CLICKS', product_type: 'PROMOTED_POSTS' } as const;
  newLineItems([
    ['share objective and product type', { objective: 'WEBSITE_CLICKS' }, [], { sibling }],
    ['share the objective', { objective: 'ENGAGEMENTS' }, ['INVALID_PARAMETER objective'], { sibling }],
    [
      'share the product type',
      { objective: 'WEBSITE_CLICKS', product_type: 'MEDIA' },
      ['INVALID_PARAMETER product_type'],
      { sibling },
    ],
    [
      'share both',
      { objective: 'FOLLOWERS' },
      ['INVALID_PARAMETER objective', 'INVALID_PARAMETER product_type'],
      { sibling },
    ],
  ]);
});

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

  it('a refusal lists the valid combinations', () => {
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

describe('categories', () => {
  newLineItems([
    ['known ones', { categories: 'IAB1,IAB26-4' }, []],
    [
      'unknown ones',
      { categories: 'IAB1,IAB99,x' },
      ['INVALID_IAB_CATEGORY categories', 'INVALID_IAB_CATEGORY categories'],
    ],
    ['a pre-roll needs them', { objective: 'PREROLL_VIEWS', categories: undefined }, ['MISSING_PARAMETER categories']],
    ['a pre-roll for two businesses', { objective: 'PREROLL_VIEWS', categories: 'IAB18,IAB20' }, []],
    [
      'a pre-roll for three',
      { objective: 'PREROLL_VIEWS', categories: 'IAB18,IAB20,IAB2' },
      ['INVALID_PARAMETER categories'],
    ],
    [
      'a pre-roll for no business',
      { objective: 'PREROLL_VIEWS', categories: 'IAB18,IAB8' },
      ['INVALID_PARAMETER categories'],
    ],
    [
      'a pre-roll with an unknown one',
      { objective: 'PREROLL_VIEWS', categories: 'IAB99' },
      ['INVALID_IAB_CATEGORY categories'],
    ],
  ]);

  it('a refusal names each unknown one', () => {
    expect(issuesOfNew({ categories: 'IAB99,IAB1,x' }).map(({ value }) => value)).toEqual(['IAB99', 'x']);
  });

  it('a part of an advertiser business category is stored as all of it', () => {
    const objective = 'PREROLL_VIEWS';
    expect(resolve({ objective, categories: ['IAB13', 'IAB20'] }).categories).toEqual([
      'IAB3',
      'IAB13',
      'IAB21',
      'IAB20',
    ]);
    expect(change(stored({ objective }), { categories: 'IAB8-18' }).categories).toEqual(['IAB8-5', 'IAB8-18']);
    expect(resolve({ categories: ['IAB13'] }).categories).toEqual(['IAB13']);
  });
});

describe('apps', () => {
  const none = { ios_app_store_identifier: undefined };
  const needed = ['MISSING_PARAMETER android_app_store_identifier'];
  newLineItems([
    ['an iOS app', { objective: 'APP_INSTALLS', ios_app_store_identifier: '333903271' }, []],
    ['an Android app', { objective: 'APP_INSTALLS', ...none, android_app_store_identifier: 'com.example.app' }, []],
    ['none for APP_INSTALLS', { objective: 'APP_INSTALLS', ...none }, needed],
    ['none for APP_ENGAGEMENTS', { objective: 'APP_ENGAGEMENTS', ...none }, needed],
    ['one for another objective', { android_app_store_identifier: 'com.example.app' }, []],
  ]);

  it('a refusal names both stores', () => {
    const [issue] = issuesOfNew({ objective: 'APP_INSTALLS', ...none });
    expect(issue?.message).toMatch(/"android_app_store_identifier" or "ios_app_store_identifier"/);
  });
});

describe('advertiser', () => {
  newLineItems([
    ['another for a pre-roll', { objective: 'PREROLL_VIEWS', advertiser_user_id: '12' }, []],
    [
      'a stranger for a pre-roll',
      { objective: 'PREROLL_VIEWS', advertiser_user_id: '12' },
      ['INVALID_USER_ID advertiser_user_id'],
      { is_promotable: false },
    ],
    ['another for anything else', { advertiser_user_id: '12' }, ['INVALID_PARAMETER advertiser_user_id']],
  ]);

  it('is the one given, or else the FULL promotable user', () => {
    expect(resolve({ objective: 'PREROLL_VIEWS', advertiser_user_id: '12' }).advertiser_user_id).toBe('12');
    expect(resolve({ objective: 'PREROLL_VIEWS' }).advertiser_user_id).toBe(ADVERTISER);
  });
});

describe('goal', () => {
  const pairs = objectives.flatMap((objective) => goals.map((goal) => [objective, goal] as const));

  it.each(pairs)('%s with %s', (objective, goal) => {
    const allowed = expectedRules[objective].goals.some(([name]) => name === goal);
    expect(faultsOfNew({ objective, goal, primary_web_event_tag: 'tag' })).toEqual(
      allowed ? [] : ['INVALID_PARAMETER goal'],
    );
  });

  it.each(objectives)('%s has a default', (objective) => {
    expect(resolve({ objective }).goal).toBe(expectedRules[objective].goals[0]?.[0]);
  });

  newLineItems([
    [
      'conversions without a web event',
      { objective: 'WEBSITE_CLICKS', goal: 'WEBSITE_CONVERSIONS' },
      ['MISSING_PARAMETER primary_web_event_tag'],
    ],
  ]);

  it('conversions cannot become the goal of a line item without a web event', () => {
    const changes = { goal: 'WEBSITE_CONVERSIONS' } as const;
    expect(faultsOfChange(stored({ objective: 'WEBSITE_CLICKS' }), changes)).toEqual(['INVALID_PARAMETER goal']);
    const tagged = stored({ objective: 'WEBSITE_CLICKS', primary_web_event_tag: 'tag' });
    expect(faultsOfChange(tagged, changes)).toEqual([]);
  });
});

describe('bid strategy', () => {
  const pairs = objectives.flatMap((objective) => bidStrategies.map((strategy) => [objective, strategy] as const));

  it.each(pairs)('%s with %s', (objective, bid_strategy) => {
    const refused = expectedRules[objective].strategies.includes(bid_strategy)
      ? []
      : ['INVALID_PARAMETER bid_strategy'];
    expect(faultsOfNew({ objective, bid_strategy, bid_amount_local_micro: 1_400_000 })).toEqual(refused);
  });

  it.each(objectives)(
    '%s is AUTO without a bid; with one TARGET for REACH and FOLLOWERS, MAX for others',
    (objective) => {
      expect(resolve({ objective }).bid_strategy).toBe('AUTO');
      const target = objective === 'REACH' || objective === 'FOLLOWERS';
      expect(resolve({ objective, bid_amount_local_micro: 1_400_000 }).bid_strategy).toBe(target ? 'TARGET' : 'MAX');
    },
  );
});

describe('bid', () => {
  const bid = (amount: number): CreateInput => ({ bid_strategy: 'MAX', bid_amount_local_micro: amount });
  const campaign = (budget: Partial<Campaign>): Around => ({ campaign: budget });
  newLineItems([
    ['a bid', bid(1_400_000), []],
    ['none with MAX', { bid_strategy: 'MAX' }, ['MISSING_PARAMETER bid_amount_local_micro']],
    ['none with TARGET', { objective: 'REACH', bid_strategy: 'TARGET' }, ['MISSING_PARAMETER bid_amount_local_micro']],
    ['none with AUTO', { bid_strategy: 'AUTO' }, []],
    ['any with AUTO, which ignores it', { bid_strategy: 'AUTO', bid_amount_local_micro: 1 }, []],
    ['the smallest', bid(10_000), []],
    ['the largest', bid(1_000_000_000), []],
    ['above the largest', bid(1_000_010_000), ['INVALID_PARAMETER bid_amount_local_micro']],
    ['between two units', bid(1_400_001), ['INVALID_DENOMINATION bid_amount_local_micro']],
    [
      'below the smallest',
      bid(1),
      ['INVALID_PARAMETER bid_amount_local_micro', 'INVALID_DENOMINATION bid_amount_local_micro'],
    ],
    ['a whole yen', bid(2_000_000), [], campaign({ currency: 'JPY' })],
    ['half a yen', bid(1_500_000), ['INVALID_DENOMINATION bid_amount_local_micro'], campaign({ currency: 'JPY' })],
    [
      'as high as the budgets',
      bid(20_000),
      [],
      campaign({ daily_budget_amount_local_micro: 20_000n, total_budget_amount_local_micro: 20_000n }),
    ],
    [
      'above the daily budget',
      bid(20_000),
      ['SPEND_EXCEEDS_BUDGET bid_amount_local_micro'],
      campaign({ daily_budget_amount_local_micro: 19_999n }),
    ],
    [
      'above the total budget',
      bid(20_000),
      ['SPEND_EXCEEDS_BUDGET bid_amount_local_micro'],
      campaign({ total_budget_amount_local_micro: 19_999n }),
    ],
  ]);

  it('is not stored with AUTO', () => {
    expect(resolve({ bid_strategy: 'AUTO', bid_amount_local_micro: 20_000 }).bid_amount_local_micro).toBeNull();
  });

  it('budgets, unlike bids, are exact to the micro', () => {
    expect(
      faultsOfNew({ daily_budget_amount_local_micro: 1, total_budget_amount_local_micro: 1 }, PER_LINE_ITEM),
    ).toEqual([]);
  });
});

describe('pay_by', () => {
  const rows = objectives.flatMap((objective) =>
    expectedRules[objective].goals.map(([goal, payBy, withTarget]) => [objective, goal, payBy, withTarget] as const),
  );

  it.each(rows)('%s with goal %s is paid by %s', (objective, goal, payBy, withTarget) => {
    expect(resolve({ objective, goal }).pay_by).toBe(payBy);
    const bid_strategy = expectedRules[objective].strategies.find((strategy) => strategy === 'TARGET');
    if (bid_strategy) expect(resolve({ objective, goal, bid_strategy }).pay_by).toBe(withTarget ?? payBy);
  });

  const clicks = { objective: 'WEBSITE_CLICKS', goal: 'LINK_CLICKS', bid_amount_local_micro: 1_400_000 } as const;
  const installs = { objective: 'APP_INSTALLS', goal: 'APP_INSTALLS' } as const;
  newLineItems([
    ['LINK_CLICK for link clicks', { ...clicks, pay_by: 'LINK_CLICK' }, []],
    ['IMPRESSION for link clicks', { ...clicks, pay_by: 'IMPRESSION' }, []],
    ['LINK_CLICK with TARGET', { ...clicks, bid_strategy: 'TARGET', pay_by: 'LINK_CLICK' }, []],
    [
      'IMPRESSION with TARGET',
      { ...clicks, bid_strategy: 'TARGET', pay_by: 'IMPRESSION' },
      ['INVALID_PARAMETER pay_by'],
    ],
    [
      'LINK_CLICK for site visits',
      { ...clicks, goal: 'SITE_VISITS', pay_by: 'LINK_CLICK' },
      ['INVALID_PARAMETER pay_by'],
    ],
    ['APP_CLICK for installs', { ...installs, pay_by: 'APP_CLICK' }, []],
    ['LINK_CLICK for installs', { ...installs, pay_by: 'LINK_CLICK' }, ['INVALID_PARAMETER pay_by']],
    [
      'IMPRESSION for app clicks',
      { ...installs, goal: 'APP_CLICKS', pay_by: 'IMPRESSION' },
      ['INVALID_PARAMETER pay_by'],
    ],
    ['a choice where there is none', { pay_by: 'IMPRESSION' }, ['INVALID_PARAMETER pay_by']],
    ['a wrong goal is one fault, not two', { goal: 'PREROLL', pay_by: 'IMPRESSION' }, ['INVALID_PARAMETER goal']],
  ]);

  it('can be changed for APP_INSTALLS only', () => {
    const changes = { pay_by: 'APP_CLICK' } as const;
    expect(faultsOfChange(stored(installs), changes)).toEqual([]);
    expect(faultsOfChange(stored(clicks), { pay_by: 'LINK_CLICK' })).toEqual(['INVALID_PARAMETER pay_by']);
    expect(faultsOfChange(stored({ objective: 'APP_ENGAGEMENTS' }), changes)).toEqual(['INVALID_PARAMETER pay_by']);
  });

  it('follows a changed goal unless it is given', () => {
    const current = stored(installs);
    expect(change(current, { goal: 'APP_CLICKS' }).pay_by).toBe('APP_CLICK');
    expect(change({ ...current, pay_by: 'APP_CLICK' }, { goal: 'APP_PURCHASES' }).pay_by).toBe('IMPRESSION');
    expect(change(current, { goal: 'APP_PURCHASES', pay_by: 'APP_CLICK' }).pay_by).toBe('APP_CLICK');
    expect(change({ ...current, pay_by: 'APP_CLICK' }, { goal: 'APP_INSTALLS' }).pay_by).toBe('APP_CLICK');
  });

  it('gives way to a bid strategy that rules it out, and stays otherwise', () => {
    const byImpression = stored({ ...clicks, bid_strategy: 'MAX' });
    expect(change(byImpression, { bid_strategy: 'TARGET' })).toMatchObject({ pay_by: 'LINK_CLICK' });
    expect(faultsOfChange(byImpression, { bid_strategy: 'TARGET' })).toEqual([]);
    const byClick = stored({ ...clicks, bid_strategy: 'TARGET' });
    expect(change(byClick, { bid_strategy: 'MAX' })).toMatchObject({ pay_by: 'LINK_CLICK' });
  });
});

describe('frequency cap', () => {
  it.each(objectives)('of %s', (objective) => {
    const refused = ['INVALID_PARAMETER frequency_cap', 'INVALID_PARAMETER duration_in_days'];
    const expected = expectedRules[objective].cap ? [] : refused;
    expect(faultsOfNew({ objective, frequency_cap: 3, duration_in_days: 7 })).toEqual(expected);
  });

  newLineItems([
    ['without a period', { frequency_cap: 3 }, ['INCLUSIVE_PARAMETERS frequency_cap']],
    ['a period without a cap', { duration_in_days: 7 }, ['INCLUSIVE_PARAMETERS duration_in_days']],
    ['where there is none', { objective: 'FOLLOWERS', duration_in_days: 7 }, ['INVALID_PARAMETER duration_in_days']],
  ]);

  it('goes with its period', () => {
    const current = stored({ frequency_cap: 3, duration_in_days: 7 });
    expect(faultsOfChange(current, { frequency_cap: '' })).toEqual(['INCLUSIVE_PARAMETERS duration_in_days']);
    expect(faultsOfChange(current, { frequency_cap: '', duration_in_days: '' })).toEqual([]);
  });
});

describe('budgets', () => {
  const capped = (total: bigint): Around => ({ campaign: { total_budget_amount_local_micro: total } });
  newLineItems([
    ['delivery per line item', { standard_delivery: false }, [], PER_LINE_ITEM],
    ['delivery per campaign', { standard_delivery: true }, ['INVALID_PARAMETER standard_delivery']],
    ['a daily budget per line item', { daily_budget_amount_local_micro: 5 }, [], PER_LINE_ITEM],
    [
      'a daily budget per campaign',
      { daily_budget_amount_local_micro: 5 },
      ['INVALID_PARAMETER daily_budget_amount_local_micro'],
    ],
    [
      'a daily budget equal to the total',
      { daily_budget_amount_local_micro: 5, total_budget_amount_local_micro: 5 },
      [],
      PER_LINE_ITEM,
    ],
    [
      'a daily budget above the total',
      { daily_budget_amount_local_micro: 6, total_budget_amount_local_micro: 5 },
      ['INVALID_PARAMETER daily_budget_amount_local_micro'],
      PER_LINE_ITEM,
    ],
    ['a total equal to that of the campaign', { total_budget_amount_local_micro: 5 }, [], capped(5n)],
    [
      'a total above that of the campaign',
      { total_budget_amount_local_micro: 6 },
      ['SPEND_EXCEEDS_BUDGET total_budget_amount_local_micro'],
      capped(5n),
    ],
    ['a total where the campaign has none', { total_budget_amount_local_micro: 6 }, []],
  ]);

  it('delivery is even by default, and set where the budget is', () => {
    expect(resolve({}, PER_LINE_ITEM).standard_delivery).toBe(true);
    expect(resolve({ standard_delivery: false }, PER_LINE_ITEM).standard_delivery).toBe(false);
    expect(resolve({}).standard_delivery).toBeNull();
  });

  it('a campaign that changed does not keep its line items from being renamed', () => {
    const input = {
      bid_amount_local_micro: 20_000,
      daily_budget_amount_local_micro: 10,
      total_budget_amount_local_micro: 20,
    };
    const current = stored(input, PER_LINE_ITEM);
    const later: Around = { campaign: { daily_budget_amount_local_micro: 1n, total_budget_amount_local_micro: 2n } };
    expect(faultsOfChange(current, { name: 'Renamed' }, later)).toEqual([]);
    expect(faultsOfChange(current, { bid_amount_local_micro: 30_000 }, later)).toEqual([
      'SPEND_EXCEEDS_BUDGET bid_amount_local_micro',
      'SPEND_EXCEEDS_BUDGET bid_amount_local_micro',
    ]);
    expect(faultsOfChange(current, { total_budget_amount_local_micro: 19 }, later)).toEqual([
      'SPEND_EXCEEDS_BUDGET total_budget_amount_local_micro',
    ]);
    expect(faultsOfChange(current, { daily_budget_amount_local_micro: '' }, later)).toEqual([]);
  });
});

describe('a changed line item', () => {
  it('takes what is given and keeps the rest', () => {
    const current = stored({ name: 'North', bid_amount_local_micro: 1_400_000 });
    expect(change(current, { bid_amount_local_micro: 1_600_000, name: '', entity_status: 'PAUSED' })).toEqual({
      ...current,
      bid_amount_local_micro: 1_600_000n,
      name: null,
      entity_status: 'PAUSED',
    });
  });

  it('takes nothing but the parameters of a change', () => {
    const request = {
      ...LineItemChanges.parse({}),
      account_id: '18ce54d4x5t',
      line_item_id: 'other',
      campaign_id: 'other',
    };
    expect(changeLineItem(stored({}), request, PER_CAMPAIGN)).toEqual(stored({}));
  });

  it('delivers itself once the campaign leaves that to it, and no longer once it does not', () => {
    const own = stored({ standard_delivery: false }, PER_LINE_ITEM);
    expect(change(own, {}, PER_LINE_ITEM).standard_delivery).toBe(false);
    expect(change(own, {}).standard_delivery).toBeNull();
    expect(change(stored({}), {}, PER_LINE_ITEM).standard_delivery).toBe(true);
  });

  it('loses its bid with AUTO', () => {
    const current = stored({ bid_amount_local_micro: 1_400_000 });
    expect(change(current, { bid_strategy: 'AUTO' }).bid_amount_local_micro).toBeNull();
    expect(change(stored({}), { bid_amount_local_micro: 20_000 }).bid_amount_local_micro).toBeNull();
  });

  it.each<[string, CreateInput, ChangesInput, string[]]>([
    [
      'a bid removed',
      { bid_amount_local_micro: 20_000 },
      { bid_amount_local_micro: '' },
      ['MISSING_PARAMETER bid_amount_local_micro'],
    ],
    ['MAX without a bid', {}, { bid_strategy: 'MAX' }, ['MISSING_PARAMETER bid_amount_local_micro']],
    ['MAX with a bid', {}, { bid_strategy: 'MAX', bid_amount_local_micro: 20_000 }, []],
    ['an end before the start', {}, { end_time: '2026-01-01' }, ['INVALID_TIME_WINDOW end_time']],
    ['a start after the end', {}, { start_time: '2026-04-01' }, ['INVALID_TIME_WINDOW end_time']],
    ['both moved', {}, { start_time: '2026-04-01', end_time: '2026-05-01' }, []],
    ['categories removed', { categories: 'IAB1' }, { categories: '' }, []],
    [
      'categories of a pre-roll removed',
      { objective: 'PREROLL_VIEWS' },
      { categories: '' },
      ['MISSING_PARAMETER categories'],
    ],
    [
      'domain removed on the network',
      { placements: 'PUBLISHER_NETWORK', advertiser_domain: 'example.com', categories: 'IAB1' },
      { advertiser_domain: '' },
      ['MISSING_PARAMETER advertiser_domain'],
    ],
    [
      'the only app removed',
      { objective: 'APP_INSTALLS' },
      { ios_app_store_identifier: '' },
      ['MISSING_PARAMETER android_app_store_identifier'],
    ],
    [
      'one app in place of another',
      { objective: 'APP_INSTALLS' },
      { ios_app_store_identifier: '', android_app_store_identifier: 'com.example.app' },
      [],
    ],
    ['an advertiser', {}, { advertiser_user_id: '12' }, ['INVALID_PARAMETER advertiser_user_id']],
    ['an advertiser of a pre-roll', { objective: 'PREROLL_VIEWS' }, { advertiser_user_id: '12' }, []],
    ['a goal of another objective', {}, { goal: 'PREROLL' }, ['INVALID_PARAMETER goal']],
    ['a wider audience', {}, { audience_expansion: 'EXPANDED' }, []],
  ])('%s', (_title, input, changes, expected) => {
    expect(faultsOfChange(stored(input), changes)).toEqual(expected);
  });
});

describe('any valid combination', () => {
  const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
  const choosable = ['APP_CLICK', 'IMPRESSION', 'LINK_CLICK'] as const;

  /** Line items made of the tables above, with all that the choices ask for. */
  const anyInput: fc.Arbitrary<CreateInput> = fc.constantFrom(...objectives).chain((objective) => {
    const row = expectedRules[objective];
    return fc
      .record({
        product_type: fc.constantFrom(...row.types),
        goal: fc.constantFrom(undefined, ...row.goals.map(([goal]) => goal)),
        bid_strategy: fc.constantFrom(undefined, ...row.strategies),
        bid_amount_local_micro: fc.bigInt({ min: 1n, max: 1_000n }).map((units) => units * 10_000n),
        cap: fc.constantFrom({}, row.cap ? { frequency_cap: 3, duration_in_days: 30 } : {}),
        categories: fc.constantFrom('IAB18', 'IAB13', 'IAB19-6,IAB2'),
        total_budget_amount_local_micro: optional(fc.bigInt({ min: 1n, max: 2n ** 63n - 1n })),
        entity_status: fc.constantFrom(undefined, 'ACTIVE' as const, 'DRAFT' as const, 'PAUSED' as const),
      })
      .chain(({ cap, ...chosen }) =>
        fc.constantFrom(...placementCombinations[chosen.product_type]).map((combination) => ({
          ...chosen,
          ...cap,
          objective,
          placements:
            objective === 'REACH' && !combination.includes('PLATFORM_TIMELINE')
              ? ['ALL_ON_PLATFORM' as const]
              : [...combination].reverse(),
          advertiser_domain: 'example.com',
          primary_web_event_tag: 'tag',
        })),
      );
  });

  it('is accepted', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        expect(faultsOfNew(input)).toEqual([]);
      }),
    );
  });

  it('is accepted with the way of paying that it has by default, if that can be chosen', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const pay_by = choosable.find((name) => name === resolve(input).pay_by);
        expect(faultsOfNew({ ...input, pay_by })).toEqual([]);
      }),
    );
  });

  it('is the same after a change of nothing, and accepted', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const current = stored(input);
        expect(change(current, {})).toEqual(current);
        expect(faultsOfChange(current, {})).toEqual([]);
      }),
    );
  });
});

describe('limits', () => {
  const NOW = '2026-02-15T12:00:00Z';
  type State = {
    deleted?: boolean;
    entity_status?: EntityStatus;
    end_time?: string | null;
    campaign_deleted?: boolean;
  };

  it.each<[string, State, boolean]>([
    ['active', {}, true],
    ['paused', { entity_status: 'PAUSED' }, true],
    ['draft', { entity_status: 'DRAFT' }, false],
    ['deleted', { deleted: true }, false],
    ['in a deleted campaign', { campaign_deleted: true }, false],
    ['without end', { end_time: null }, true],
    ['ended now', { end_time: NOW }, false],
    ['ending in a second', { end_time: '2026-02-15T12:00:01Z' }, true],
  ])('a line item counts as active, %s', (_title, { campaign_deleted = false, ...state }, expected) => {
    const lineItem = { deleted: false, entity_status: 'ACTIVE' as const, end_time: '2026-03-01T00:00:00Z', ...state };
    expect(countsAsActiveLineItem(lineItem, { deleted: campaign_deleted }, NOW)).toBe(expected);
  });

  it('100 in a campaign and 256 active ones may be reached but not passed', () => {
    expect(checkLineItemLimits({ in_campaign: 100, active: 256 })).toEqual([]);
    const refused = checkLineItemLimits({ in_campaign: 101, active: 257 });
    expect(refused).toMatchObject([
      {
        error: 'TOO_MANY_LINE_ITEMS',
        parameter: 'campaign_id',
        message: expect.stringContaining('up to 100 line items'),
      },
      { error: 'TOO_MANY_LINE_ITEMS', message: expect.stringContaining('up to 256 active line items') },
    ]);
  });
});
