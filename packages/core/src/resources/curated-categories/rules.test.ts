import { expect, it } from 'vitest';
import { checkCuratedTerms } from './rules.ts';

const publishers = new Set(['1', '2']);

it('a curated category has countries that exist and publishers', () => {
  expect(checkCuratedTerms({ country_codes: ['US', 'JP'], publisher_user_ids: ['2'] }, publishers)).toEqual([]);
  expect(checkCuratedTerms({ country_codes: [], publisher_user_ids: [] }, publishers)).toEqual([]);
});

it('absent members are not checked', () => {
  expect(checkCuratedTerms({}, new Set())).toEqual([]);
});

it('each country that does not exist and each user who is not a publisher is reported', () => {
  const terms = { country_codes: ['XX', 'US', 'UK'], publisher_user_ids: ['1', '3', '4'] };
  expect(checkCuratedTerms(terms, publishers)).toMatchObject([
    { error: 'INVALID_PARAMETER', parameter: 'country_codes', value: 'XX' },
    { error: 'INVALID_PARAMETER', parameter: 'country_codes', value: 'UK' },
    { error: 'INVALID_PARAMETER', parameter: 'publisher_user_ids', value: '3' },
    { error: 'INVALID_PARAMETER', parameter: 'publisher_user_ids', value: '4' },
  ]);
});
