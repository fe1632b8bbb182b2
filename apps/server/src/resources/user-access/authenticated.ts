import type { Contract } from '@broadside/core';
import type { HandlersOf } from '../../pipeline/context.ts';

export const handlers: HandlersOf<Contract['authenticated_user_access']> = {
  get({ user_id, permissions, reject }) {
    if (user_id !== null) return { user_id, permissions: [...permissions] };
    throw reject.error({ error: 'ACTION_NOT_ALLOWED', message: 'The operator is no user; ask as one with its token' });
  },
};
