/** Parameters and responses that both versions of the upload share (reference, media upload). */

import * as z from 'zod';
import { object } from '../../wire/object.ts';
import { int, list, long, numericId, oneOf, text } from '../../wire/types.ts';
import { declarableMediaTypes, type MediaCategory, mediaCategories, uploadLimits } from './categories.ts';

/** Maximum number of bytes of one request: the size of the largest animated GIF. */
const SIMPLE_BYTES = 15 * 1024 * 1024;

const isCategory = (name: string): name is MediaCategory => Object.hasOwn(mediaCategories, name);
const categoryNames = Object.keys(mediaCategories).filter(isCategory);
const [firstSimple = 'post_image', ...otherSimple] = categoryNames.filter((name) => name !== 'amplify_video');
const [firstCategory = 'post_image', ...otherCategories] = categoryNames;

export const category = () =>
  oneOf([firstCategory, ...otherCategories])
    .optional()
    .describe('What the media are for; found from the bytes when left out. Subtitles are rejected.');
export const simpleCategory = () =>
  oneOf([firstSimple, ...otherSimple])
    .optional()
    .describe('What the media are for; found from the bytes when left out. Subtitles are rejected.');
export const owners = () =>
  list(numericId(), { max: uploadLimits.additional_owners })
    .optional()
    .describe(`Up to ${uploadLimits.additional_owners} users who may use the media too.`);
export const mediaType = () =>
  oneOf(declarableMediaTypes).describe('What the bytes are said to be; they are looked at.');
export const totalBytes = () =>
  int({ min: 1, max: uploadLimits.total_bytes }).describe('How many bytes all segments have together.');
export const segmentIndex = () =>
  int({ min: 0, max: uploadLimits.segments - 1 }).describe(
    'The place of the segment. One sent again replaces the first.',
  );
export const mediaId = () => numericId().describe('The upload.');

const processingInfo = object(() => ({
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
}))
  .optional()
  .describe('Absent where the media need no processing beyond the upload.');

const found = object(() => ({
  size: int({ min: 1 }).optional().describe('Bytes.'),
  expires_after_secs: int({ min: 0 })
    .optional()
    .describe('When the media go unless a post uses them; absent once one does.'),
  processing_info: processingInfo,
  image: object(() => ({
    image_type: text().describe('The media type.'),
    w: int({ min: 1 }).describe('Width in pixels.'),
    h: int({ min: 1 }).describe('Height in pixels.'),
  }))
    .optional()
    .describe('Facts of an image or an animated GIF.'),
  video: object(() => ({ video_type: text().describe('The media type.') }))
    .optional()
    .describe('Facts of a video.'),
}));

/** Media in responses of version 1.1. */
export const UploadedMediaV1 = object(() => ({
  media_id: long({ min: 1n }).describe('The upload. Read it with a parser that keeps every digit.'),
  media_id_string: text().describe('The same as text.'),
  media_key: text()
    .optional()
    .describe('Under which posts and data retrieval know the media; only if a category was given.'),
  ...found.shape,
}));
export type UploadedMediaV1 = z.output<typeof UploadedMediaV1>;

/** Media in responses of version 2. */
export const UploadedMedia = object(() => ({
  id: text().describe('The upload.'),
  media_key: text().describe('Under which posts and data retrieval know the media.'),
  ...found.shape,
}));
export type UploadedMedia = z.output<typeof UploadedMedia>;

/** Names of the members that can hold the bytes of a simple upload. */
export const simpleBytes = { part: 'media', base64: 'media_data', max_bytes: SIMPLE_BYTES } as const;

/** Names of the members that can hold the bytes of a segment. */
export const segmentBytes = { part: 'media', base64: 'media_data', max_bytes: uploadLimits.segment_bytes } as const;

/** An upload for examples of the contract. */
export const exampleId = '1503831318555086850';
export const exampleKey = `3_${exampleId}`;
export const exampleImage = { image_type: 'image/png', w: 1200, h: 675 };
