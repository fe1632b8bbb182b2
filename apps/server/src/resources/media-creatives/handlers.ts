import type { Contract } from '@broadside/core';
import { checkMediaCreative, landingUrlOf } from '@broadside/core/resources/media-creatives';
import type { HandlersOf } from '../../pipeline/context.ts';
import { readHandlers } from '../../pipeline/read-handlers.ts';
import { accountMedia } from '../account-media/find.ts';
import { contentAccepted } from '../campaigns/find.ts';
import { findLineItem, reviewContentOf } from '../line-items/find.ts';
import { mediaCreative } from './entity.ts';

export const handlers: HandlersOf<Contract['media_creatives']> = {
  ...readHandlers(mediaCreative, 'media_creative_id'),

  create({ account, actor, reject }, { account_media_id, line_item_id, landing_url }) {
    return account.write(actor, async (writer) => {
      const lineItem = await findLineItem(reject, writer, line_item_id);
      const media = await writer.of(accountMedia).find(reject, account_media_id);
      const existing = await writer.of(mediaCreative).existing({ line_item_id, account_media_id });
      reject.check(checkMediaCreative({ lineItem, media, landing_url, existing: existing?.id }));
      const row = await writer.of(mediaCreative).insert({
        campaign_id: lineItem.campaign_id,
        line_item_id,
        account_media_id,
        landing_url: landingUrlOf(media, landing_url),
        creative_type: media.creative_type,
        entity_status: 'ACTIVE',
        approval_status: 'ACCEPTED',
      });
      await contentAccepted(writer, lineItem.campaign_id);
      return row;
    });
  },

  delete({ account, actor, reject }, { media_creative_id }) {
    return account.write(actor, async (writer) => {
      const row = await writer.of(mediaCreative).remove(reject, media_creative_id);
      await reviewContentOf(writer, row.line_item_id);
      return row;
    });
  },
};
