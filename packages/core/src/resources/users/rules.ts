import { interests as interestOptions } from '../../data/targeting/interests.ts';
import { languages as languageOptions } from '../../data/targeting/languages.ts';
import { locations } from '../../data/targeting/locations.ts';
import { type Issue, invalidParameter } from '../../wire/issues.ts';
import type { PersonTraits } from './traits.ts';

/** Earlier dates are treated as mistakes. */
const EARLIEST_BIRTH = '1900-01-01';

/** Reports whether a date of birth is a valid day that is not in the future. */
export function isBirthDate(date: string): boolean {
  const ms = Date.parse(`${date}T00:00:00Z`);
  return date >= EARLIEST_BIRTH && !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
}

/** Checks that each trait of a person is a value that can be targeted. */
export function checkTraits({
  place,
  birth_date,
  languages = [],
  interests = [],
}: PersonTraits): Issue<'INVALID_PARAMETER'>[] {
  const issues: Issue<'INVALID_PARAMETER'>[] = [];
  const reject = (parameter: string, value: unknown, expected: string) => {
    const message = `Expected ${expected}, got ${JSON.stringify(value)} for ${parameter}`;
    issues.push(invalidParameter(parameter, value, message));
  };
  if (typeof place === 'string' && !locations.find(place)) reject('place', place, 'the targeting value of a location');
  if (typeof birth_date === 'string' && !isBirthDate(birth_date)) {
    reject('birth_date', birth_date, `a day from ${EARLIEST_BIRTH} on`);
  }
  const language = languages.find((value) => !languageOptions.find(value));
  if (language !== undefined) reject('languages', language, 'the targeting values of languages');
  const interest = interests.find((value) => !interestOptions.find(value));
  if (interest !== undefined) reject('interests', interest, 'the targeting values of interests');
  return issues;
}
