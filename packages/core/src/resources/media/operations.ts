/**
 * The upload of media (reference, media upload): version 2 with a path for each step, version 1.1 with one path and the
 * parameter `command`. Bytes are not among the parameters: see `bytes` of each operation.
 */
import * as z from 'zod';
import { defineUploadOperation } from '../../operation/define.ts';
import { int, list, long, numericId, oneOf, text } from '../../wire/types.ts';
import { declarableMediaTypes, type MediaCategory, mediaCategories, uploadLimits } from './categories.ts';

/** The most bytes that come in one request: those of the largest animated GIF. */
const SIMPLE_BYTES = 15 * 1024 * 1024;

const isCategory = (name: string): name is MediaCategory => Object.hasOwn(mediaCategories, name);
const categoryNames = Object.keys(mediaCategories).filter(isCategory);
const [firstSimple = 'post_image', ...otherSimple] = categoryNames.filter((name) => name !== 'amplify_video');
const [firstCategory = 'post_image', ...otherCategories] = categoryNames;

const category = () =>
  oneOf([firstCategory, ...otherCategories])
    .optional()
    .describe('What the media are for; found from the bytes when left out. Subtitles are refused.');
const simpleCategory = () =>
  oneOf([firstSimple, ...otherSimple])
    .optional()
    .describe('What the media are for; found from the bytes when left out. Subtitles are refused.');
const owners = () =>
  list(numericId(), { max: uploadLimits.additional_owners })
    .optional()
    .describe(`Up to ${uploadLimits.additional_owners} users who may use the media too.`);
const mediaType = () => oneOf(declarableMediaTypes).describe('What the bytes are said to be; they are looked at.');
const totalBytes = () =>
  int({ min: 1, max: uploadLimits.total_bytes }).describe('How many bytes all segments have together.');
const segmentIndex = () =>
  int({ min: 0, max: uploadLimits.segments - 1 }).describe(
    'The place of the segment. One sent again replaces the first.',
  );
const mediaId = () => numericId().describe('The upload.');

const processingInfo = z
  .object({
    state: oneOf(['pending', 'in_progress', 'failed', 'succeeded']).describe('How far processing is.'),
    check_after_secs: int({ min: 1 }).optional().describe('When to ask again.'),
    progress_percent: int({ min: 0, max: 100 }).optional().describe('How much is done.'),
    error: z
      .object({
        code: int().describe('A number.'),
        name: text().describe('The kind of failure.'),
        message: text({ max: 1000 }).describe('What is wrong with the media.'),
      })
      .optional()
      .describe('Why processing failed.'),
  })
  .optional()
  .describe('Absent where the media need no processing beyond the upload.');

const found = {
  size: int({ min: 1 }).optional().describe('Bytes.'),
  expires_after_secs: int({ min: 0 })
    .optional()
    .describe('When the media go unless a post uses them; absent once one does.'),
  processing_info: processingInfo,
  image: z
    .object({
      image_type: text().describe('The media type.'),
      w: int({ min: 1 }).describe('Width in pixels.'),
      h: int({ min: 1 }).describe('Height in pixels.'),
    })
    .optional()
    .describe('Facts of an image or an animated GIF.'),
  video: z
    .object({ video_type: text().describe('The media type.') })
    .optional()
    .describe('Facts of a video.'),
};

/** Media as version 1.1 answers. */
export const UploadedMediaV1 = z.object({
  media_id: long({ min: 1n }).describe('The upload. Read it with a parser that keeps every digit.'),
  media_id_string: text().describe('The same as text.'),
  media_key: text()
    .optional()
    .describe('Under which posts and data retrieval know the media; only if a category was given.'),
  ...found,
});
export type UploadedMediaV1 = z.output<typeof UploadedMediaV1>;

/** Media as version 2 answers. */
export const UploadedMedia = z.object({
  id: text().describe('The upload.'),
  media_key: text().describe('Under which posts and data retrieval know the media.'),
  ...found,
});
export type UploadedMedia = z.output<typeof UploadedMedia>;

const ID = '1503831318555086850';
const KEY = `3_${ID}`;
const access = { auth: 'uploader' } as const;
const image = { image_type: 'image/png', w: 1200, h: 675 };
const simpleBytes = { part: 'media', base64: 'media_data', max_bytes: SIMPLE_BYTES } as const;
const segmentBytes = { part: 'media', base64: 'media_data', max_bytes: uploadLimits.segment_bytes } as const;
const v1 = { path: '/1.1/media/upload.json', aliases: ['/1.1/media/upload'] } as const;
const v1Example = { media_id: BigInt(ID), media_id_string: ID, expires_after_secs: 86_400 };
const v2Example = { id: ID, media_key: KEY, expires_after_secs: 86_400 };

const upload = defineUploadOperation({
  id: 'media.upload',
  summary: 'Upload an image or a short video at once',
  description: 'Images can be used as soon as they are answered; a video is processed first.',
  http: { method: 'POST', path: '/2/media/upload' },
  version: '2',
  access,
  rateLimit: 'media.upload',
  envelope: 'data',
  bytes: simpleBytes,
  params: z.object({
    media_category: simpleCategory(),
    media_type: mediaType().optional(),
    additional_owners: owners(),
  }),
  data: UploadedMedia,
  errors: ['MEDIA_INVALID'],
  example: { params: { media_category: 'post_image' }, data: { ...v2Example, size: 48_213, image } },
});

const initialize = defineUploadOperation({
  id: 'media.initialize',
  summary: 'Begin an upload in segments',
  http: { method: 'POST', path: '/2/media/upload/initialize' },
  version: '2',
  access,
  rateLimit: 'media.chunked',
  envelope: 'data',
  params: z.object({
    total_bytes: totalBytes(),
    media_type: mediaType(),
    media_category: category(),
    additional_owners: owners(),
  }),
  data: UploadedMedia,
  errors: ['MEDIA_INVALID'],
  example: { params: { total_bytes: 48_213, media_type: 'image/png', media_category: 'post_image' }, data: v2Example },
});

const append = defineUploadOperation({
  id: 'media.append',
  summary: 'Send a segment',
  description: `Segments have up to ${uploadLimits.segment_bytes} bytes and come in any order.`,
  http: { method: 'POST', path: '/2/media/upload/:id/append' },
  version: '2',
  repeatable: true,
  access,
  rateLimit: 'media.chunked',
  envelope: 'data',
  bytes: segmentBytes,
  params: z.object({ id: mediaId(), segment_index: segmentIndex() }),
  data: z.object({
    expires_at: int({ min: 0 }).describe('When the upload goes unless it is finished: seconds since 1970.'),
  }),
  errors: ['MEDIA_INVALID', 'MEDIA_NOT_FOUND'],
  example: { params: { id: ID, segment_index: 0 }, data: { expires_at: 1_768_550_400 } },
});

const finalize = defineUploadOperation({
  id: 'media.finalize',
  summary: 'End an upload in segments',
  description:
    'Images can be used as soon as they are answered. Videos and animated GIFs have `processing_info`: ask for the status until it says `succeeded` or `failed`.',
  http: { method: 'POST', path: '/2/media/upload/:id/finalize' },
  version: '2',
  repeatable: true,
  access,
  rateLimit: 'media.chunked',
  envelope: 'data',
  params: z.object({ id: mediaId() }),
  data: UploadedMedia,
  errors: ['MEDIA_INVALID', 'MEDIA_NOT_FOUND'],
  example: { params: { id: ID }, data: { ...v2Example, size: 48_213, image } },
});

const status = defineUploadOperation({
  id: 'media.status',
  summary: 'See how far an upload is',
  http: { method: 'GET', path: '/2/media/upload', command: 'STATUS' },
  version: '2',
  access,
  rateLimit: 'media.status',
  envelope: 'data',
  params: z.object({ media_id: mediaId() }),
  data: UploadedMedia,
  errors: ['MEDIA_INVALID', 'MEDIA_NOT_FOUND'],
  example: { params: { media_id: ID }, data: { ...v2Example, size: 48_213, image } },
});

const uploadV1 = defineUploadOperation({
  id: 'media_v1.upload',
  summary: 'Upload an image or a short video at once',
  description: 'Images can be used as soon as they are answered; a video is processed first.',
  http: { method: 'POST', ...v1 },
  version: '1.1',
  access,
  rateLimit: 'media.upload',
  envelope: 'bare',
  bytes: simpleBytes,
  params: z.object({ media_category: category(), additional_owners: owners() }),
  data: UploadedMediaV1,
  errors: ['MEDIA_INVALID'],
  example: { params: {}, data: { ...v1Example, size: 48_213, image } },
});

const init = defineUploadOperation({
  id: 'media_v1.init',
  summary: 'Begin an upload in segments',
  http: { method: 'POST', ...v1, command: 'INIT', status: 202 },
  version: '1.1',
  access,
  rateLimit: 'media.chunked',
  envelope: 'bare',
  params: z.object({
    total_bytes: totalBytes(),
    media_type: mediaType(),
    media_category: category(),
    additional_owners: owners(),
  }),
  data: UploadedMediaV1,
  errors: ['MEDIA_INVALID'],
  example: {
    params: { total_bytes: 48_213, media_type: 'image/png', media_category: 'post_image' },
    data: { ...v1Example, media_key: KEY },
  },
});

const appendV1 = defineUploadOperation({
  id: 'media_v1.append',
  summary: 'Send a segment',
  description: `Segments have up to ${uploadLimits.segment_bytes} bytes and come in any order. The answer has no body.`,
  http: { method: 'POST', ...v1, command: 'APPEND', status: 204 },
  version: '1.1',
  repeatable: true,
  access,
  rateLimit: 'media.chunked',
  envelope: 'nothing',
  bytes: segmentBytes,
  params: z.object({ media_id: mediaId(), segment_index: segmentIndex() }),
  data: z.object({}),
  errors: ['MEDIA_INVALID', 'MEDIA_NOT_FOUND'],
  example: { params: { media_id: ID, segment_index: 0 }, data: {} },
});

const finalizeV1 = defineUploadOperation({
  id: 'media_v1.finalize',
  summary: 'End an upload in segments',
  description:
    'Images can be used as soon as they are answered. Videos and animated GIFs have `processing_info`: ask for the status until it says `succeeded` or `failed`.',
  http: { method: 'POST', ...v1, command: 'FINALIZE', status: 201 },
  version: '1.1',
  repeatable: true,
  access,
  rateLimit: 'media.chunked',
  envelope: 'bare',
  params: z.object({ media_id: mediaId() }),
  data: UploadedMediaV1,
  errors: ['MEDIA_INVALID', 'MEDIA_NOT_FOUND'],
  example: { params: { media_id: ID }, data: { ...v1Example, media_key: KEY, size: 48_213, image } },
});

const statusV1 = defineUploadOperation({
  id: 'media_v1.status',
  summary: 'See how far an upload is',
  http: { method: 'GET', ...v1, command: 'STATUS' },
  version: '1.1',
  access,
  rateLimit: 'media.status',
  envelope: 'bare',
  params: z.object({ media_id: mediaId() }),
  data: UploadedMediaV1,
  errors: ['MEDIA_INVALID', 'MEDIA_NOT_FOUND'],
  example: { params: { media_id: ID }, data: { ...v1Example, media_key: KEY, size: 48_213, image } },
});

export const media = { upload, initialize, append, finalize, status };

export const media_v1 = { upload: uploadV1, init, append: appendV1, finalize: finalizeV1, status: statusV1 };
