import type { OperatorContract, Reject } from '@broadside/core';
import { restored, type StandingFlags, suspended } from '@broadside/core/resources/users';
import { pageOf } from '../../db/page.ts';
import type { Standing } from '../../identity/user-store.ts';
import { DeletionBegunError } from '../../people/person-deletions.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import { beingDeleted, findUser, noUser } from '../users/find.ts';
import { exportPage } from './export-person.ts';
import { lastAdminOf } from './leave-accounts.ts';

type People = Pick<
  HandlersOf<OperatorContract['admin']>['users'],
  'get' | 'suspend' | 'restore' | 'delete' | 'cancel_deletion' | 'export'
>;

function found(reject: Reject<'USER_NOT_FOUND'>, user_id: string, standing: Standing | undefined): Standing {
  if (standing) return standing;
  throw reject.error(noUser('user_id', user_id));
}

/** Converts the error of a deletion that has begun to one of the catalogue. */
async function whilePending(
  reject: Reject<'USER_NOT_FOUND'>,
  user_id: string,
  decided: Promise<Standing | undefined>,
): Promise<Standing> {
  try {
    return found(reject, user_id, await decided);
  } catch (error) {
    if (error instanceof DeletionBegunError) throw reject.error(beingDeleted('user_id', user_id));
    throw error;
  }
}

/** The operator's decisions on people. */
export const adminPeople: People = {
  async get({ world, reject }, { user_id }) {
    return found(reject, user_id, await world.identity.users.standing(user_id));
  },
  async suspend({ world, actor, reject }, { user_id, reason }) {
    const change = (before: StandingFlags) => suspended(before, reason);
    return found(reject, user_id, await world.identity.users.setStanding(actor, user_id, change));
  },
  async restore({ world, actor, reject }, { user_id }) {
    return found(reject, user_id, await world.identity.users.setStanding(actor, user_id, restored));
  },
  async delete({ world, actor, reject }, { user_id, grace_days }) {
    // Before: without grace, the person may be gone right after.
    const last_admin_of = await lastAdminOf(world, user_id);
    const apps = await world.identity.apps.ownedBy(user_id);
    const standing = await whilePending(reject, user_id, world.deletions.schedule(actor, user_id, grace_days));
    return { ...standing, consumer_keys: apps.map(({ consumer_key }) => consumer_key), last_admin_of };
  },
  async export(context, { user_id, cursor }) {
    await findUser(context.reject, context.world, user_id, 'user_id');
    return pageOf(await exportPage(context.world, user_id, cursor), cursor);
  },
  async cancel_deletion({ world, actor, reject }, { user_id }) {
    return whilePending(reject, user_id, world.deletions.cancel(actor, user_id));
  },
};
