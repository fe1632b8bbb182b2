import type { Contract } from '@broadside/core';
import type { HandlersOf } from '../../pipeline/context.ts';
import { hideCreativesOf } from '../media-creatives/find.ts';
import { accountMedia } from './entity.ts';
import { showAccountMedia, showAllAccountMedia } from './view.ts';

export const handlers: HandlersOf<Contract['account_media']> = {
  async list(context, params) {
    const page = await context.account.of(accountMedia).list(params);
    return { ...page, data: await showAllAccountMedia(context, page.data) };
  },

  async get(context, { account_media_id, with_deleted }) {
    const { account, reject } = context;
    return showAccountMedia(context, await account.of(accountMedia).find(reject, account_media_id, with_deleted));
  },

  async delete(context, { account_media_id }) {
    const { account, actor, reject } = context;
    const row = await account.write(actor, async (writer) => {
      const deleted = await writer.of(accountMedia).remove(reject, account_media_id);
      await hideCreativesOf(writer, account_media_id);
      return deleted;
    });
    return showAccountMedia(context, row);
  },
};
