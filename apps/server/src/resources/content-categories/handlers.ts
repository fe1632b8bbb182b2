import type { Contract } from '@broadside/core';
import { contentCategories } from '@broadside/core/data';
import type { HandlersOf } from '../../pipeline/context.ts';

export const handlers: HandlersOf<Contract['content_categories']> = {
  list() {
    return contentCategories.map((category) => ({ ...category, iab_categories: [...category.iab_categories] }));
  },
};
