import { describe, expect, it } from 'vitest';
import { findCity, findCountry } from '../../data/targeting/locations.ts';
import { LineItemTargeting } from '../targeting-criteria/line-item-targeting.ts';
import type { CriterionTerms } from '../targeting-criteria/values.ts';
import { checkCuratedCategory } from './rules.ts';

const country = (code: string, operator_type: 'EQ' | 'NE' = 'EQ'): CriterionTerms => ({
  targeting_type: 'LOCATION',
  targeting_value: findCountry(code)?.targeting_value ?? '',
  operator_type,
});

const city: CriterionTerms = {
  targeting_type: 'LOCATION',
  targeting_value: findCity('US', 'Los Angeles')?.targeting_value ?? '',
  operator_type: 'EQ',
};

const content: CriterionTerms = { targeting_type: 'IAB_CATEGORY', targeting_value: 'IAB1', operator_type: 'EQ' };

const without = (count: number) =>
  Array.from(
    { length: count },
    (_, i): CriterionTerms => ({
      targeting_type: 'CONTENT_PUBLISHER_USER',
      targeting_value: `${i}`,
      operator_type: 'NE',
    }),
  );

function reasons(criteria: readonly CriterionTerms[], country_codes = ['US', 'CA'], existing?: string): string[] {
  const issues = checkCuratedCategory({
    line_item_id: 'bw2rq',
    category: { id: '9ddrgesiap6o', country_codes },
    targeting: new LineItemTargeting(criteria),
    existing,
  });
  for (const issue of issues) expect(issue).toMatchObject({ error: 'INCOMPATIBLE_LINE_ITEM', value: 'bw2rq' });
  return issues.map(({ message }) => message ?? '');
}

describe('a line item can have a curated category', () => {
  it.each<[string, readonly CriterionTerms[], RegExp[]]>([
    ['when it targets one of the countries', [country('CA')], []],
    ['when it targets a place there', [city], []],
    ['when it targets others too', [country('GB'), country('US')], []],
    ['not when it targets another country', [country('GB')], [/available in US, CA/]],
    ['not when it targets no location', [], [/available in US, CA/]],
    ['not when it leaves the country out', [country('US', 'NE')], [/available in US, CA/]],
    ['not beside content categories', [country('US'), content], [/IAB_CATEGORY/]],
    ['when it leaves out five publishers', [country('US'), ...without(5)], []],
    ['not when it leaves out six', [country('US'), ...without(6)], [/CONTENT_PUBLISHER_USER/]],
  ])('%s', (_title, criteria, expected) => {
    expect(reasons(criteria)).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
  });

  it('unless the category is available nowhere', () => {
    expect(reasons([country('US')], [])).toEqual([expect.stringMatching(/no country/)]);
  });

  it('once, and all reasons are reported', () => {
    expect(reasons([country('US')], ['US'], 'yav')).toEqual([expect.stringContaining('yav')]);
    expect(reasons([content, ...without(6)], ['US'], 'yav')).toHaveLength(4);
  });
});
