import * as z from 'zod';
import { defineOperation } from '../../operation/define.ts';
import { account_id, ids, listExclusive, listParams, with_deleted } from '../../operation/list.ts';
import { id, text } from '../../wire/types.ts';
import { line_item_id } from '../line-items/params.ts';
import { MediaCreative } from './entity.ts';

export { errors } from './errors.ts';

const media_creative_id = MediaCreative.shape.id;

const example = {
  id: '1bzq3',
  line_item_id: 'bw2rt',
  account_media_id: '3wpx',
  landing_url: 'https://books.example.com/autumn',
  creative_type: 'BANNER',
  entity_status: 'ACTIVE',
  approval_status: 'ACCEPTED',
  created_at: '2026-01-15T08:00:00Z',
  updated_at: '2026-01-15T08:00:00Z',
  deleted: false,
} as const;

const listMediaCreatives = defineOperation({
  id: 'media_creatives.list',
  summary: 'List the media creatives of an account',
  http: { method: 'GET', path: '/12/accounts/:account_id/media_creatives' },
  access: { auth: 'user', capability: 'creatives.read' },
  rateLimit: 'ads.core_read',
  envelope: 'list',
  params: z.object({
    campaign_id: id().optional().describe('Only those of this campaign.'),
    line_item_ids: ids('line items'),
    media_creative_ids: ids('media creatives'),
    ...listParams(['created_at', 'updated_at']),
  }),
  exclusive: listExclusive,
  data: MediaCreative,
  errors: ['ACCOUNT_DELETED'],
  example: { params: { account_id: '18ce54d4x5t', line_item_ids: ['bw2rt'] }, data: example },
});

const getMediaCreative = defineOperation({
  id: 'media_creatives.get',
  summary: 'Get one media creative',
  http: { method: 'GET', path: '/12/accounts/:account_id/media_creatives/:media_creative_id' },
  access: { auth: 'user', capability: 'creatives.read' },
  rateLimit: 'ads.core_read',
  envelope: 'entity',
  params: z.object({ account_id, media_creative_id, with_deleted }),
  data: MediaCreative,
  errors: ['ACCOUNT_DELETED', 'MEDIA_CREATIVE_NOT_FOUND'],
  example: { params: { account_id: '18ce54d4x5t', media_creative_id: '1bzq3' }, data: example },
});

const createMediaCreative = defineOperation({
  id: 'media_creatives.create',
  summary: 'Attach account media to a line item',
  description:
    'For line items of product type MEDIA: videos for objective PREROLL_VIEWS, display images for the others.',
  http: { method: 'POST', path: '/12/accounts/:account_id/media_creatives' },
  access: { auth: 'user', capability: 'creatives.write' },
  rateLimit: 'ads.write',
  envelope: 'entity',
  params: z.object({
    account_id,
    account_media_id: id().describe('The account media to show.'),
    line_item_id,
    landing_url: text({
      max: 2000,
      pattern: /^https?:\/\/[^\s/?#]+\S*$/i,
      format: 'an address that begins with http:// or https://',
    })
      .optional()
      .describe('Where the display image leads; required with objective WEBSITE_CLICKS. Ignored for a PREROLL video.'),
  }),
  data: MediaCreative,
  errors: ['ACCOUNT_DELETED', 'ACCOUNT_MEDIA_NOT_FOUND', 'INCOMPATIBLE_LINE_ITEM', 'LINE_ITEM_NOT_FOUND'],
  example: {
    params: {
      account_id: '18ce54d4x5t',
      account_media_id: '3wpx',
      line_item_id: 'bw2rt',
      landing_url: 'https://books.example.com/autumn',
    },
    data: example,
  },
});

const deleteMediaCreative = defineOperation({
  id: 'media_creatives.delete',
  summary: 'Delete a media creative',
  description: 'Its line item no longer shows the media, which stay in the account.',
  http: { method: 'DELETE', path: '/12/accounts/:account_id/media_creatives/:media_creative_id' },
  access: { auth: 'user', capability: 'creatives.write' },
  rateLimit: 'ads.write',
  envelope: 'entity',
  params: z.object({ account_id, media_creative_id }),
  data: MediaCreative,
  errors: ['ACCOUNT_DELETED', 'MEDIA_CREATIVE_NOT_FOUND'],
  example: {
    params: { account_id: '18ce54d4x5t', media_creative_id: '1bzq3' },
    data: { ...example, deleted: true },
  },
});

export const operations = {
  list: listMediaCreatives,
  get: getMediaCreative,
  create: createMediaCreative,
  delete: deleteMediaCreative,
};

export const position = 90;
