import type * as z from 'zod';
import { systemMembers } from '../../operation/entity.ts';
import { object } from '../../wire/object.ts';
import { id } from '../../wire/types.ts';

/** The parameter that identifies one. */
export const line_item_curated_category_id = id().describe('The line item curated category.');

/** The assignment of a curated category to a line item (specification C, Promoted entities and creatives). */
export const LineItemCuratedCategory = object(() => ({
  id: line_item_curated_category_id,
  line_item_id: id().describe('The line item.'),
  curated_category_id: id().describe('The curated category beside whose videos it is shown.'),
  ...systemMembers({
    created_at: 'When the category was given to the line item.',
    deleted: 'Whether the category has been taken from the line item.',
  }),
}));
export type LineItemCuratedCategory = z.output<typeof LineItemCuratedCategory>;
