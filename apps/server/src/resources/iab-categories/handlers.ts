import type { Contract } from '@broadside/core';
import { iabCategories } from '@broadside/core/data';
import { pageOf } from '../../db/page.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import { tablePage } from '../../pipeline/table-page.ts';

const places: ReadonlyMap<string, number> = new Map(iabCategories.map(({ id }, index) => [id, index]));
const taxonomy = { rows: iabCategories, indexOf: (id: string) => places.get(id) };

export const handlers: HandlersOf<Contract['iab_categories']> = {
  list(_context, params) {
    const page = pageOf(
      tablePage('iab_categories', taxonomy, ({ id }) => id, params),
      params.cursor,
    );
    return params.with_total_count ? { ...page, total_count: iabCategories.length } : page;
  },
};
