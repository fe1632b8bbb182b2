import type { Contract } from '@broadside/core';
import { chain } from '../../awaitable.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import { publisher } from './entity.ts';
import { namePublishers } from './find.ts';

/** The list has no parameters of order and count. */
const ORDER = { sort_by: ['created_at-asc'], with_deleted: false, with_total_count: false } as const;

export const handlers: HandlersOf<Contract['publishers']> = {
  list: ({ ads, world }, params) =>
    chain(ads.catalogue.of(publisher).list({ ...params, ...ORDER }), (page) =>
      chain(namePublishers(world, page.data), (data) => ({ ...page, data })),
    ),
};
