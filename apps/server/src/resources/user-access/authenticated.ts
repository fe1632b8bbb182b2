import { ApiError, type Contract } from '@broadside/core';
import type { HandlersOf } from '../../pipeline/context.ts';

export const handlers: HandlersOf<Contract['authenticated_user_access']> = {
  async get({ user_id, permissions }) {
    if (user_id !== null) return { user_id, permissions: [...permissions] };
    throw new ApiError({ error: 'ACTION_NOT_ALLOWED', message: 'The operator is no user; ask as one with its token' });
  },
};
