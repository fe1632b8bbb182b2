import { defineEntity, type RowOf } from '../../db/entity.ts';
import { hasOneOf } from '../../db/filters.ts';
import { curatedCategories } from './table.ts';

export const curatedCategory = defineEntity({
  name: 'CURATED_CATEGORY',
  table: curatedCategories,
  missing: {
    error: 'NOT_FOUND',
    parameter: 'curated_category_id',
    message: (id) => `There is no curated category "${id.slice(0, 100)}"`,
  },
  filters: {
    country_codes: hasOneOf(curatedCategories.country_codes),
    publisher_user_ids: hasOneOf(curatedCategories.publisher_user_ids),
  },
});

export type CuratedCategoryRow = RowOf<typeof curatedCategory>;
