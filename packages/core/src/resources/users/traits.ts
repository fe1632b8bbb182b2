/** Traits of people that are used for targeting and shown to nobody. */
import { object } from '../../wire/object.ts';
import { list, oneOf, removable, text } from '../../wire/types.ts';

/** Parameters of the operator. A list replaces the previous one. */
export const traitParams = object(() => ({
  place: removable(text({ max: 16 }))
    .optional()
    .describe(
      'The smallest place where the user is known to be: a targeting value of a LOCATION. The country follows.',
    ),
  birth_date: removable(text({ pattern: /^\d{4}-\d\d-\d\d$/, format: 'a date such as 1990-06-30' }))
    .optional()
    .describe('When the user was born.'),
  gender: removable(oneOf(['1', '2']))
    .optional()
    .describe('1 for men, 2 for women.'),
  languages: list(text({ max: 10 }), { min: 0, max: 20 })
    .optional()
    .describe('The languages of the user: targeting values of LANGUAGE.'),
  platforms: list(oneOf(['0', '1', '2', '3', '4']), { min: 0, max: 5 })
    .optional()
    .describe('The kinds of device that the user has: targeting values of PLATFORM.'),
  interests: list(text({ max: 10 }), { min: 0, max: 100 })
    .optional()
    .describe('What the user is interested in: targeting values of INTEREST.'),
}));

/** Traits of a person, or changes of them: null and empty lists remove. */
export interface PersonTraits {
  readonly place?: string | null | undefined;
  readonly birth_date?: string | null | undefined;
  readonly gender?: '1' | '2' | null | undefined;
  readonly languages?: readonly string[] | undefined;
  readonly platforms?: readonly string[] | undefined;
  readonly interests?: readonly string[] | undefined;
}
