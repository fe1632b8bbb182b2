import { object } from '../../wire/object.ts';
import { boolean, countryCode, id, list, numericId, text } from '../../wire/types.ts';

// More than the number of countries.
const countryCodes = () => list(countryCode(), { min: 0, max: 250 });

/** A publisher of videos beside which advertisements are shown (specification C, Lookups without parameters). */
export const Publisher = object(() => ({
  username: text().describe('The screen name, without @.'),
  user_id: numericId().describe('The user.'),
  monetizable_country_codes: countryCodes().describe('The countries in which the videos earn money.'),
  promotion_eligible_country_codes: countryCodes().describe('The countries in which the videos can be promoted.'),
  monetization_restricted: boolean().describe('Whether the videos may not earn money at present.'),
  content_category_ids: list(id(), { min: 0, max: 100 }).describe('The content categories of the videos.'),
}));
