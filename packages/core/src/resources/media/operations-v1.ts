/** The upload of media, version 1.1 (reference, media upload): one path, with the step in the parameter `command`. */

import * as z from 'zod';
import { defineUploadOperation } from '../../operation/define.ts';
import { object } from '../../wire/object.ts';
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
  totalBytes,
  UploadedMediaV1,
} from './schemas.ts';

const access = { auth: 'uploader' } as const;
const v1 = { path: '/1.1/media/upload.json', aliases: ['/1.1/media/upload'] } as const;
const v1Example = { media_id: BigInt(exampleId), media_id_string: exampleId, expires_after_secs: 86_400 };

const upload = defineUploadOperation({
  id: 'media_v1.upload',
  summary: 'Upload an image or a short video at once',
  description: 'Images can be used as soon as they are answered; a video is processed first.',
  http: { method: 'POST', ...v1 },
  version: '1.1',
  access,
  rateLimit: 'media.upload',
  envelope: 'bare',
  bytes: simpleBytes,
  params: object(() => ({ media_category: category(), additional_owners: owners() })),
  data: UploadedMediaV1,
  errors: ['MEDIA_INVALID'],
  example: { params: {}, data: { ...v1Example, size: 48_213, image: exampleImage } },
});

const init = defineUploadOperation({
  id: 'media_v1.init',
  summary: 'Begin an upload in segments',
  http: { method: 'POST', ...v1, command: 'INIT', status: 202 },
  version: '1.1',
  access,
  rateLimit: 'media.chunked',
  envelope: 'bare',
  params: object(() => ({
    total_bytes: totalBytes(),
    media_type: mediaType(),
    media_category: category(),
    additional_owners: owners(),
  })),
  data: UploadedMediaV1,
  errors: ['MEDIA_INVALID'],
  example: {
    params: { total_bytes: 48_213, media_type: 'image/png', media_category: 'post_image' },
    data: { ...v1Example, media_key: exampleKey },
  },
});

const append = defineUploadOperation({
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
  params: object(() => ({ media_id: mediaId(), segment_index: segmentIndex() })),
  data: z.object({}),
  errors: ['MEDIA_INVALID', 'UPLOAD_NOT_FOUND'],
  example: { params: { media_id: exampleId, segment_index: 0 }, data: {} },
});

const finalize = defineUploadOperation({
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
  params: object(() => ({ media_id: mediaId() })),
  data: UploadedMediaV1,
  errors: ['MEDIA_INVALID', 'UPLOAD_NOT_FOUND'],
  example: {
    params: { media_id: exampleId },
    data: { ...v1Example, media_key: exampleKey, size: 48_213, image: exampleImage },
  },
});

const status = defineUploadOperation({
  id: 'media_v1.status',
  summary: 'See how far an upload is',
  http: { method: 'GET', ...v1, command: 'STATUS' },
  version: '1.1',
  access,
  rateLimit: 'media.status',
  envelope: 'bare',
  params: object(() => ({ media_id: mediaId() })),
  data: UploadedMediaV1,
  errors: ['MEDIA_INVALID', 'UPLOAD_NOT_FOUND'],
  example: {
    params: { media_id: exampleId },
    data: { ...v1Example, media_key: exampleKey, size: 48_213, image: exampleImage },
  },
});

export const operations = { upload, init, append, finalize, status };

export const position = 20;
