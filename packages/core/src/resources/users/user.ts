/** The user object of data retrieval (specification A, User (v2); reference, data retrieval section 7). */

import * as z from 'zod';
import { object } from '../../wire/object.ts';
import { boolean, instant, int, list, numericId, oneOf, text } from '../../wire/types.ts';
import { MentionEntity, TagEntity, UrlEntity } from '../posts/entities.ts';

export const UserObject = object(() => ({
  id: numericId().describe('The user.'),
  name: text({ max: 50 }).describe('The name that people read.'),
  username: text({ max: 15 }).describe('The unique name, without @.'),
  created_at: instant().optional().describe('When the user was created.'),
  description: text({ min: 0 }).optional().describe('What users say of themselves.'),
  entities: z
    .object({
      url: z
        .object({ urls: z.array(UrlEntity).describe('Links.') })
        .optional()
        .describe('In the address.'),
      description: z
        .object({
          urls: z.array(UrlEntity).optional().describe('Links.'),
          hashtags: z.array(TagEntity).optional().describe('Hashtags.'),
          mentions: z.array(MentionEntity).optional().describe('Names.'),
          cashtags: z.array(TagEntity).optional().describe('Cashtags.'),
        })
        .optional()
        .describe('In the description.'),
    })
    .optional()
    .describe('What is found in address and description.'),
  location: text().optional().describe('Where they say they are.'),
  pinned_post_id: numericId().optional().describe('The post on top of the profile.'),
  profile_image_url: text().optional().describe('Address of the picture.'),
  protected: boolean().optional().describe('Whether only approved followers see their posts.'),
  public_metrics: z
    .object({
      followers_count: int({ min: 0 }).describe('Followers.'),
      following_count: int({ min: 0 }).describe('Users that they follow.'),
      post_count: int({ min: 0 }).describe('Posts.'),
      listed_count: int({ min: 0 }).describe('Lists that they are on.'),
    })
    .optional()
    .describe('Counts.'),
  url: text().optional().describe('Their address on the web.'),
  verified: boolean().optional().describe('Whether the platform vouches for them.'),
  withheld: z
    .object({
      country_codes: list(text(), { max: 300 }).describe('Where they are not shown.'),
      scope: oneOf(['user']).optional().describe('Always user.'),
    })
    .optional()
    .describe('Where they are not shown.'),
}));
export type UserObject = z.output<typeof UserObject>;

/** Values of later versions of such services: accepted and ignored here. */
export const laterUserFields = [
  'affiliation',
  'confirmed_email',
  'connection_status',
  'is_identity_verified',
  'most_recent_post_id',
  'parody',
  'profile_banner_url',
  'receives_your_dm',
  'subscribes_to_you',
  'subscription',
  'subscription_type',
  'verified_followers_count',
  'verified_type',
] as const;
