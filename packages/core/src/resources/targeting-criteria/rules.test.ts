import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentCategories } from '../../data/content-categories.ts';
import { interests } from '../../data/targeting/interests.ts';
import { type Placement, placements } from '../line-items/entity.ts';
import type { AudienceFacts } from './audiences.ts';
import { type OperatorType, operatorTypes, type TargetingType, targetingTypes } from './entity.ts';
import { LineItemTargeting } from './line-item-targeting.ts';
import { type CriterionState, checkCriterion, checkTargeting } from './rules.ts';
import { criteriaLimits, isPrimary, targetingTypeFacts } from './types.ts';
import { type CriterionTerms, readCriterion } from './values.ts';

function criterion(
  targeting_type: TargetingType,
  targeting_value: string,
  operator_type: CriterionTerms['operator_type'] = 'EQ',
): CriterionTerms {
  return { targeting_type, targeting_value, operator_type };
}

function errors(terms: CriterionTerms, around: readonly CriterionTerms[] = [], state: Partial<CriterionState> = {}) {
  const issues = checkCriterion(terms, {
    line_item: { id: 'bw2rq', placements: ['ALL_ON_PLATFORM'] },
    targeting: new LineItemTargeting(around),
    has_curated_category: false,
    in_batch: true,
    ...state,
  });
  return issues.map(({ error, parameter }) => `${error} ${parameter}`);
}

const at = (...where: Placement[]) => ({ line_item: { id: 'bw2rq', placements: where } });

describe('a new criterion', () => {
  it.each<[string, CriterionTerms, readonly CriterionTerms[], Partial<CriterionState>, string[]]>([
    ['alone', criterion('INTEREST', '1001'), [], {}, []],
    [
      'an audience beside its lookalike',
      criterion('CUSTOM_AUDIENCE', 'a'),
      [criterion('CUSTOM_AUDIENCE_EXPANDED', 'a')],
      {},
      ['INVALID_PARAMETER targeting_value'],
    ],
    [
      'a lookalike beside its audience, which is left out',
      criterion('CUSTOM_AUDIENCE_EXPANDED', 'a'),
      [criterion('CUSTOM_AUDIENCE', 'a', 'NE')],
      {},
      ['INVALID_PARAMETER targeting_value'],
    ],
    [
      'a lookalike beside another audience',
      criterion('CUSTOM_AUDIENCE_EXPANDED', 'a'),
      [criterion('CUSTOM_AUDIENCE', 'b')],
      {},
      [],
    ],
    ['a device beside its platform left out', criterion('DEVICE', '1r'), [criterion('PLATFORM', '0', 'NE')], {}, []],
    [
      'a device beside its platform',
      criterion('DEVICE', '1r'),
      [criterion('PLATFORM', '0')],
      {},
      ['INVALID_PARAMETER targeting_value'],
    ],
    ['an app list in the network', criterion('APP_LIST', '1', 'NE'), [], at('TAP_BANNER'), []],
    [
      'an app list elsewhere',
      criterion('APP_LIST', '1', 'NE'),
      [],
      at('PLATFORM_TIMELINE'),
      ['INVALID_PARAMETER targeting_type'],
    ],
    [
      'a single category outside a batch',
      criterion('IAB_CATEGORY', 'IAB17'),
      [],
      { in_batch: false },
      ['INVALID_PARAMETER targeting_type'],
    ],
    [
      'everything wrong at once',
      criterion('IAB_CATEGORY', 'IAB17'),
      [criterion('IAB_CATEGORY', 'IAB17', 'NE')],
      { in_batch: false, has_curated_category: true },
      ['INVALID_PARAMETER targeting_type', 'INVALID_PARAMETER operator_type', 'INCOMPATIBLE_LINE_ITEM line_item_id'],
    ],
  ])('%s', (_title, terms, around, state, expected) => {
    expect(errors(terms, around, state)).toEqual(expected);
  });

  it.each(Object.entries(criteriaLimits))('is rejected beyond the limit of %s', (group, limit) => {
    const types = targetingTypes.filter((type) => targetingTypeFacts[type].group === group);
    const [type = 'AGE'] = types;
    const others = Array.from({ length: limit }, (_, i) => criterion(types[i % types.length] ?? type, `${i}`));
    expect(errors(criterion(type, 'x'), others.slice(1))).toEqual([]);
    expect(errors(criterion(type, 'x'), others)).toEqual(['REQUEST_TOO_COMPLEX targeting_type']);
  });

  it('is rejected by its placements only if none of them accepts it', () => {
    const search: TargetingType[] = ['INTEREST', 'TV_SHOW', 'USER_ENGAGEMENT', 'FOLLOWERS_OF_USER'];
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom(...placements), { minLength: 1 }), (where) => {
        const onlySearch = where.every((placement) => placement === 'PLATFORM_SEARCH');
        const onlyFeed = where.every((name) => name === 'PLATFORM_TIMELINE' || name === 'PLATFORM_PROFILE');
        for (const type of search) expect(errors(criterion(type, 'x'), [], at(...where)).length > 0).toBe(onlySearch);
        expect(errors(criterion('EXACT_KEYWORD', 'x'), [], at(...where)).length > 0).toBe(onlyFeed);
        expect(errors(criterion('BROAD_KEYWORD', 'x'), [], at(...where))).toEqual([]);
      }),
    );
  });
});

describe('the criteria of a line item', () => {
  it('contain complete content categories, for each category', () => {
    fc.assert(
      fc.property(fc.subarray([...contentCategories]), (categories) => {
        const targeting = new LineItemTargeting(
          categories.flatMap(({ iab_categories }) => iab_categories.map((id) => criterion('IAB_CATEGORY', id))),
        );
        expect(checkTargeting(targeting)).toEqual([]);
      }),
    );
  });

  it('have an error for each member of an incomplete content category', () => {
    const divisible = contentCategories.filter(({ iab_categories }) => iab_categories.length > 1);
    fc.assert(
      fc.property(fc.constantFrom(...divisible), fc.nat(), (category, seed) => {
        const missing = category.iab_categories[seed % category.iab_categories.length];
        const rest = category.iab_categories.filter((id) => id !== missing);
        const targeting = new LineItemTargeting(rest.map((id) => criterion('IAB_CATEGORY', id)));
        const found = checkTargeting(targeting);
        expect(found.map(({ targeting_value }) => targeting_value)).toEqual(rest);
        for (const { issue } of found) expect(issue.message).toContain(`${missing} would be missing`);
      }),
    );
  });

  it('are found, counted and removed as in a plain list', () => {
    const terms = fc.record({
      targeting_type: fc.constantFrom<TargetingType>('INTEREST', 'BROAD_KEYWORD', 'EXACT_KEYWORD', 'AGE'),
      targeting_value: fc.constantFrom('1', '2', '3 EQ'),
      operator_type: fc.constantFrom(...operatorTypes),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), terms), { maxLength: 40 }), (steps) => {
        const targeting = new LineItemTargeting();
        const list = new Map<string, CriterionTerms>();
        for (const [adds, step] of steps) {
          const key = JSON.stringify([step.targeting_type, step.operator_type, step.targeting_value]);
          expect(targeting.find(step)).toBe(list.get(key));
          if (adds && !list.has(key)) {
            targeting.add(step);
            list.set(key, step);
          } else if (!adds) {
            targeting.remove(step);
            list.delete(key);
          }
        }
        const all = [...list.values()];
        const of = (type: TargetingType) => all.filter(({ targeting_type }) => targeting_type === type);
        expect(targeting.countOf('keywords')).toBe(of('BROAD_KEYWORD').length + of('EXACT_KEYWORD').length);
        expect(targeting.count('INTEREST')).toBe(of('INTEREST').length);
        expect(targeting.has('AGE')).toBe(of('AGE').length > 0);
        expect(targeting.values('INTEREST')).toEqual(
          of('INTEREST').flatMap(({ operator_type, targeting_value }) =>
            operator_type === 'EQ' ? [targeting_value] : [],
          ),
        );
      }),
    );
  });
});

describe('reading a criterion', () => {
  const user = { screen_name: 'ada', is_full: false, is_promotable: false, is_publisher: false };
  const usable = {
    is: 'usable',
    targetable: true,
    reasons_not_targetable: [],
    targetable_types: ['CRM', 'EXCLUDED_CRM'],
  } as const;

  it.each([
    ['FOLLOWERS_OF_USER', { user: { ...user, is_promotable: true } }, false],
    ['FOLLOWERS_OF_USER', { user: { ...user, is_promotable: true, is_full: true } }, true],
    ['USER_ENGAGEMENT', { user }, false],
    ['USER_ENGAGEMENT', { user: { ...user, is_promotable: true } }, true],
    ['SIMILAR_TO_FOLLOWERS_OF_USER', { user }, true],
    ['SIMILAR_TO_FOLLOWERS_OF_USER', {}, false],
    ['CUSTOM_AUDIENCE', { audience: usable }, true],
    ['CUSTOM_AUDIENCE', { audience: { ...usable, reasons_not_targetable: ['PROCESSING'] } }, true],
    ['CUSTOM_AUDIENCE', { audience: { ...usable, targetable: false } }, false],
    ['CUSTOM_AUDIENCE', { audience: { is: 'deleted' } }, false],
    ['CUSTOM_AUDIENCE_EXPANDED', { audience: { is: 'no longer shared' } }, false],
    ['CUSTOM_AUDIENCE', {}, false],
    ['CAMPAIGN_ENGAGEMENT', { campaign: { name: 'Autumn' } }, true],
    ['CAMPAIGN_ENGAGEMENT', {}, false],
  ] as const)('%s of %j', (type, facts, sound) => {
    const { issues } = readCriterion(criterion(type, '7'), facts);
    expect(issues.map(({ parameter }) => parameter)).toEqual(sound ? [] : ['targeting_value']);
  });

  it.each<[string, AudienceFacts | undefined, OperatorType, string]>([
    ['an unknown audience', undefined, 'EQ', 'the id of a custom audience of the account'],
    ['a deleted audience', { is: 'deleted' }, 'EQ', 'deleted'],
    ['an audience that is no longer shared', { is: 'no longer shared' }, 'NE', 'no longer shared with the account'],
    ['one on such a leaf', { is: 'built on a lost one', custom_audience_id: 'x7' }, 'EQ', 'combines the audience x7'],
    [
      'a small audience',
      { ...usable, targetable: false, reasons_not_targetable: ['PROCESSING', 'TOO_SMALL'] },
      'EQ',
      'it is PROCESSING and TOO_SMALL',
    ],
    ['one that cannot be left out', { ...usable, targetable_types: ['CRM'] }, 'NE', 'targetable_types are CRM'],
    ['one that can be left out only', { ...usable, targetable_types: ['EXCLUDED_CRM'] }, 'EQ', 'are EXCLUDED_CRM'],
  ])('says why %s cannot be targeted', (_, audience, operator, why) => {
    const { issues } = readCriterion(criterion('CUSTOM_AUDIENCE', '7', operator), audience ? { audience } : {});
    expect(issues).toMatchObject([{ error: 'INVALID_PARAMETER', parameter: 'targeting_value', value: '7' }]);
    expect(issues[0]?.message).toContain(why);
  });

  it('excludes publishers only', () => {
    const terms = criterion('CONTENT_PUBLISHER_USER', '7', 'NE');
    expect(readCriterion(terms, { user: { ...user, is_publisher: true } })).toEqual({ name: 'ada', issues: [] });
    expect(readCriterion(terms, { user }).issues).toHaveLength(1);
  });

  it('names a value as its lookup does, and accepts no other text', () => {
    const known = new Map(interests.rows.map(({ targeting_value, name }) => [targeting_value, name]));
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...known.keys()), fc.string()), (value) => {
        const { name, issues } = readCriterion(criterion('INTEREST', value), {});
        expect(issues.length === 0).toBe(known.has(value));
        if (known.has(value)) expect(name).toBe(known.get(value));
      }),
    );
  });

  it.each<[TargetingType, readonly string[], readonly string[]]>([
    ['NETWORK_ACTIVATION_DURATION', ['0', '9', '999'], ['1000', '01', '-1', '1.5', '1e2', ' 1', '']],
    ['LIVE_TV_EVENT', ['1ex', '3w5e11264sgsf'], ['3w5e11264sgsf0', '1EX', '1-ex', '']],
    ['WIFI_ONLY', ['1'], ['0', 'true', '01']],
    ['PLATFORM', ['0', '1', '2', '3', '4'], ['5', '-1', '00', 'iOS']],
    [
      'BROAD_KEYWORD',
      ['+autumn books', '🎃', '#a', 'ß', '7', '本'],
      ['', ' ', '\u00a0\t', '!?', '+', 'https://example.com'],
    ],
  ])('%s takes what it can mean and no more', (type, right, wrong) => {
    const issuesOf = (value: string) => readCriterion(criterion(type, value), {}).issues;
    const isInvalid = (value: string) => issuesOf(value).some(({ parameter }) => parameter === 'targeting_value');
    expect(right.filter(isInvalid)).toEqual([]);
    expect(wrong.filter((value) => !isInvalid(value))).toEqual([]);
  });

  it('never fails on a text, whatever the type', () => {
    fc.assert(
      fc.property(fc.constantFrom(...targetingTypes), fc.string({ minLength: 1 }), (type, value) => {
        const { name } = readCriterion(criterion(type, value), {});
        expect(name.length).toBeGreaterThan(0);
      }),
    );
    for (const value of ['constructor', '__proto__', 'toString']) {
      for (const type of targetingTypes.filter((known) => !targetingTypeFacts[known].kind.includes('keyword'))) {
        if (type === 'LIVE_TV_EVENT') continue;
        expect(readCriterion(criterion(type, value), {}).issues.length, `${type} ${value}`).toBeGreaterThan(0);
      }
    }
  });
});

it('each type has an operator, and says whether it is primary', () => {
  for (const type of targetingTypes) {
    expect(targetingTypeFacts[type].operators.length).toBeGreaterThan(0);
    expect(isPrimary(type)).toBe(targetingTypeFacts[type].primary);
  }
});
