import { describe, expect, test } from 'vitest';
import { findCity, findCountry } from '../../data/targeting/locations.ts';
import { checkKeywordQuery, type KeywordQuery, unitsOf } from './rules.ts';

const right: KeywordQuery = {
  keywords: ['tea'],
  start_time: '2026-01-01T00:00:00Z',
  end_time: '2026-01-02T00:00:00Z',
};
const words = (count: number) => Array.from({ length: count }, (_, i) => `tea${i}`);

describe('the parameters of keyword insights', () => {
  test.each<[string, Partial<KeywordQuery>, readonly string[]]>([
    ['one keyword and a day', {}, []],
    ['ten keywords', { keywords: words(10) }, []],
    ['ten keywords in all', { keywords: words(3), negative_keywords: words(7) }, []],
    ['eleven keywords in all', { keywords: words(4), negative_keywords: words(7) }, ['INVALID_PARAMETER keywords']],
    ['a keyword without a word', { keywords: ['tea', '…'] }, ['INVALID_PARAMETER keywords']],
    ['a negative keyword without a word', { negative_keywords: [' '] }, ['INVALID_PARAMETER negative_keywords']],
    ['a link, which is no word', { keywords: ['https://tea.example.com'] }, ['INVALID_PARAMETER keywords']],
    ['seven days', { end_time: '2026-01-08T00:00:00Z' }, []],
    ['a second more', { end_time: '2026-01-08T00:00:01Z' }, ['INVALID_TIME_WINDOW end_time']],
    ['no time at all', { end_time: '2026-01-01T00:00:00Z' }, ['INVALID_TIME_WINDOW end_time']],
    ['an end before the start', { end_time: '2025-12-31T23:59:59Z' }, ['INVALID_TIME_WINDOW end_time']],
    ['a country', { location: findCountry('JP')?.targeting_value }, []],
    ['a city', { location: findCity('US', 'Bellingham')?.targeting_value }, ['INVALID_PARAMETER location']],
    ['the code of a country', { location: 'JP' }, ['INVALID_PARAMETER location']],
    [
      'several faults, each of which is reported',
      { keywords: ['?'], location: '', end_time: '2027-01-01T00:00:00Z' },
      ['INVALID_PARAMETER keywords', 'INVALID_TIME_WINDOW end_time', 'INVALID_PARAMETER location'],
    ],
  ])('%s', (_, change, expected) => {
    const issues = checkKeywordQuery({ ...right, ...change });
    expect(issues.map(({ error, parameter }) => `${error} ${parameter}`)).toEqual(expected);
    for (const { message } of issues) expect(message).toMatch(/^Expected .+, got /);
  });
});

describe('the units of a window', () => {
  test.each([
    ['DAY', '2026-01-02T00:00:00Z', 1],
    ['DAY', '2026-01-01T23:59:59Z', 0],
    ['DAY', '2026-01-08T00:00:00Z', 7],
    ['HOUR', '2026-01-01T00:59:59Z', 0],
    ['HOUR', '2026-01-01T02:30:00Z', 2],
    ['HOUR', '2026-01-08T00:00:00Z', 168],
  ] as const)('%s until %s: %i', (granularity, end_time, count) => {
    expect(unitsOf(granularity, right.start_time, end_time).count).toBe(count);
  });
});
