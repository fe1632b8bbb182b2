import { object } from '../../wire/object.ts';
import { countryCode, id, int, list, numericId, text, time } from '../../wire/types.ts';

/** A selection of publishers that was compiled by hand (specification C, curated category). */
export const CuratedCategory = object(() => ({
  id: id().describe('The curated category.'),
  name: text().describe('What it is called.'),
  description: text({ min: 0, max: 1000 }).describe('What its publishers have in common.'),
  country_codes: list(countryCode(), { min: 0, max: 250 }).describe(
    'The countries in which it is available: a line item targets one of them.',
  ),
  publisher_user_ids: list(numericId(), { min: 0, max: 1000 }).describe('The users who publish.'),
  videos_monetized_in_last_thirty_days: int({ min: 0 }).describe(
    'How many of their videos earned money in thirty days.',
  ),
  created_at: time().describe('When it was made.'),
  updated_at: time().describe('When it last changed.'),
}));
