import type { Contract } from '@broadside/core';
import type { HandlersOf } from '../../pipeline/context.ts';
import { promotableUser } from './entity.ts';

export const handlers: HandlersOf<Contract['promotable_users']> = {
  list: ({ account }, params) => account.of(promotableUser).list(params),

  get: ({ account, reject }, { promotable_user_id, with_deleted }) =>
    account.of(promotableUser).find(reject, promotable_user_id, with_deleted),
};
