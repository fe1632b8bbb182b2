import { type Contract, refuse } from '@broadside/core';
import { checkMediaCreative, landingUrlOf } from '@broadside/core/rules';
import type { HandlersOf } from '../../pipeline/context.ts';
import { found } from '../../pipeline/found.ts';
import { pageOf } from '../../pipeline/page.ts';
import type { AccountReader } from '../../world/account-store.ts';
import { findLineItem } from '../line-items/handlers.ts';

/** The media creative with an id; one whose line item is deleted counts as deleted. @throws ApiError MEDIA_CREATIVE_NOT_FOUND */
function findMediaCreative(account: AccountReader, id: string, withDeleted: boolean) {
  return found(account.media_creatives.get(id), withDeleted, {
    error: 'MEDIA_CREATIVE_NOT_FOUND',
    parameter: 'media_creative_id',
    value: id,
  });
}

function findAccountMedia(account: AccountReader, id: string) {
  return found(account.account_media.get(id), false, {
    error: 'ACCOUNT_MEDIA_NOT_FOUND',
    parameter: 'account_media_id',
    value: id,
  });
}

export const media_creatives: HandlersOf<Contract['media_creatives']> = {
  async list({ account }, params) {
    const page = await account.media_creatives.page(params, {
      campaign_id: params.campaign_id,
      line_item_ids: params.line_item_ids,
      media_creative_ids: params.media_creative_ids,
      not_deleted: params.with_deleted ? undefined : true,
    });
    return pageOf(page, params.cursor);
  },

  get({ account }, { media_creative_id, with_deleted }) {
    return findMediaCreative(account, media_creative_id, with_deleted);
  },

  create({ account, actor }, { account_media_id, line_item_id, landing_url }) {
    return account.write(actor, async (writer) => {
      const lineItem = await findLineItem(writer, line_item_id, false);
      const media = await findAccountMedia(writer, account_media_id);
      const existing = await writer.mediaCreativeOf(line_item_id, account_media_id);
      refuse(checkMediaCreative({ lineItem, media, landing_url, existing }));
      const row = await writer.media_creatives.insert({
        campaign_id: lineItem.campaign_id,
        line_item_id,
        account_media_id,
        landing_url: landingUrlOf(media, landing_url),
        creative_type: media.creative_type,
        entity_status: 'ACTIVE',
        approval_status: 'ACCEPTED',
        parent_deleted: false,
        deleted: false,
      });
      await writer.reviewContent(line_item_id);
      return row;
    });
  },

  delete({ account, actor }, { media_creative_id }) {
    return account.write(actor, async (writer) => {
      const before = await findMediaCreative(writer, media_creative_id, false);
      const row = await writer.media_creatives.update(before, { deleted: true });
      await writer.reviewContent(before.line_item_id);
      return row;
    });
  },
};
