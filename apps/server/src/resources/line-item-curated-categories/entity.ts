import { defineEntity } from '../../db/entity.ts';
import { lineItem } from '../line-items/find.ts';
import { lineItemCuratedCategories } from './table.ts';

export const lineItemCuratedCategory = defineEntity({
  name: 'LINE_ITEM_CURATED_CATEGORY',
  table: lineItemCuratedCategories,
  parent: { entity: lineItem, column: lineItemCuratedCategories.line_item_id },
  missing: {
    error: 'NOT_FOUND',
    parameter: 'line_item_curated_category_id',
    message: () => 'The account has no line item curated category with this id',
  },
  key: ['line_item_id'],
});
