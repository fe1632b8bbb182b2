import type { Contract, Reject } from '@broadside/core';
import type { AccountAccess } from '@broadside/core/resources/user-access';
import { checkAdministrators, checkPermissions } from '@broadside/core/resources/user-access';
import type { HandlersOf } from '../../pipeline/context.ts';
import { findUser } from '../users/find.ts';

const keepsAdministrator =
  (reject: Reject<'ACTION_NOT_ALLOWED'>) =>
  (after: readonly AccountAccess[]): void =>
    reject.check(checkAdministrators(after));

export const handlers: HandlersOf<Contract['user_access']> = {
  list({ ads, record }) {
    return ads.members(record.id);
  },

  async grant({ ads, actor, record, world, reject }, { user_id, permissions }) {
    reject.check(checkPermissions(permissions));
    await findUser(reject, world, user_id, 'user_id');
    await ads.grant(actor, record.id, user_id, permissions, keepsAdministrator(reject));
    return { user_id, permissions };
  },

  async revoke({ ads, actor, record, reject }, { user_id }) {
    const permissions = await ads.revoke(actor, record.id, user_id, keepsAdministrator(reject));
    if (permissions) return { user_id, permissions };
    throw reject.error({
      error: 'NOT_FOUND',
      parameter: 'user_id',
      value: user_id,
      message: 'This user has no part in the account',
    });
  },
};
