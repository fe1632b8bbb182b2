import type * as z from 'zod';
import { systemMembers } from '../../operation/entity.ts';
import { object } from '../../wire/object.ts';
import { id, oneOf, text } from '../../wire/types.ts';

/** Uses of account media (specification B, Other shapes named). */
export const creativeTypes = [
  'BANNER',
  'BANNER_TABLET',
  'INTERSTITIAL',
  'INTERSTITIAL_LANDSCAPE',
  'INTERSTITIAL_LANDSCAPE_TABLET',
  'INTERSTITIAL_TABLET',
  'MEDIUM_RECTANGLE',
  'PREROLL',
  'VAST_PREROLL',
] as const;
export type CreativeType = (typeof creativeTypes)[number];

/** The parameter that identifies one. */
export const account_media_id = id().describe('The account media.');

/** Media of an account for use in media creatives (reference, creatives section 2). */
export const AccountMedia = object(() => ({
  id: account_media_id,
  video_id: text({ max: 64 }).nullable().describe('The media key of a video; null for an image.'),
  media_url: text({ max: 2000 }).nullable().describe('The address of an image; null for a video.'),
  creative_type: oneOf(creativeTypes).describe('What it can be used as.'),
  ...systemMembers({
    created_at: 'When it was added.',
    updated_at: 'When it last changed.',
    deleted: 'Whether it has been deleted.',
  }),
  media_key: text({ max: 64 }).describe('The media of the platform that it stands for.'),
}));
export type AccountMedia = z.output<typeof AccountMedia>;
