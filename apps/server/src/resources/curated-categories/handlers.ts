import { ApiError, type Contract } from '@broadside/core';
import type { HandlersOf } from '../../pipeline/context.ts';
import { pageOf } from '../../pipeline/page.ts';
import type { CatalogueReader } from '../../world/catalogue.ts';
import type { CuratedCategoryRow } from './store.ts';

/** The curated category with an id. @throws ApiError NOT_FOUND */
export async function findCuratedCategory(catalogue: CatalogueReader, id: string): Promise<CuratedCategoryRow> {
  const row = await catalogue.curatedCategory(id);
  if (row) return row;
  const message = `There is no curated category "${id.slice(0, 100)}"`;
  throw new ApiError({ error: 'NOT_FOUND', parameter: 'curated_category_id', value: id, message });
}

export const curated_categories: HandlersOf<Contract['curated_categories']> = {
  async list({ ads }, params) {
    return pageOf(await ads.catalogue.curatedCategories(params), params.cursor);
  },

  get({ ads }, { curated_category_id }) {
    return findCuratedCategory(ads.catalogue, curated_category_id);
  },
};
