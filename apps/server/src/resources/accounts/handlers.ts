import type { Contract } from '@broadside/core';
import type { Account } from '@broadside/core/resources/accounts';
import { initialSandboxFeatures } from '@broadside/core/resources/features';
import { chain } from '../../awaitable.ts';
import { mapPage } from '../../db/page.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import { type AccountRow, rejectDeletedAccount } from '../../world/account-directory.ts';

/** Returns the account as lists and creation show it: without its industry (reference, campaign-management section 2). */
function brief({ industry_type: _, ...account }: AccountRow): Account {
  return account;
}

export const handlers: HandlersOf<Contract['accounts']> = {
  list: ({ ads, user_id }, params) => chain(ads.list(user_id, params), (page) => mapPage(page, brief)),

  get: ({ record }) => record,

  async create({ ads, actor, user_id, reject }) {
    if (user_id === null) {
      throw reject.error({
        error: 'ACTION_NOT_ALLOWED',
        message: 'The operator creates accounts with admin.accounts.create',
      });
    }
    const record = await ads.createAccount(actor, {
      name: 'Sandbox account',
      business_name: null,
      timezone: 'America/Los_Angeles',
      user_id,
      features: initialSandboxFeatures,
    });
    return brief(record);
  },

  async update({ ads, actor, record }, { name, industry_type }) {
    const changed = await ads.updateAccount(actor, record.id, (before) => {
      // It may have been deleted since authentication.
      rejectDeletedAccount(before);
      return {
        ...(name === undefined ? {} : { name }),
        ...(industry_type === undefined ? {} : { industry_type }),
      };
    });
    return changed ?? record;
  },

  async delete({ ads, actor, record, world, environment }) {
    const deleted = await world.processing.accountDeletion({ environment, account_id: record.id }, () =>
      ads.updateAccount(actor, record.id, (before) => {
        // It may have been deleted since authentication.
        rejectDeletedAccount(before);
        return { deleted: true };
      }),
    );
    return brief(deleted ?? record);
  },
};
