import { exampleSystemMembers } from '../../operation/entity.ts';
import { createOf, defineFamily, deleteOf, getOf, listOf } from '../../operation/family.ts';
import { account_id, ids } from '../../operation/list.ts';
import { object } from '../../wire/object.ts';
import { id, text } from '../../wire/types.ts';
import { line_item_id } from '../line-items/params.ts';
import { MediaCreative, media_creative_id } from './entity.ts';

export { errors } from './errors.ts';

const mediaCreative = defineFamily({
  data: MediaCreative,
  key: { media_creative_id },
  missing: 'MEDIA_CREATIVE_NOT_FOUND',
  read: 'creatives.read',
  write: 'creatives.write',
  sortable: ['created_at', 'updated_at'],
  example: {
    id: '1bzq3',
    line_item_id: 'bw2rt',
    account_media_id: '3wpx',
    landing_url: 'https://books.example.com/autumn',
    creative_type: 'BANNER',
    entity_status: 'ACTIVE',
    approval_status: 'ACCEPTED',
    ...exampleSystemMembers,
  },
});

export const operations = {
  list: listOf(mediaCreative, 'media_creatives.list', '/12/accounts/:account_id/media_creatives', {
    summary: 'List the media creatives of an account',
    filters: () => ({
      campaign_id: id().optional().describe('Only those of this campaign.'),
      line_item_ids: ids('line items'),
      media_creative_ids: ids('media creatives'),
    }),
    example: { line_item_ids: ['bw2rt'] },
  }),
  get: getOf(mediaCreative, 'media_creatives.get', '/12/accounts/:account_id/media_creatives/:media_creative_id', {
    summary: 'Get one media creative',
  }),
  create: createOf(mediaCreative, 'media_creatives.create', '/12/accounts/:account_id/media_creatives', {
    summary: 'Attach account media to a line item',
    description:
      'For line items of product type MEDIA: videos for objective PREROLL_VIEWS, display images for the others.',
    params: object(() => ({
      account_id,
      account_media_id: id().describe('The account media to show.'),
      line_item_id,
      landing_url: text({
        max: 2000,
        pattern: /^https?:\/\/[^\s/?#]+\S*$/i,
        format: 'an address that begins with http:// or https://',
      })
        .optional()
        .describe(
          'Where the display image leads; required with objective WEBSITE_CLICKS. Ignored for a PREROLL video.',
        ),
    })),
    errors: ['ACCOUNT_MEDIA_NOT_FOUND', 'INCOMPATIBLE_LINE_ITEM', 'LINE_ITEM_NOT_FOUND', 'QUOTA_EXCEEDED'],
    example: { account_media_id: '3wpx', line_item_id: 'bw2rt', landing_url: 'https://books.example.com/autumn' },
  }),
  delete: deleteOf(
    mediaCreative,
    'media_creatives.delete',
    '/12/accounts/:account_id/media_creatives/:media_creative_id',
    {
      summary: 'Delete a media creative',
      description: 'Its line item no longer shows the media, which stay in the account.',
    },
  ),
};

export const position = 90;
