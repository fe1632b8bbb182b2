import { interests as interestOptions } from '../../data/targeting/interests.ts';
import { languages as languageOptions } from '../../data/targeting/languages.ts';
import { locations } from '../../data/targeting/locations.ts';
import type { Issue } from '../../wire/errors.ts';
import type { PersonTraits } from './traits.ts';

/** Earlier dates are mistakes. */
const EARLIEST_BIRTH = '1900-01-01';

/** Whether a date of birth is a day that has been. */
export function isBirthDate(date: string): boolean {
  const ms = Date.parse(`${date}T00:00:00Z`);
  return date >= EARLIEST_BIRTH && !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
}

/** What is wrong with what is said of a person: each value is one that can be targeted. */
export function checkTraits({ place, birth_date, languages = [], interests = [] }: PersonTraits): Issue[] {
  const issues: Issue[] = [];
  const refuse = (parameter: string, value: unknown, expected: string) => {
    const message = `Expected ${expected}, got ${JSON.stringify(value)} for ${parameter}`;
    issues.push({ error: 'INVALID_PARAMETER', parameter, value, message });
  };
  if (typeof place === 'string' && !locations.find(place)) refuse('place', place, 'the targeting value of a location');
  if (typeof birth_date === 'string' && !isBirthDate(birth_date)) {
    refuse('birth_date', birth_date, `a day from ${EARLIEST_BIRTH} on`);
  }
  const language = languages.find((value) => !languageOptions.find(value));
  if (language !== undefined) refuse('languages', language, 'the targeting values of languages');
  const interest = interests.find((value) => !interestOptions.find(value));
  if (interest !== undefined) refuse('interests', interest, 'the targeting values of interests');
  return issues;
}
