import type { Contract } from '@broadside/core';
import type { HandlersOf } from '../../pipeline/context.ts';
import { publisher } from './entity.ts';
import { namePublishers } from './find.ts';

/** The list has no parameters of order and count. */
const ORDER = { sort_by: ['created_at-asc'], with_deleted: false, with_total_count: false } as const;

export const handlers: HandlersOf<Contract['publishers']> = {
  async list({ ads, world }, params) {
    const page = await ads.catalogue.of(publisher).list({ ...params, ...ORDER });
    return { ...page, data: await namePublishers(world, page.data) };
  },
};
