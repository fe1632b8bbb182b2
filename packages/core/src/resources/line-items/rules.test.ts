import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { objectives, productTypes } from './entity.ts';
import { placementCombinations } from './placements.ts';
import {
  type ChangesInput,
  type CreateInput,
  change,
  errorsOfChange,
  errorsOfNew,
  expectedRules,
  issuesOfNew,
  newLineItems,
  resolve,
  stored,
} from './testing/line-items.ts';

describe('a new line item', () => {
  it.each(objectives)('of objective %s is valid with its defaults', (objective) => {
    expect(errorsOfNew({ objective })).toEqual([]);
  });

  it('has all errors reported at once, with the valid values', () => {
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

describe('product type', () => {
  const pairs = objectives.flatMap((objective) => productTypes.map((type) => [objective, type] as const));

  it.each(pairs)('%s with %s', (objective, product_type) => {
    const expected = expectedRules[objective].types.includes(product_type) ? [] : ['INVALID_PARAMETER product_type'];
    expect(errorsOfNew({ objective, product_type })).toEqual(expected);
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

  it('the issue names both stores', () => {
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
});

describe('frequency cap', () => {
  it.each(objectives)('of %s', (objective) => {
    const errors = ['INVALID_PARAMETER frequency_cap', 'INVALID_PARAMETER duration_in_days'];
    const expected = expectedRules[objective].cap ? [] : errors;
    expect(errorsOfNew({ objective, frequency_cap: 3, duration_in_days: 7 })).toEqual(expected);
  });

  newLineItems([
    ['without a period', { frequency_cap: 3 }, ['INCLUSIVE_PARAMETERS frequency_cap']],
    ['a period without a cap', { duration_in_days: 7 }, ['INCLUSIVE_PARAMETERS duration_in_days']],
    ['where there is none', { objective: 'FOLLOWERS', duration_in_days: 7 }, ['INVALID_PARAMETER duration_in_days']],
  ]);

  it('requires its period', () => {
    const current = stored({ frequency_cap: 3, duration_in_days: 7 });
    expect(errorsOfChange(current, { frequency_cap: '' })).toEqual(['INCLUSIVE_PARAMETERS duration_in_days']);
    expect(errorsOfChange(current, { frequency_cap: '', duration_in_days: '' })).toEqual([]);
  });
});

describe('a changed line item', () => {
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
    expect(errorsOfChange(stored(input), changes)).toEqual(expected);
  });
});

describe('any valid combination', () => {
  const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
  const choosable = ['APP_CLICK', 'IMPRESSION', 'LINK_CLICK'] as const;

  /** Line items generated from the tables above, with everything that the choices require. */
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
        expect(errorsOfNew(input)).toEqual([]);
      }),
    );
  });

  it('is accepted with its default of pay_by, if that can be chosen', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const pay_by = choosable.find((name) => name === resolve(input).pay_by);
        expect(errorsOfNew({ ...input, pay_by })).toEqual([]);
      }),
    );
  });

  it('is the same after a change of nothing, and accepted', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const current = stored(input);
        expect(change(current, {})).toEqual(current);
        expect(errorsOfChange(current, {})).toEqual([]);
      }),
    );
  });
});
