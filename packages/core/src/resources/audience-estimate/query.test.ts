import { expect, test } from 'vitest';
import { type TargetingType, targetingTypes } from '../targeting-criteria/entity.ts';
import { isPrimary } from '../targeting-criteria/types.ts';
import { audienceQuery } from './query.ts';

const criterion = (targeting_type: TargetingType, targeting_value: string, operator_type: 'EQ' | 'NE' = 'EQ') => ({
  targeting_type,
  targeting_value,
  operator_type,
});

test('primary types form one alternative together, every other type one of its own, NE excludes', () => {
  const query = audienceQuery([
    criterion('INTEREST', '1001'),
    criterion('LOCATION', 'aa'),
    criterion('SIMILAR_TO_FOLLOWERS_OF_USER', '7'),
    criterion('LOCATION', 'bb'),
    criterion('AGE', 'AGE_13_TO_24'),
    criterion('LOCATION', 'cc', 'NE'),
    criterion('EXACT_KEYWORD', 'Green tea', 'NE'),
  ]);
  expect(query).toEqual({
    all: [
      [
        { kind: 'interest', value: '1001' },
        { kind: 'similar_to_followers_of', user_id: '7' },
      ],
      [
        { kind: 'location', value: 'aa' },
        { kind: 'location', value: 'bb' },
      ],
      [{ kind: 'age', from: 13, to: 24 }],
    ],
    none: [
      { kind: 'location', value: 'cc' },
      { kind: 'wrote_exactly', words: ['green', 'tea'] },
    ],
  });
});

test('no criteria match everybody', () => {
  expect(audienceQuery([])).toEqual({ all: [], none: [] });
});

test.for([
  ['BROAD_KEYWORD', { kind: 'wrote', groups: [['rain', 'garden'], ['tea']] }],
  ['UNORDERED_KEYWORD', { kind: 'wrote', groups: [['rain', 'garden'], ['tea']] }],
  ['PHRASE_KEYWORD', { kind: 'wrote', groups: [['rain', 'garden', 'tea']] }],
  ['EXACT_KEYWORD', { kind: 'wrote_exactly', words: ['rain', 'garden', 'tea'] }],
] as const)('%s', ([type, trait]) => {
  expect(audienceQuery([criterion(type, 'Rain-garden +tea')]).all).toEqual([[trait]]);
});

test('an age bucket without an upper bound is open', () => {
  expect(audienceQuery([criterion('AGE', 'AGE_OVER_50')]).all).toEqual([[{ kind: 'age', from: 50, to: null }]]);
});

test('every type is counted, matches nobody, or is about the placement of an advertisement', () => {
  const outcomes = Map.groupBy(targetingTypes, (type) => {
    const [[trait] = []] = audienceQuery([criterion(type, '1')]).all;
    if (!trait) return 'no matter';
    return trait.kind === 'unknown' && type !== 'AGE' ? 'nobody' : 'counted';
  });
  expect(outcomes.get('no matter')).toEqual(['APP_LIST', 'CONTENT_PUBLISHER_USER', 'IAB_CATEGORY']);
  expect(outcomes.get('counted')).toEqual([
    'AGE',
    'BROAD_KEYWORD',
    'CUSTOM_AUDIENCE',
    'CUSTOM_AUDIENCE_EXPANDED',
    'EXACT_KEYWORD',
    'FOLLOWERS_OF_USER',
    'GENDER',
    'INTEREST',
    'LANGUAGE',
    'LOCATION',
    'PHRASE_KEYWORD',
    'PLATFORM',
    'SIMILAR_TO_FOLLOWERS_OF_USER',
    'UNORDERED_KEYWORD',
  ]);
  // A primary type that the platform does not record must match nobody; matching everybody would be wrong.
  expect((outcomes.get('nobody') ?? []).some(isPrimary)).toBe(true);
});
