/** What the operator may say of a curated category. */
import { type Issue, invalidParameter } from '../../wire/issues.ts';
import { checkCountries } from '../publishers/rules.ts';

/** What is said of a curated category. What is left out stays as it is. */
export interface CuratedCategoryTerms {
  readonly country_codes?: readonly string[] | undefined;
  readonly publisher_user_ids?: readonly string[] | undefined;
}

/**
 * Checks that countries exist, and that those who publish are publishers.
 * @param publishers which of the users are
 */
export function checkCuratedTerms(
  terms: CuratedCategoryTerms,
  publishers: ReadonlySet<string>,
): Issue<'INVALID_PARAMETER'>[] {
  const { country_codes = [], publisher_user_ids = [] } = terms;
  const strangers = publisher_user_ids.filter((id) => !publishers.has(id));
  return [
    ...checkCountries('country_codes', country_codes),
    ...strangers.map((id) =>
      invalidParameter(
        'publisher_user_ids',
        id,
        `Expected publishers (publishers.list), got "${id}" for publisher_user_ids`,
      ),
    ),
  ];
}
