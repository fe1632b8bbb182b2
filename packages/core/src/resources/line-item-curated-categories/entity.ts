import * as z from 'zod';
import { systemMembers } from '../../operation/entity.ts';
import { id } from '../../wire/types.ts';

/** The assignment of a curated category to a line item (specification C, Promoted entities and creatives). */
export const LineItemCuratedCategory = z.object({
  id: id().describe('The line item curated category.'),
  line_item_id: id().describe('The line item.'),
  curated_category_id: id().describe('The curated category beside whose videos it is shown.'),
  ...systemMembers({
    created_at: 'When the category was given to the line item.',
    deleted: 'Whether the category has been taken from the line item.',
  }),
});
export type LineItemCuratedCategory = z.output<typeof LineItemCuratedCategory>;
