import type { Contract } from '@broadside/core';
import type { HandlersOf } from '../../pipeline/context.ts';
import { found } from '../../pipeline/found.ts';
import { pageOf } from '../../pipeline/page.ts';
import type { AccountReader } from '../../world/account-store.ts';

/** The promotable user with an id. @throws ApiError PROMOTABLE_USER_NOT_FOUND */
export function findPromotableUser(account: AccountReader, id: string, withDeleted: boolean) {
  return found(account.promotable_users.get(id), withDeleted, {
    error: 'PROMOTABLE_USER_NOT_FOUND',
    parameter: 'promotable_user_id',
    value: id,
  });
}

export const promotable_users: HandlersOf<Contract['promotable_users']> = {
  async list({ account }, params) {
    const page = await account.promotable_users.page(params, {
      promotable_user_ids: params.promotable_user_ids,
      not_deleted: params.with_deleted ? undefined : true,
    });
    return pageOf(page, params.cursor);
  },

  get({ account }, { promotable_user_id, with_deleted }) {
    return findPromotableUser(account, promotable_user_id, with_deleted);
  },
};
