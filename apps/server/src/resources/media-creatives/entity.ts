import { defineEntity } from '../../db/entity.ts';
import { equals, isOneOf } from '../../db/filters.ts';
import { lineItem } from '../line-items/find.ts';
import { mediaCreatives } from './table.ts';

export const mediaCreative = defineEntity({
  name: 'MEDIA_CREATIVE',
  table: mediaCreatives,
  quota: 'media_creatives',
  parent: { entity: lineItem, column: mediaCreatives.line_item_id },
  missing: { error: 'MEDIA_CREATIVE_NOT_FOUND', parameter: 'media_creative_id' },
  filters: {
    campaign_id: equals(mediaCreatives.campaign_id),
    line_item_ids: isOneOf(mediaCreatives.line_item_id),
    media_creative_ids: isOneOf(mediaCreatives.id),
  },
  internal: ['campaign_id'],
  key: ['line_item_id', 'account_media_id'],
});
