import type { Contract } from '@broadside/core';
import { checkTakesUsers, resolveAudienceTimes } from '@broadside/core/resources/custom-audiences';
import { accountNameOf } from '../../audience/audience-names.ts';
import { takeUsers } from '../../audience/intake.ts';
import { chain } from '../../awaitable.ts';
import { warningsOf } from '../../hash-doctor/warnings.ts';
import { runItems } from '../../pipeline/batch.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import {
  findAudience,
  findUsableAudience,
  listOwned,
  listShared,
  requireUsable,
  requireWritable,
  showOwn,
  showTo,
  writeUsable,
} from './find.ts';
import { listTargeted } from './targeted.ts';
import { createAudience, deleteAudience, runAudienceItem, updateAudience } from './writes.ts';

export const handlers: HandlersOf<Contract['custom_audiences']> = {
  list: ({ account }, { permission_scope, ...query }) =>
    permission_scope === 'OWNER' ? listOwned(account, query) : listShared(account, query),

  get: ({ account, reject }, { custom_audience_id, with_deleted }) =>
    chain(findUsableAudience(account, custom_audience_id), (found) =>
      found
        ? showTo(account, found.audience, found.permission_level)
        : chain(findAudience(reject, account, custom_audience_id, with_deleted), showOwn),
    ),

  create(context, params) {
    const { account, actor, reject, world } = context;
    return world.processing.creation(
      accountNameOf(context),
      () => account.write(actor, async (writer) => showOwn(await createAudience(reject, writer, params))),
      ({ id }) => [id],
    );
  },

  batch(context, { operations }) {
    const { account, actor, reject, world } = context;
    const deleted = operations.flatMap(({ operation_type, params }) =>
      operation_type === 'Delete' ? params.custom_audience_id : [],
    );
    return world.processing.creation(
      accountNameOf(context),
      () =>
        world.processing.deletion(accountNameOf(context), deleted, () =>
          account.write(actor, async (writer) => {
            const rows = await runItems(operations, (item) => runAudienceItem(reject, writer, item));
            return rows.map((row) => showTo(account, row));
          }),
        ),
      (shown) => shown.flatMap(({ id }, i) => (operations[i]?.operation_type === 'Create' ? id : [])),
    );
  },

  async users(context, { custom_audience_id, operations }) {
    const { account, environment, reject, world } = context;
    const { audience } = await requireWritable(reject, account, custom_audience_id);
    reject.check(checkTakesUsers(audience));
    const name = { environment, account_id: audience.account_id, id: audience.id };
    await takeUsers(world, reject, name, operations, resolveAudienceTimes);
    const { user_count } = operations;
    return { success_count: user_count, total_count: user_count, ...(await warningsOf(context, operations)) };
  },

  update({ account, actor, reject }, params) {
    const { custom_audience_id } = params;
    return writeUsable(account, actor, custom_audience_id, async (writer) =>
      showTo(account, await updateAudience(reject, writer, params)),
    );
  },

  delete(context, { custom_audience_id }) {
    const { account, actor, reject, world } = context;
    return world.processing.deletion(accountNameOf(context), [custom_audience_id], () =>
      account.write(actor, async (writer) => showOwn(await deleteAudience(reject, writer, custom_audience_id))),
    );
  },

  targeted: (context, { custom_audience_id, with_active, cursor }) =>
    chain(requireUsable(context.reject, context.account, custom_audience_id), () =>
      listTargeted(context, custom_audience_id, { with_active, cursor }),
    ),
};
