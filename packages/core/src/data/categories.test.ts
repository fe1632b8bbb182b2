import { expect, it } from 'vitest';
import { advertiserBusinessCategories, advertiserBusinessCategoryOf } from './advertiser-business-categories.ts';
import { contentCategories } from './content-categories.ts';
import { iabCategories, isIabCategory } from './iab-categories.ts';
import { derivedPlace } from './targeting/derived-value.ts';

it('the taxonomy has 26 top-level categories and 366 below them, each once', () => {
  const top = iabCategories.filter(({ parent_id }) => parent_id === null);
  expect([top.length, iabCategories.length - top.length]).toEqual([26, 366]);
  expect(new Set(iabCategories.map(({ id }) => id)).size).toBe(392);
});

it('every subcategory names a top-level category that precedes it', () => {
  const seen = new Set<string>();
  for (const { id, parent_id } of iabCategories) {
    if (parent_id === null) seen.add(id);
    else expect(seen, id).toContain(parent_id);
  }
});

it.each([
  ['IAB1', true],
  ['IAB26-4', true],
  ['IAB27', false],
  ['iab1', false],
  ['', false],
])('%j is a category: %s', (id, known) => {
  expect(isIabCategory(id)).toBe(known);
});

it('16 businesses divide known IAB categories among them, each assigned once', () => {
  const ids = advertiserBusinessCategories.flatMap(({ iab_categories }) => iab_categories);
  expect(advertiserBusinessCategories).toHaveLength(16);
  expect(ids).toHaveLength(123);
  expect(new Set(ids).size).toBe(123);
  expect(ids.every(isIabCategory)).toBe(true);
});

it('finds the business that an IAB category represents', () => {
  expect(advertiserBusinessCategoryOf('IAB8-18')?.name).toBe('Alcohol');
  expect(advertiserBusinessCategoryOf('IAB8')).toBeUndefined();
});

it('15 kinds of content divide known IAB categories among them, each assigned once', () => {
  const ids = contentCategories.flatMap(({ iab_categories }) => iab_categories);
  expect(contentCategories).toHaveLength(15);
  expect(ids).toHaveLength(75);
  expect(new Set(ids).size).toBe(75);
  expect(ids.every(isIabCategory)).toBe(true);
  const sums = (member: 'publishers_in_last_thirty_days' | 'videos_monetized_in_last_thirty_days') =>
    contentCategories.reduce((sum, category) => sum + category[member], 0);
  expect([sums('publishers_in_last_thirty_days'), sums('videos_monetized_in_last_thirty_days')]).toEqual([1146, 39698]);
});

// Digests of the tables of the reference: rows, wording and order are facts.
it.each([
  ['iab_categories', iabCategories, '72a3273bb1a2f8a6'],
  ['content_categories', contentCategories, 'cc24801bb9856e26'],
  ['advertiser_business_categories', advertiserBusinessCategories, '060a502f343c63a6'],
])('%s are exactly those of the reference', (_name, rows, digest) => {
  expect(derivedPlace(JSON.stringify(rows))).toBe(digest);
});
