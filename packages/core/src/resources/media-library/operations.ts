import { exampleSystemMembers } from '../../operation/entity.ts';
import { createOf, defineFamily, deleteOf, updateOf } from '../../operation/family.ts';
import { account_id, cursor } from '../../operation/list.ts';
import { defineAccountRead } from '../../operation/on-account.ts';
import { object } from '../../wire/object.ts';
import { int, oneOf, text } from '../../wire/types.ts';
import { LibraryMedia, libraryMediaTypes } from './entity.ts';
import { changedTexts, media_key, textsOfNew } from './params.ts';

export { errors } from './errors.ts';

const exampleVideo = {
  media_key: '13_1503831318555086850',
  media_type: 'VIDEO',
  media_category: 'AMPLIFY_VIDEO',
  media_status: 'TRANSCODE_COMPLETED',
  media_url: 'https://broadside.example.com/media/0k3v9x5m2q8w',
  name: 'Autumn catalogue',
  file_name: 'autumn.mp4',
  posted: false,
  ...exampleSystemMembers,
  title: 'Books for autumn',
  description: null,
  duration: 13_000,
  aspect_ratio: '16:9',
  poster_media_key: '3_1503831318555086850',
  poster_media_url: 'https://broadside.example.com/media/0k3v9x5m2q8w-still',
} as const;

const libraryMedia = defineFamily({
  data: LibraryMedia,
  key: { media_key },
  missing: 'MEDIA_NOT_FOUND',
  read: 'creatives.read',
  write: 'creatives.write',
  sortable: ['created_at'],
  example: exampleVideo,
});

const { read: capability, data, missing, example } = libraryMedia;

export const operations = {
  list: defineAccountRead('media_library.list', '/12/accounts/:account_id/media_library', {
    summary: 'List the media library of an account',
    description: 'The media that were added last come first.',
    capability,
    rateLimit: 'ads.core_read',
    envelope: 'list',
    params: object(() => ({
      account_id,
      count: int({ min: 1, max: 50 }).default(20).describe('Records on one page.'),
      cursor,
      media_type: oneOf(libraryMediaTypes).optional().describe('Only media of this type.'),
      q: text({ max: 255 })
        .optional()
        .describe(
          'Only media with all of these words, in any case of letters, in `name`, `title`, `file_name` or `description`.',
        ),
    })),
    data,
    example: { params: { media_type: 'VIDEO', q: 'autumn' }, data: example },
  }),
  get: defineAccountRead('media_library.get', '/12/accounts/:account_id/media_library/:media_key', {
    summary: 'Get media of the media library',
    capability,
    rateLimit: 'ads.core_read',
    envelope: 'entity',
    params: object(() => ({ account_id, media_key })),
    data,
    errors: [missing],
    example: { params: { media_key: example.media_key }, data: example },
  }),
  create: createOf(libraryMedia, 'media_library.create', '/12/accounts/:account_id/media_library', {
    summary: 'Add uploaded media to the media library',
    description:
      'The media must be processed, and belong to the caller or a promotable user of the account, as owner or as one of the additional owners. They do not expire any more. Media that are in the library already change only in what is given. A video of the category `amplify_video` becomes account media too, as PREROLL, and an image that has the size of a display creative as that.',
    params: object(() => ({
      account_id,
      ...textsOfNew.shape,
      media_key: media_key.describe('The media, as the upload returned them.'),
    })),
    errors: ['MEDIA_NOT_FOUND', 'QUOTA_EXCEEDED'],
    example: {
      media_key: exampleVideo.media_key,
      name: exampleVideo.name,
      file_name: exampleVideo.file_name,
      title: exampleVideo.title,
    },
  }),
  update: updateOf(libraryMedia, 'media_library.update', '/12/accounts/:account_id/media_library/:media_key', {
    summary: 'Change what the media library says about media',
    description: 'Only the parameters given change.',
    params: object(() => ({ account_id, ...changedTexts.shape, media_key })),
    errors: ['MEDIA_NOT_FOUND'],
    example: { name: 'Winter catalogue' },
  }),
  delete: deleteOf(libraryMedia, 'media_library.delete', '/12/accounts/:account_id/media_library/:media_key', {
    summary: 'Remove media from the media library',
    description:
      'Cards, drafts and posts that show the media keep them; the media can be added again. A removed record can no longer be read.',
  }),
};

export const position = 86;
