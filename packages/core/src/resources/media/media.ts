/** The media object of data retrieval (specification A, Media (v2); reference, data retrieval section 6). */

import * as z from 'zod';
import { object } from '../../wire/object.ts';
import { int, oneOf, text } from '../../wire/types.ts';
import { mediaKinds } from './categories.ts';

const Playback = object(() => ({
  playback_0_count: int({ min: 0 }).describe('Begun.'),
  playback_25_count: int({ min: 0 }).describe('Seen to a quarter.'),
  playback_50_count: int({ min: 0 }).describe('Seen to the half.'),
  playback_75_count: int({ min: 0 }).describe('Seen to three quarters.'),
  playback_100_count: int({ min: 0 }).describe('Seen to the end.'),
}));
const Reach = object(() => ({ ...Playback.shape, view_count: int({ min: 0 }).describe('Views.') }));

export const MediaObject = object(() => ({
  media_key: text().describe('The media.'),
  type: oneOf(mediaKinds).describe('What it is.'),
  alt_text: text({ max: 1000 }).optional().describe('A description for who cannot see it.'),
  duration_ms: int({ min: 0 }).optional().describe('Length of a video, in milliseconds.'),
  height: int({ min: 1 }).optional().describe('Pixels.'),
  non_public_metrics: Playback.optional().describe('For the owner only.'),
  organic_metrics: Reach.optional().describe('For the owner only.'),
  preview_image_url: text().optional().describe('Address of a still of a video or an animated GIF.'),
  promoted_metrics: Reach.optional().describe('For the owner only.'),
  public_metrics: z
    .object({ view_count: int({ min: 0 }).describe('Views.') })
    .optional()
    .describe('What became of a video.'),
  url: text().optional().describe('Address of a photo.'),
  variants: z
    .array(
      z.object({
        bit_rate: int({ min: 0 }).optional().describe('Bits a second.'),
        content_type: text().describe('The media type of the file.'),
        url: text().describe('Its address.'),
      }),
    )
    .optional()
    .describe('The files of a video.'),
  width: int({ min: 1 }).optional().describe('Pixels.'),
}));
export type MediaObject = z.output<typeof MediaObject>;
