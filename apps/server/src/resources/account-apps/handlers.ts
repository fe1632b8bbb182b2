import type { Contract } from '@broadside/core';
import type { HandlersOf } from '../../pipeline/context.ts';
import { pageOf } from '../../pipeline/page.ts';

export const account_apps: HandlersOf<Contract['account_apps']> = {
  async list({ account }, params) {
    const page = await account.account_apps.page(params, { not_deleted: params.with_deleted ? undefined : true });
    return pageOf(page, params.cursor);
  },
};
