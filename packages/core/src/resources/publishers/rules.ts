/** Rules on the terms of a publisher, which the operator sets. */
import { contentCategories } from '../../data/content-categories.ts';
import { isCountryCode } from '../../data/targeting/countries.ts';
import { type Issue, invalidParameter } from '../../wire/issues.ts';

/** The terms of a publisher, without the user. */
export interface PublisherTerms {
  readonly monetizable_country_codes: readonly string[];
  readonly promotion_eligible_country_codes: readonly string[];
  readonly content_category_ids: readonly string[];
}

const contentCategoryIds: ReadonlySet<string> = new Set(contentCategories.map(({ id }) => id));

/** Checks that countries and content categories exist. */
export function checkPublisher(terms: PublisherTerms): Issue<'INVALID_PARAMETER'>[] {
  const unknown = terms.content_category_ids.filter((id) => !contentCategoryIds.has(id));
  return [
    ...checkCountries('monetizable_country_codes', terms.monetizable_country_codes),
    ...checkCountries('promotion_eligible_country_codes', terms.promotion_eligible_country_codes),
    ...unknown.map((id) =>
      invalidParameter(
        'content_category_ids',
        id,
        `Expected ids of content categories (content_categories.list), got "${id}" for content_category_ids`,
      ),
    ),
  ];
}

/** Checks that country codes exist. */
export function checkCountries(parameter: string, country_codes: readonly string[]): Issue<'INVALID_PARAMETER'>[] {
  return country_codes
    .filter((code) => !isCountryCode(code))
    .map((code) =>
      invalidParameter(parameter, code, `Expected ISO 3166-1 codes of countries, got "${code}" for ${parameter}`),
    );
}
