/** IAB categories of a line item, and the advertiser business categories that contain them. */
import { advertiserBusinessCategoryOf } from '../../data/advertiser-business-categories.ts';
import { isIabCategory } from '../../data/iab-categories.ts';
import { type Issue, invalidParameter, missingParameter } from '../../wire/issues.ts';
import { show } from '../../wire/show.ts';
import type { Objective } from './entity.ts';
import type { NewLineItem } from './surroundings.ts';

/** A PREROLL_VIEWS line item advertises one or two businesses (specification C, Lookups without parameters). */
const MAX_BUSINESS_CATEGORIES = 2;

/** Completes the categories: with PREROLL_VIEWS, part of an advertiser business category means all of it (reference 9.4). */
export function wholeCategories(objective: Objective, categories: readonly string[]): string[] {
  if (objective !== 'PREROLL_VIEWS') return [...categories];
  return [...new Set(categories.flatMap((id) => advertiserBusinessCategoryOf(id)?.iab_categories ?? [id]))];
}
type CategoryIssue = Issue<'INVALID_IAB_CATEGORY' | 'INVALID_PARAMETER' | 'MISSING_PARAMETER'>;

/** Checks that the categories exist; with PREROLL_VIEWS they must belong to one or two businesses. */
export function checkCategories({ objective, placements, categories }: NewLineItem): CategoryIssue[] {
  const issues: CategoryIssue[] = categories
    .filter((id) => !isIabCategory(id))
    .map((value) => ({
      error: 'INVALID_IAB_CATEGORY',
      parameter: 'categories',
      value,
      message: `Expected ids of IAB categories, such as IAB1 or IAB1-1, got ${show(value)} for categories`,
    }));
  if (objective !== 'PREROLL_VIEWS') return issues;
  if (categories.length === 0) {
    // `checkPublisherNetwork` reports the other case.
    return placements.includes('PUBLISHER_NETWORK')
      ? []
      : [missingParameter('categories', 'with objective PREROLL_VIEWS')];
  }
  return [...issues, ...checkBusinesses(categories.filter(isIabCategory))];
}

function checkBusinesses(categories: readonly string[]): Issue<'INVALID_PARAMETER'>[] {
  const unassigned = categories.filter((id) => !advertiserBusinessCategoryOf(id));
  const businesses = new Set(categories.flatMap((id) => advertiserBusinessCategoryOf(id)?.name ?? []));
  const wanted = 'Expected the IAB categories of one or two advertiser business categories for objective PREROLL_VIEWS';
  const issues = unassigned.map((id) => invalidParameter('categories', id, `${wanted}; ${id} belongs to none`));
  if (businesses.size > MAX_BUSINESS_CATEGORIES) {
    issues.push(invalidParameter('categories', categories, `${wanted}, got those of ${[...businesses].join(', ')}`));
  }
  return issues;
}
