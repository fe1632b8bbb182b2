import * as z from 'zod';
import { defineLookup } from '../../operation/define.ts';
import { object } from '../../wire/object.ts';
import { list, oneOf } from '../../wire/types.ts';
import { placements, productTypes } from '../line-items/entity.ts';

/** Places where promoted content can appear (specification C, Lookups without parameters). */
const ProductPlacements = object(() => ({
  product_type: oneOf(productTypes).describe('What is promoted.'),
  placements: z
    .array(list(oneOf(placements), { max: placements.length }))
    .describe('Each element is one combination that the `placements` of a line item can be.'),
}));

/** The combinations of placements by product type. */
export const listPlacements = defineLookup('line_items.placements', '/12/line_items/placements', {
  summary: 'List the valid combinations of placements',
  description: 'The objective of a line item can rule some of them out.',
  envelope: 'values',
  params: object(() => ({ product_type: oneOf(productTypes).optional().describe('Only what is valid for this.') })),
  data: ProductPlacements,
  example: {
    params: { product_type: 'PROMOTED_ACCOUNT' },
    data: { product_type: 'PROMOTED_ACCOUNT', placements: [['ALL_ON_PLATFORM'], ['PLATFORM_TIMELINE']] },
  },
});
