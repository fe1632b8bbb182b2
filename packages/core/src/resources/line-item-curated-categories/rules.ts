/** Rules on line items with a curated category. */
import { locations } from '../../data/targeting/locations.ts';
import type { Issue } from '../../wire/issues.ts';
import type { LineItemTargeting } from '../targeting-criteria/line-item-targeting.ts';
import { PUBLISHERS_OF_CURATED } from '../targeting-criteria/rules.ts';

/** The state that decides whether a line item can have a curated category. */
export interface CuratedCategoryState {
  readonly line_item_id: string;
  readonly category: { readonly id: string; readonly country_codes: readonly string[] };
  readonly targeting: LineItemTargeting;
  /** The id of another assignment of a curated category to the line item, if there is one. */
  readonly existing: string | undefined;
}

/**
 * Checks that a line item can have a curated category (specification C, Curated categories; reference 11). Our reading: it
 * targets a country of the category if it targets that country or a place in it.
 */
export function checkCuratedCategory({
  line_item_id,
  category,
  targeting,
  existing,
}: CuratedCategoryState): Issue<'INCOMPATIBLE_LINE_ITEM'>[] {
  const reasons: string[] = [];
  if (existing !== undefined) {
    reasons.push(`The line item has a curated category already, as ${existing}; change or delete that`);
  }
  if (targeting.has('IAB_CATEGORY')) {
    reasons.push('A line item has a curated category or content categories; delete its IAB_CATEGORY criteria first');
  }
  if (targeting.countOf('publishers') > PUBLISHERS_OF_CURATED) {
    reasons.push(
      `A line item with a curated category leaves out up to ${PUBLISHERS_OF_CURATED} publishers; delete some of the CONTENT_PUBLISHER_USER criteria first`,
    );
  }
  const targeted = new Set(targeting.values('LOCATION').map((value) => locations.find(value)?.country_code));
  if (!category.country_codes.some((code) => targeted.has(code))) {
    const countries = category.country_codes.join(', ') || 'no country';
    reasons.push(
      `Curated category ${category.id} is available in ${countries}; the line item must target a location there first`,
    );
  }
  return reasons.map((message) => ({
    error: 'INCOMPATIBLE_LINE_ITEM',
    parameter: 'line_item_id',
    value: line_item_id,
    message,
  }));
}
