import type { Contract } from '@broadside/core';
import { placementCombinations, productTypes } from '@broadside/core/resources/line-items';
import type { Handler } from '../../pipeline/context.ts';

/** Handles `line_items.placements`. */
export const listPlacements: Handler<Contract['line_items']['placements']> = (_context, params) =>
  productTypes
    .filter((product_type) => params.product_type === undefined || product_type === params.product_type)
    .map((product_type) => ({
      product_type,
      placements: placementCombinations[product_type].map((combination) => [...combination]),
    }));
