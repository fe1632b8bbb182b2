import { object } from '../../wire/object.ts';
import { id, int, list, text } from '../../wire/types.ts';

/** A category of content that publishers produce (specification C, content category). */
export const ContentCategory = object(() => ({
  id: id().describe('The category.'),
  name: text().describe('What it is called.'),
  iab_categories: list(text(), { max: 400 }).describe('The IAB categories by which a line item targets it.'),
  publishers_in_last_thirty_days: int({ min: 0 }).describe('How many publishers had videos of it in thirty days.'),
  videos_monetized_in_last_thirty_days: int({ min: 0 }).describe('How many videos of it earned money in thirty days.'),
}));
