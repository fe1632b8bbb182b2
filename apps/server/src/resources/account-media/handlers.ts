import type { Contract } from '@broadside/core';
import { chain } from '../../awaitable.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import { only, readHandlers } from '../../pipeline/read-handlers.ts';
import { hideCreativesOf } from '../media-creatives/find.ts';
import { accountMedia } from './entity.ts';
import { showAllAccountMedia } from './view.ts';

export const handlers: HandlersOf<Contract['account_media']> = {
  ...readHandlers(accountMedia, 'account_media_id', showAllAccountMedia),

  async delete(context, { account_media_id }) {
    const { account, actor, reject } = context;
    const row = await account.write(actor, async (writer) => {
      const deleted = await writer.of(accountMedia).remove(reject, account_media_id);
      await hideCreativesOf(writer, account_media_id);
      return deleted;
    });
    return chain(showAllAccountMedia(context, [row]), only);
  },
};
