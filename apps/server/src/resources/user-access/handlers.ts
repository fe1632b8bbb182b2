import { ApiError, type Contract, refuse } from '@broadside/core';
import type { AccountAccess } from '@broadside/core/resources/user-access';
import { checkAdministrators, checkPermissions } from '@broadside/core/resources/user-access';
import type { HandlersOf } from '../../pipeline/context.ts';
import { findUser } from '../users/find.ts';

const keepsAdministrator = (after: readonly AccountAccess[]) => refuse(checkAdministrators(after));

export const handlers: HandlersOf<Contract['user_access']> = {
  list({ ads, record }) {
    return ads.members(record.id);
  },

  async grant({ ads, actor, record, world }, { user_id, permissions }) {
    refuse(checkPermissions(permissions));
    await findUser(world, user_id, 'user_id');
    await ads.grant(actor, record.id, user_id, permissions, keepsAdministrator);
    return { user_id, permissions };
  },

  async revoke({ ads, actor, record }, { user_id }) {
    const permissions = await ads.revoke(actor, record.id, user_id, keepsAdministrator);
    if (permissions) return { user_id, permissions };
    throw new ApiError({
      error: 'NOT_FOUND',
      parameter: 'user_id',
      value: user_id,
      message: 'This user has no part in the account',
    });
  },
};
