/**
 * The upload of media, version 2 (reference, media upload): one path for each step. The bytes are not a parameter: see
 * `bytes` of each operation.
 */

import { defineUploadOperation } from '../../operation/define.ts';
import { object } from '../../wire/object.ts';
import { int } from '../../wire/types.ts';
import { uploadLimits } from './categories.ts';
import {
  category,
  exampleId,
  exampleImage,
  exampleKey,
  mediaId,
  mediaType,
  owners,
  segmentBytes,
  segmentIndex,
  simpleBytes,
  simpleCategory,
  totalBytes,
  UploadedMedia,
} from './schemas.ts';

export { errors } from './errors.ts';

const access = { auth: 'uploader' } as const;
const v2Example = { id: exampleId, media_key: exampleKey, expires_after_secs: 86_400 };

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
  params: object(() => ({
    media_category: simpleCategory(),
    media_type: mediaType().optional(),
    additional_owners: owners(),
  })),
  data: UploadedMedia,
  errors: ['MEDIA_INVALID'],
  example: { params: { media_category: 'post_image' }, data: { ...v2Example, size: 48_213, image: exampleImage } },
});

const initialize = defineUploadOperation({
  id: 'media.initialize',
  summary: 'Begin an upload in segments',
  http: { method: 'POST', path: '/2/media/upload/initialize' },
  version: '2',
  access,
  rateLimit: 'media.chunked',
  envelope: 'data',
  params: object(() => ({
    total_bytes: totalBytes(),
    media_type: mediaType(),
    media_category: category(),
    additional_owners: owners(),
  })),
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
  params: object(() => ({ id: mediaId(), segment_index: segmentIndex() })),
  data: object(() => ({
    expires_at: int({ min: 0 }).describe('When the upload goes unless it is finished: seconds since 1970.'),
  })),
  errors: ['MEDIA_INVALID', 'UPLOAD_NOT_FOUND'],
  example: { params: { id: exampleId, segment_index: 0 }, data: { expires_at: 1_768_550_400 } },
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
  params: object(() => ({ id: mediaId() })),
  data: UploadedMedia,
  errors: ['MEDIA_INVALID', 'UPLOAD_NOT_FOUND'],
  example: { params: { id: exampleId }, data: { ...v2Example, size: 48_213, image: exampleImage } },
});

const status = defineUploadOperation({
  id: 'media.status',
  summary: 'See how far an upload is',
  http: { method: 'GET', path: '/2/media/upload', command: 'STATUS' },
  version: '2',
  access,
  rateLimit: 'media.status',
  envelope: 'data',
  params: object(() => ({ media_id: mediaId() })),
  data: UploadedMedia,
  errors: ['MEDIA_INVALID', 'UPLOAD_NOT_FOUND'],
  example: { params: { media_id: exampleId }, data: { ...v2Example, size: 48_213, image: exampleImage } },
});

export const operations = { upload, initialize, append, finalize, status };

export const position = 10;
