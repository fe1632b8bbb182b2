import type { Contract } from '@broadside/core';
import { resolveListTimes } from '@broadside/core/resources/custom-audiences';
import { checkOnlyList, displayList } from '@broadside/core/resources/do-not-reach-lists';
import { accountNameOf } from '../../audience/audience-names.ts';
import { takeUsers } from '../../audience/intake.ts';
import { chain } from '../../awaitable.ts';
import { warningsOfEach } from '../../hash-doctor/warnings.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import { doNotReachList, findDoNotReachList } from './find.ts';

export const handlers: HandlersOf<Contract['do_not_reach_lists']> = {
  list: ({ account }, { with_deleted }) =>
    chain(account.of(doNotReachList).every({ with_deleted }), (rows) => rows.map(displayList)),

  create(context, { description }) {
    const { account, actor, reject, world } = context;
    return world.processing.creation(
      accountNameOf(context),
      () =>
        account.write(actor, async (writer) => {
          reject.check(checkOnlyList(account.account_id, await findDoNotReachList(writer)));
          return displayList(await writer.of(doNotReachList).insert({ description: description ?? null }));
        }),
      ({ id }) => [id],
    );
  },

  delete(context, { do_not_reach_list_id }) {
    const { account, actor, reject, world } = context;
    return world.processing.deletion(accountNameOf(context), [do_not_reach_list_id], () =>
      account.write(actor, async (writer) =>
        displayList(await writer.of(doNotReachList).remove(reject, do_not_reach_list_id)),
      ),
    );
  },

  async users(context, { do_not_reach_list_id, operations }) {
    const { account, reject, world } = context;
    const { id } = await account.of(doNotReachList).find(reject, do_not_reach_list_id);
    await takeUsers(world, reject, { ...accountNameOf(context), id }, operations, resolveListTimes);
    const found = await warningsOfEach(context, operations);
    return operations.operations.map(({ user_count }, operation) => ({
      success_count: user_count,
      total_count: user_count,
      ...found[operation],
    }));
  },
};
