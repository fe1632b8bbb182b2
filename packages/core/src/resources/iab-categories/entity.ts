import { object } from '../../wire/object.ts';
import { id, text } from '../../wire/types.ts';

/** A category of the content taxonomy (specification C, IAB category). */
export const IabCategory = object(() => ({
  id: id().describe('The category.'),
  parent_id: id().nullable().describe('The category that it is a part of; null at the top level.'),
  name: text().describe('What it is called.'),
}));
