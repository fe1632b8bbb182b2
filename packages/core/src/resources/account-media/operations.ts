import { exampleSystemMembers } from '../../operation/entity.ts';
import { defineFamily, deleteOf, getOf, listOf } from '../../operation/family.ts';
import { ids } from '../../operation/list.ts';
import { list, oneOf } from '../../wire/types.ts';
import { AccountMedia, account_media_id, creativeTypes } from './entity.ts';

export { errors } from './errors.ts';

export const exampleAccountMedia = {
  id: '3wpx',
  video_id: null,
  media_url: 'https://broadside.example.com/media/0k3v9x5m2q8w',
  creative_type: 'BANNER',
  ...exampleSystemMembers,
  media_key: '3_1503831318555086860',
} as const;

const accountMedia = defineFamily({
  data: AccountMedia,
  key: { account_media_id },
  missing: 'ACCOUNT_MEDIA_NOT_FOUND',
  read: 'creatives.read',
  write: 'creatives.write',
  sortable: ['created_at', 'updated_at'],
  example: exampleAccountMedia,
});

export const operations = {
  list: listOf(accountMedia, 'account_media.list', '/12/accounts/:account_id/account_media', {
    summary: 'List the account media of an account',
    description:
      'Pre-roll videos (category `amplify_video`) and images of the sizes of display creatives appear here when they are added to the media library.',
    filters: () => ({
      account_media_ids: ids('account media'),
      creative_types: list(oneOf(creativeTypes), { max: creativeTypes.length })
        .optional()
        .describe('Only those of these types.'),
    }),
    example: { creative_types: ['BANNER'] },
  }),
  get: getOf(accountMedia, 'account_media.get', '/12/accounts/:account_id/account_media/:account_media_id', {
    summary: 'Get one of the account media',
  }),
  delete: deleteOf(accountMedia, 'account_media.delete', '/12/accounts/:account_id/account_media/:account_media_id', {
    summary: 'Delete account media',
    description: 'Media creatives that show them are hidden with them. The media stay in the media library.',
  }),
};

export const position = 85;
