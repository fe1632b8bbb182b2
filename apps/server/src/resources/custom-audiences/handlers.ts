import type { Contract } from '@broadside/core';
import { changeAudience, checkChangeable, resolveAudience } from '@broadside/core/resources/custom-audiences';
import { foldName } from '../../db/fold-name.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import { customAudience } from './entity.ts';
import { checkNameIsFree, findAudience, listOwned, listShared, showOwn } from './find.ts';

export const handlers: HandlersOf<Contract['custom_audiences']> = {
  list: ({ account }, { permission_scope, ...query }) =>
    permission_scope === 'OWNER' ? listOwned(account, query) : listShared(account, query),

  async get({ account, reject }, { custom_audience_id, with_deleted }) {
    return showOwn(await findAudience(reject, account, custom_audience_id, with_deleted));
  },

  create({ account, actor, reject, world, environment }, params) {
    return world.processing.creation({ environment, account_id: account.account_id }, () =>
      account.write(actor, async (writer) => {
        await checkNameIsFree(reject, writer, params.name);
        return showOwn(await writer.of(customAudience).insert(resolveAudience(params)));
      }),
    );
  },

  update({ account, actor, reject }, params) {
    return account.write(actor, async (writer) => {
      const before = await findAudience(reject, writer, params.custom_audience_id);
      reject.check(checkChangeable(before));
      const after = changeAudience(before, params);
      // A name may change in case only, which keeps it taken by this very audience.
      if (foldName(after.name) !== before.name_folded) await checkNameIsFree(reject, writer, after.name);
      return showOwn(await writer.of(customAudience).update(before, after));
    });
  },

  delete({ account, actor, reject }, { custom_audience_id }) {
    return account.write(actor, async (writer) =>
      showOwn(await writer.of(customAudience).remove(reject, custom_audience_id)),
    );
  },
};
