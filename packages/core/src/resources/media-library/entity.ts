import type * as z from 'zod';
import { systemMembers } from '../../operation/entity.ts';
import { computed } from '../../wire/computed.ts';
import { object } from '../../wire/object.ts';
import { boolean, int, oneOf, text } from '../../wire/types.ts';

/** Types of media in a library, and the filter by them (specification B, Media library). */
export const libraryMediaTypes = ['GIF', 'IMAGE', 'VIDEO'] as const;
export type LibraryMediaType = (typeof libraryMediaTypes)[number];

/** Categories of media in a library (reference, creatives section 11). */
export const libraryMediaCategories = ['AMPLIFY_VIDEO', 'POST_GIF', 'POST_IMAGE', 'POST_VIDEO'] as const;
export type LibraryMediaCategory = (typeof libraryMediaCategories)[number];

/** Most characters of the texts that an advertiser gives media (specification B, Limits). */
export const libraryTextLimits = { name: 100, file_name: 255, title: 70, description: 200 } as const;

const { name, file_name, title, description } = libraryTextLimits;

const shape = () => ({
  media_key: text({ max: 64 }).describe('The media.'),
  media_type: oneOf(libraryMediaTypes).describe('What they are.'),
  media_category: oneOf(libraryMediaCategories).describe('What they were uploaded for.'),
  media_status: computed(
    oneOf(['TRANSCODE_COMPLETED', 'TRANSCODE_FAILED', 'TRANSCODE_PENDING']).describe(
      'How far they are processed. Media are in a library only once that is done, so always TRANSCODE_COMPLETED.',
    ),
  ),
  media_url: text({ max: 2000 }).describe('The address of their bytes.'),
  name: text({ max: name }).nullable().describe('Their label; shown as Untitled while there is none.'),
  file_name: text({ max: file_name }).nullable().describe('The name of the file that was uploaded.'),
  posted: computed(boolean().describe('Whether a post shows them.')),
  ...systemMembers({
    created_at: 'When they were added to the library.',
    deleted: 'Whether they have been removed from the library.',
  }),
  title: text({ max: title }).nullable().optional().describe('A title; absent for an image.'),
  description: text({ max: description }).nullable().optional().describe('A description; absent for an image.'),
  duration: computed(
    int({ min: 0 })
      .nullable()
      .optional()
      .describe('Length of a video in milliseconds; null for an animated GIF, absent for an image.'),
  ),
  aspect_ratio: computed(
    text({ max: 20 }).optional().describe('Width to height, reduced, as 16:9; absent for an image.'),
  ),
  poster_media_key: text({ max: 64 })
    .nullable()
    .optional()
    .describe(
      'The image shown until it plays: 3_ and the digits of the media for their own still. Absent for an image.',
    ),
  poster_media_url: text({ max: 2000 }).nullable().optional().describe('Its address; absent for an image.'),
});

/** Named, so that declarations of operations do not repeat its members. */
export interface LibraryMediaSchema extends z.ZodObject<ReturnType<typeof shape>> {}

/** Media in the library of an account (reference, creatives section 11). The last six members depend on the type. */
export const LibraryMedia: LibraryMediaSchema = object(shape);
export type LibraryMedia = z.output<typeof LibraryMedia>;
