/** What the rules say of the criteria that they look at is what they say of all criteria of a line item. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contentCategories } from '../../data/content-categories.ts';
import { devices } from '../../data/targeting/devices.ts';
import { locations } from '../../data/targeting/locations.ts';
import { tvShows } from '../../data/targeting/tv.ts';
import { operatorTypes, type TargetingType, targetingTypes } from './entity.ts';
import { LineItemTargeting } from './line-item-targeting.ts';
import { type LookedAt, lookedAtByCreation, lookedAtByDeletion } from './looked-at.ts';
import { checkCriterion, checkTargeting } from './rules.ts';
import { targetingTypeFacts, typesOfGroup } from './types.ts';
import type { CriterionTerms } from './values.ts';

/** Values that rules connect with one another; those of other types are numbers. */
const values: Readonly<Partial<Record<TargetingType, readonly string[]>>> = {
  DEVICE: devices.rows.slice(0, 4).map(({ targeting_value }) => targeting_value),
  IAB_CATEGORY: contentCategories.flatMap(({ iab_categories }) => iab_categories).slice(0, 5),
  LOCATION: ['US', 'US', 'GB'].map((country, i) => locationIn(country, i)),
  TV_SHOW: tvShows.rows.slice(0, 3).map(({ targeting_value }) => `${targeting_value}`),
  CONTENT_PUBLISHER_USER: ['1', '2', '3', '4', '5', '6', '7'],
};

function locationIn(country: string, place: number): string {
  const found = locations.rows.filter(({ country_code }) => country_code === country);
  return found[place % found.length]?.targeting_value ?? '';
}

const related: readonly TargetingType[] = [
  'AGE',
  'CAMPAIGN_ENGAGEMENT',
  'CONTENT_PUBLISHER_USER',
  'CUSTOM_AUDIENCE',
  'CUSTOM_AUDIENCE_EXPANDED',
  'DEVICE',
  'ENGAGEMENT_TYPE',
  'IAB_CATEGORY',
  'LOCATION',
  'PLATFORM',
  'TV_SHOW',
  'USER_ENGAGEMENT',
];
const criterion: fc.Arbitrary<CriterionTerms> = fc
  .oneof(fc.constantFrom(...related), fc.constantFrom(...targetingTypes))
  .chain((targeting_type) =>
    fc.record({
      targeting_type: fc.constant(targeting_type),
      targeting_value: fc.constantFrom(...(values[targeting_type] ?? ['0', '1', '2'])),
      operator_type: fc.constantFrom(...operatorTypes.slice(0, 2)),
    }),
  );
const held = fc.uniqueArray(criterion, { maxLength: 60, selector: (terms) => Object.values(terms).join(' ') });

/** The targeting that a call has of a line item, as the server reads it. */
function partOf(all: readonly CriterionTerms[], { targeting_value }: CriterionTerms, looked: LookedAt) {
  const { group, types, same_value } = looked;
  const copies = (has: (terms: CriterionTerms) => boolean) => all.filter(has).map((terms) => ({ ...terms }));
  const read = [
    ...copies((terms) => same_value.includes(terms.targeting_type) && terms.targeting_value === targeting_value),
    ...copies((terms) => types.includes(terms.targeting_type)),
  ];
  const counted = group && typesOfGroup(group);
  const count = all.filter(({ targeting_type }) => counted?.includes(targeting_type)).length;
  return new LineItemTargeting(read, group && { group, count });
}

/** The errors of all criteria together that a change adds. */
function added(targeting: LineItemTargeting, change: () => void) {
  const keyOf = ({ targeting_type, targeting_value }: { targeting_type: string; targeting_value?: string }) =>
    `${targeting_type} ${targeting_value}`;
  const before = new Set(checkTargeting(targeting).map(keyOf));
  change();
  return checkTargeting(targeting).filter((error) => !before.has(keyOf(error)));
}

it('a creation', () => {
  fc.assert(
    fc.property(held, criterion, fc.boolean(), fc.boolean(), (all, terms, curated, in_batch) => {
      const looked = lookedAtByCreation(terms);
      const [whole, part] = [new LineItemTargeting(all), partOf(all, terms, looked)];
      const line_item = { id: 'bw2rq', placements: ['ALL_ON_PLATFORM'] } as const;
      expect(part.find(terms)).toEqual(whole.find(terms));
      if (whole.find(terms)) return;
      const state = { line_item: { ...line_item, placements: [...line_item.placements] }, in_batch };
      expect(
        checkCriterion(terms, {
          ...state,
          targeting: part,
          has_curated_category: looked.curated_category && curated,
        }),
      ).toEqual(checkCriterion(terms, { ...state, targeting: whole, has_curated_category: curated }));
      expect(added(part, () => part.add(terms))).toEqual(added(whole, () => whole.add(terms)));
    }),
    { numRuns: 1000 },
  );
});

it('a deletion', () => {
  fc.assert(
    fc.property(held, fc.nat(), (all, place) => {
      const terms = all[place % Math.max(all.length, 1)];
      if (!terms) return;
      const [whole, part] = [new LineItemTargeting(all), partOf(all, terms, lookedAtByDeletion(terms))];
      expect(added(part, () => part.remove(terms))).toEqual(added(whole, () => whole.remove(terms)));
    }),
    { numRuns: 1000 },
  );
});

it('counts those that it does not have', () => {
  const keyword = (i: number) =>
    ({ targeting_type: 'BROAD_KEYWORD', targeting_value: `${i}`, operator_type: 'EQ' }) as const;
  const targeting = new LineItemTargeting([keyword(1)], { group: 'keywords', count: 999 });
  const group = targetingTypeFacts.PHRASE_KEYWORD.group ?? 'age';
  expect(targeting.countOf(group)).toBe(999);
  targeting.add(keyword(2));
  expect(targeting.countOf(group)).toBe(1000);
  targeting.remove(keyword(1));
  expect([targeting.countOf(group), targeting.countOf('locations')]).toEqual([999, 0]);
});

it('a publisher beside a curated category, which lowers the limit', () => {
  const publisher = (i: number) =>
    ({ targeting_type: 'CONTENT_PUBLISHER_USER', targeting_value: `${i}`, operator_type: 'NE' }) as const;
  const all = [1, 2, 3, 4, 5].map(publisher);
  const looked = lookedAtByCreation(publisher(6));
  const issues = checkCriterion(publisher(6), {
    line_item: { id: 'bw2rq', placements: ['ALL_ON_PLATFORM'] },
    targeting: partOf(all, publisher(6), looked),
    has_curated_category: looked.curated_category,
    in_batch: true,
  });
  expect(issues).toMatchObject([{ error: 'REQUEST_TOO_COMPLEX' }]);
});
