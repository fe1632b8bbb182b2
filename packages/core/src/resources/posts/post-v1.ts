/**
 * Posts as the advertising interface shows them: the object of version 1.1 (reference, creatives section 10). Ids are 64-bit
 * numbers beside their text. Where the reference has text that is never null, an empty one means that there is none.
 */

import * as z from 'zod';
import { object } from '../../wire/object.ts';
import { boolean, int, list, long, members, numericId, oneOf, text, time } from '../../wire/types.ts';
import { scheduledStatuses } from '../scheduled-posts/entity.ts';

/** Settings of who may reply to a post of an advertiser. */
export const conversationSettings = ['EVERYONE', 'FOLLOWING', 'MENTIONED_USERS'] as const;
/** One of {@link conversationSettings}. */
export type ConversationSettings = (typeof conversationSettings)[number];

/** Kinds of posts of an advertiser. */
export const postTypes = ['DRAFT', 'PUBLISHED', 'SCHEDULED'] as const;
/** One of {@link postTypes}. */
export type PostType = (typeof postTypes)[number];

const anyText = () => text({ min: 0, max: 25_000 });

const indices = z
  .array(int({ min: 0 }))
  .describe('Where it begins and ends in the text, in code points; the end is exclusive.');

const TagV1 = object(() => ({ text: anyText().describe('The tag, without its sign.'), indices }));

const MentionV1 = object(() => ({
  screen_name: text().describe('The name, without @.'),
  name: anyText().describe('The full name.'),
  id: long().describe('The user.'),
  id_str: numericId().describe('The user, as text.'),
  indices,
}));

const UrlV1 = object(() => ({
  url: anyText().describe('The link as it stands in the text.'),
  expanded_url: anyText().describe('The whole address.'),
  display_url: anyText().describe('What a reader sees.'),
  indices,
}));

const SizeV1 = object(() => ({
  w: int({ min: 0 }).describe('Width in pixels.'),
  h: int({ min: 0 }).describe('Height in pixels.'),
  resize: oneOf(['crop', 'fit']).describe('Whether it was cut to this size, or scaled into it.'),
}));

const MediaV1 = object(() => ({
  id: long().describe('The digits of the media key.'),
  id_str: numericId().describe('The same, as text.'),
  indices,
  media_url: anyText().describe('The picture; of a video or an animated GIF its still.'),
  media_url_https: anyText().describe('The same.'),
  url: anyText().describe('The link as it stands in the text.'),
  display_url: anyText().describe('What a reader sees of the link.'),
  expanded_url: anyText().describe('Where the link leads.'),
  type: oneOf(['photo', 'video', 'animated_gif']).describe('The kind of media.'),
  sizes: z
    .object({
      thumb: SizeV1.describe('Up to 150 pixels in either direction.'),
      small: SizeV1.describe('Up to 680 pixels.'),
      medium: SizeV1.describe('Up to 1200 pixels.'),
      large: SizeV1.describe('Up to 2048 pixels.'),
    })
    .describe('The sizes in which clients show it.'),
  media_key: text().describe('The media key.'),
  additional_media_info: z
    .object({
      title: anyText().optional().describe('The title of the video.'),
      description: anyText().optional().describe('The description of the video.'),
      call_to_actions: members().optional().describe('The call to action of the video by its name, with its `url`.'),
    })
    .optional()
    .describe('What the post says about its video.'),
}));

const entitiesV1 = object(() => ({
  hashtags: z.array(TagV1).describe('Hashtags.'),
  symbols: z.array(TagV1).describe('Cashtags.'),
  user_mentions: z.array(MentionV1).describe('People who are mentioned.'),
  urls: z.array(UrlV1).describe('Links.'),
  media: z.array(MediaV1).optional().describe('Media that the post shows.'),
}));
type EntitiesV1Members = typeof entitiesV1;
/** The schema of the entities of a post. An interface, so that declarations of operations name it and do not repeat its structure. */
interface EntitiesV1Schema extends EntitiesV1Members {}
const EntitiesV1: EntitiesV1Schema = entitiesV1;
export type EntitiesV1 = z.output<typeof EntitiesV1>;

const nothing = (what: string) => text().nullable().optional().describe(`Always null: ${what}.`);
const word = (what: string) => anyText().optional().describe(what);
const flag = (what: string) => boolean().optional().describe(what);
const number = (what: string) => int().optional().describe(what);

const userV1 = object(() => ({
  id: long().describe('The user.'),
  id_str: numericId().describe('The user, as text.'),
  name: word('The full name.'),
  screen_name: word('The name, without @.'),
  location: word('Where the user says to be.'),
  description: word('What the user says about themselves.'),
  url: word("The user's page."),
  protected: flag('Whether only approved followers see their posts.'),
  followers_count: number('Followers.'),
  friends_count: number('People whom the user follows.'),
  listed_count: number('Lists that the user is on.'),
  created_at: word('When the user joined.'),
  favourites_count: number('Always 0: what a person likes is not counted.'),
  utc_offset: int().nullable().optional().describe('Always null: users have no time zone.'),
  time_zone: nothing('users have no time zone'),
  geo_enabled: flag('Always false.'),
  verified: flag('Whether the user is who they say.'),
  statuses_count: number('Posts in public.'),
  lang: nothing('users have no language'),
  contributors_enabled: flag('Always false.'),
  is_translator: flag('Always false.'),
  is_translation_enabled: flag('Always false.'),
  translator_type: word('Always none.'),
  profile_background_color: word('A colour, as six hexadecimal digits.'),
  profile_background_image_url: word('Always empty.'),
  profile_background_image_url_https: word('Always empty.'),
  profile_background_tile: flag('Always false.'),
  profile_image_url: word("The user's picture."),
  profile_image_url_https: word('The same.'),
  profile_banner_url: word('Always empty.'),
  profile_link_color: word('A colour.'),
  profile_sidebar_border_color: word('A colour.'),
  profile_sidebar_fill_color: word('A colour.'),
  profile_text_color: word('A colour.'),
  profile_use_background_image: flag('Always false.'),
  default_profile: flag('Always true: profiles have no design.'),
  default_profile_image: flag('Whether the user has no picture.'),
  following: boolean().nullable().optional().describe('Always null.'),
  follow_request_sent: boolean().nullable().optional().describe('Always null.'),
  notifications: boolean().nullable().optional().describe('Always null.'),
  withheld_in_countries: list(text(), { min: 0, max: 300 }).optional().describe('Where the user is not shown.'),
}));
type UserV1Members = typeof userV1;
/** The schema of the author of a post. An interface, so that declarations of operations name it and do not repeat its structure. */
interface UserV1Schema extends UserV1Members {}
/** The author of a post. With `trim_user` only the ids are there. */
const UserV1: UserV1Schema = userV1;
export type UserV1 = z.output<typeof UserV1>;

const sharedMembers = object(() => ({
  id: long().describe('The post.'),
  id_str: numericId().describe('The post, as text.'),
  created_at: text().describe('When it was posted: `Tue Aug 27 22:22:12 +0000 2019`.'),
  truncated: boolean().describe('Whether `text` is cut.'),
  name: text().nullable().describe('The name by which advertisers find it; people do not see it.'),
  card_uri: text().optional().describe('The card that it was posted with.'),
  entities: EntitiesV1.describe('What is found in the text.'),
  source: anyText().describe('The client that it was posted with, as a link.'),
  lang: text().describe('Language of the text: BCP 47, und when it is not known.'),
  favorite_count: int({ min: 0 }).describe('Likes.'),
  repost_count: int({ min: 0 }).describe('Reposts.'),
  favorited: boolean().describe('Whether the caller likes it.'),
  reposted: boolean().describe('Whether the caller has reposted it.'),
  possibly_sensitive: boolean()
    .optional()
    .describe('Whether its links or media may not be for everybody; present with links or media only.'),
  in_reply_to_status_id: long().nullable().describe('The post that it answers.'),
  in_reply_to_status_id_str: numericId().nullable().describe('The same, as text.'),
  in_reply_to_user_id: long().nullable().describe('Whom it answers.'),
  in_reply_to_user_id_str: numericId().nullable().describe('The same, as text.'),
  in_reply_to_screen_name: text().nullable().describe('The name of whom it answers, without @.'),
  geo: members().nullable().describe('Where it was written, latitude first.'),
  coordinates: members().nullable().describe('Where it was written, longitude first.'),
  place: members().nullable().describe('The place where it was written.'),
  contributors: z.array(long()).nullable().describe('Who composed it, where that is not the author.'),
  scopes: object(() => ({ followers: boolean().describe('Always false.') })).describe('Whom it is for.'),
  user: UserV1.describe('The author.'),
}));

const full_text = anyText().describe('What it says, with the link of its media.');
const display_text_range = z
  .array(int({ min: 0 }))
  .describe('Where the text that people see begins and ends: without the link of its media.');

const listedPost = object(() => ({
  ...sharedMembers.shape,
  post_id: numericId().describe('The post, as text.'),
  full_text,
  display_text_range,
  nullcast: boolean().describe('Whether it is promoted only, and shown in no timeline.'),
  post_type: oneOf(postTypes).describe('Whether it is a draft, published, or scheduled.'),
  scheduled_at: time().nullable().describe('When a scheduled post is published.'),
  scheduled_status: oneOf(scheduledStatuses).optional().describe('What became of a scheduled post.'),
  conversation_settings: oneOf(conversationSettings).describe('Who may reply.'),
}));
type ListedPostMembers = typeof listedPost;
/** The schema of a post in lists. An interface, so that declarations of operations name it and do not repeat its structure. */
export interface ListedPostSchema extends ListedPostMembers {}
/** A post of an advertiser, as lists and changes of its name return it. */
export const ListedPost: ListedPostSchema = listedPost;
export type ListedPost = z.output<typeof ListedPost>;

const createdPost = object(() => ({
  ...sharedMembers.shape,
  text: anyText().optional().describe('What it says, cut when it has more than 140 characters; with post_mode compat.'),
  full_text: full_text.optional(),
  display_text_range: display_text_range.optional(),
}));
type CreatedPostMembers = typeof createdPost;
/** The schema of a post that was just made. An interface, so that declarations of operations name it and do not repeat its structure. */
export interface CreatedPostSchema extends CreatedPostMembers {}
/** A post that was just made. `text` or `full_text`, by `post_mode`. */
export const CreatedPost: CreatedPostSchema = createdPost;
export type CreatedPost = z.output<typeof CreatedPost>;
