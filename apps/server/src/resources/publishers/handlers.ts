import type { Contract } from '@broadside/core';
import type { HandlersOf } from '../../pipeline/context.ts';
import { publishersPage } from './find.ts';

export const handlers: HandlersOf<Contract['publishers']> = {
  list: ({ ads, world }, params) => publishersPage(world, ads.catalogue, params),
};
