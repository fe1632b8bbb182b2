import type { OperatorContract } from '@broadside/core';
import type { HandlersOf } from '../../pipeline/context.ts';
import { noUser } from '../users/find.ts';

/** The operator's decisions on people. */
export const adminPeople: Pick<HandlersOf<OperatorContract['admin']>['users'], 'get' | 'suspend' | 'restore'> = {
  async get({ world, reject }, { user_id }) {
    const standing = await world.identity.users.standing(user_id);
    if (standing) return standing;
    throw reject.error(noUser('user_id', user_id));
  },
  async suspend({ world, actor, reject }, { user_id, reason }) {
    const after = await world.identity.users.suspend(actor, user_id, true, reason);
    if (after) return after;
    throw reject.error(noUser('user_id', user_id));
  },
  async restore({ world, actor, reject }, { user_id }) {
    const after = await world.identity.users.suspend(actor, user_id, false);
    if (after) return after;
    throw reject.error(noUser('user_id', user_id));
  },
};
