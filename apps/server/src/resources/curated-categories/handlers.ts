import type { Contract } from '@broadside/core';
import type { HandlersOf } from '../../pipeline/context.ts';
import { curatedCategory } from './entity.ts';

/** Returns the categories on a page: the list has no `count`. */
const PAGE = { count: 200, with_deleted: false, with_total_count: true } as const;

export const handlers: HandlersOf<Contract['curated_categories']> = {
  list: ({ ads }, params) => ads.catalogue.of(curatedCategory).list({ ...params, ...PAGE }),

  get: ({ ads, reject }, { curated_category_id }) =>
    ads.catalogue.of(curatedCategory).find(reject, curated_category_id),
};
