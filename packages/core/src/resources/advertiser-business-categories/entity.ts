import { object } from '../../wire/object.ts';
import { id, list, text } from '../../wire/types.ts';

/** A kind of business that a line item can advertise (specification C, advertiser business category). */
export const AdvertiserBusinessCategory = object(() => ({
  id: id().describe('The category.'),
  name: text().describe('What it is called.'),
  iab_categories: list(text(), { max: 400 }).describe('The IAB categories by which a line item names it.'),
}));
