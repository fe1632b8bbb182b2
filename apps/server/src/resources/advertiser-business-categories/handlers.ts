import type { Contract } from '@broadside/core';
import { advertiserBusinessCategories } from '@broadside/core/data';
import type { HandlersOf } from '../../pipeline/context.ts';

export const handlers: HandlersOf<Contract['advertiser_business_categories']> = {
  list() {
    return advertiserBusinessCategories.map((category) => ({
      ...category,
      iab_categories: [...category.iab_categories],
    }));
  },
};
