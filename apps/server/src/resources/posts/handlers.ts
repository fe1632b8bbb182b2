import type { FullContract } from '@broadside/core';
import type { HandlersOf } from '../../pipeline/context.ts';

export const handlers: HandlersOf<FullContract['posts']> = {
  lookup: ({ world, user_id, baseUrl }, params) => world.posts.lookUp(params, { user_id, baseUrl }),
};
