/** Posts of advertisers (specification B, Posts; reference, creatives section 10). */

import type * as z from 'zod';
import { account_id, count, cursor, MAX_IDS } from '../../operation/list.ts';
import { defineAccountRead, defineAccountWrite } from '../../operation/on-account.ts';
import { object } from '../../wire/object.ts';
import { boolean, list, long, numericId, oneOf, removable, text } from '../../wire/types.ts';
import { CreatedPost, conversationSettings, ListedPost, postTypes } from './post-v1.ts';
import { MAX_POST_IMAGES, MAX_POST_NAME, videoCtas } from './rules.ts';

/** Parts of the posts of a user. */
const timelineTypes = ['ALL', 'NULLCAST', 'ORGANIC'] as const;

const trim_user = boolean().default(false).describe('Leave out all of the author but the ids.');

const shared = {
  id: 1_503_831_318_555_086_851n,
  id_str: '1503831318555086851',
  created_at: 'Thu Jan 15 08:00:00 +0000 2026',
  truncated: false,
  name: 'Autumn',
  entities: { hashtags: [], symbols: [], user_mentions: [], urls: [] },
  source: '<a href="https://broadside.example" rel="nofollow">Broadside Ads</a>',
  lang: 'en',
  favorite_count: 0,
  repost_count: 0,
  favorited: false,
  reposted: false,
  in_reply_to_status_id: null,
  in_reply_to_status_id_str: null,
  in_reply_to_user_id: null,
  in_reply_to_user_id_str: null,
  in_reply_to_screen_name: null,
  geo: null,
  coordinates: null,
  place: null,
  contributors: null,
  scopes: { followers: false },
  user: { id: 1_503_831_318_555_086_849n, id_str: '1503831318555086849' },
};

const listed: z.input<typeof ListedPost> = {
  ...shared,
  post_id: shared.id_str,
  full_text: 'Autumn reading is in',
  display_text_range: [0, 20],
  nullcast: true,
  post_type: 'PUBLISHED',
  scheduled_at: null,
  conversation_settings: 'EVERYONE',
};

export const advertiserOperations = {
  list: defineAccountRead('posts.list', '/12/accounts/:account_id/posts', {
    summary: 'List the posts, drafts or scheduled posts of a promotable user',
    description:
      'The newest first. Filters are combined; ids that are not of the post type, or not of the user, are left out. A post counts as a mention when it mentions anybody, and mentions and replies are sought among published posts only.',
    capability: 'creatives.read',
    envelope: 'list',
    params: object(() => ({
      account_id,
      post_type: oneOf(postTypes).describe('Which posts.'),
      count,
      cursor,
      include_mentions_and_replies: boolean().default(false).describe('Include posts that mention or answer somebody.'),
      name: text({ max: MAX_POST_NAME }).optional().describe('Only names that begin with this text, in any case.'),
      timeline_type: oneOf(timelineTypes)
        .default('NULLCAST')
        .describe('Posts that are promoted only, posts in public, or both.'),
      trim_user,
      post_ids: list(numericId(), { max: MAX_IDS }).optional().describe(`Only these posts: up to ${MAX_IDS} ids.`),
      user_id: numericId()
        .optional()
        .describe('A promotable user of the account; its FULL promotable user when left out.'),
    })),
    data: ListedPost,
    errors: ['INVALID_USER_ID'],
    example: { params: { post_type: 'PUBLISHED', trim_user: true }, data: listed },
  }),
  create: defineAccountWrite('posts.create', 'POST', '/12/accounts/:account_id/post', {
    summary: 'Post in the name of a promotable user',
    description:
      'In the name of the FULL promotable user posts that user, or a caller with POST_COMPOSER; in the name of another promotable user that user only, and in public everybody only as themselves. Media are uploads that `as_user_id` may use, or media of the library of the account; posting adds them to the library. The same post twice in a row is rejected.',
    capability: 'creatives.write',
    envelope: 'entity',
    params: object(() => ({
      account_id,
      as_user_id: long({ min: 1n }).describe('The promotable user in whose name it is posted.'),
      text: text({ min: 0, max: 25_000 })
        .optional()
        .describe('What it says: up to 280 in weighted length, where a link counts 23. Required without `media_keys`.'),
      card_uri: text({ max: 64 }).optional().describe('A card of the account to show, without `media_keys`.'),
      conversation_settings: oneOf(conversationSettings)
        .default('EVERYONE')
        .describe('Who may reply: everybody, people whom the author follows, or people who are mentioned.'),
      media_keys: list(text({ max: 64 }), { max: MAX_POST_IMAGES })
        .optional()
        .describe('Media to show: up to 4 images, or one animated GIF, or one video.'),
      name: text({ max: MAX_POST_NAME })
        .optional()
        .describe('A name by which to find it, up to 80 characters; people do not see it.'),
      nullcast: boolean()
        .default(true)
        .describe('Promoted only: shown in no timeline. Only users themselves post in their timelines.'),
      trim_user,
      post_mode: oneOf(['compat', 'extended'])
        .default('compat')
        .describe('Whether the answer has `text`, cut when it is long, or `full_text`.'),
      video_cta: oneOf(videoCtas).optional().describe('The call to action of the video; with `video_cta_value`.'),
      video_cta_value: text({ max: 2000 }).optional().describe('The address that the call to action opens.'),
      video_description: text({ max: 200 }).optional().describe('The description of the video.'),
      video_title: text({ max: 70 }).optional().describe('The title of the video.'),
    })),
    data: CreatedPost,
    errors: [
      'CARD_NOT_FOUND',
      'DUPLICATE_POST',
      'EXCLUSIVE_PARAMETERS',
      'INCLUSIVE_PARAMETERS',
      'INVALID_MEDIA',
      'INVALID_POST',
      'INVALID_USER_ID',
      'MEDIA_NOT_FOUND',
      'POST_CANNOT_BE_BLANK',
      'QUOTA_EXCEEDED',
    ],
    example: {
      params: { as_user_id: 1_503_831_318_555_086_849n, text: 'Autumn reading is in', name: 'Autumn', trim_user: true },
      data: { ...shared, text: 'Autumn reading is in' },
    },
  }),
  rename: defineAccountWrite('posts.rename', 'PUT', '/12/accounts/:account_id/posts/:post_id/name', {
    summary: 'Change the name of a post',
    description: 'Of a post by a promotable user of the account.',
    capability: 'creatives.write',
    envelope: 'entity',
    params: object(() => ({
      account_id,
      post_id: long({ min: 1n }).describe('The published post.'),
      name: removable(text({ max: MAX_POST_NAME }))
        .optional()
        .describe('The name, up to 80 characters; empty to remove it.'),
    })),
    data: ListedPost,
    errors: ['POST_NOT_FOUND'],
    example: { params: { post_id: shared.id, name: 'Autumn' }, data: listed },
  }),
};
