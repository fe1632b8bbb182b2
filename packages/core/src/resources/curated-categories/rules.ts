/** Rules on the terms of a curated category, which the operator sets. */
import { type Issue, invalidParameter } from '../../wire/issues.ts';
import { checkCountries } from '../publishers/rules.ts';

/** The terms of a curated category. Absent members stay unchanged. */
export interface CuratedCategoryTerms {
  readonly country_codes?: readonly string[] | undefined;
  readonly publisher_user_ids?: readonly string[] | undefined;
}

/**
 * Checks that the countries exist and that the users are publishers.
 * @param publishers ids of those users that are publishers
 */
export function checkCuratedTerms(
  terms: CuratedCategoryTerms,
  publishers: ReadonlySet<string>,
): Issue<'INVALID_PARAMETER'>[] {
  const { country_codes = [], publisher_user_ids = [] } = terms;
  const nonPublishers = publisher_user_ids.filter((id) => !publishers.has(id));
  return [
    ...checkCountries('country_codes', country_codes),
    ...nonPublishers.map((id) =>
      invalidParameter(
        'publisher_user_ids',
        id,
        `Expected publishers (publishers.list), got "${id}" for publisher_user_ids`,
      ),
    ),
  ];
}
