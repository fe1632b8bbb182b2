/**
 * The post object of data retrieval (specification A, Post (v2); reference, data retrieval section 4). Its members are the
 * values of `post.fields`; members without a value are left out.
 */

import * as z from 'zod';
import { extended, object } from '../../wire/object.ts';
import { boolean, decimal, instant, int, list, numericId, oneOf, text } from '../../wire/types.ts';
import { AnnotationEntity, MentionEntity, TagEntity, UrlEntity } from './entities.ts';

/** Kinds of reference from a post to another. */
export const referenceTypes = ['replied_to', 'reposted', 'quoted'] as const;
/** One of {@link referenceTypes}. */
export type ReferenceType = (typeof referenceTypes)[number];

/** Settings of who may reply to a post. */
export const replySettings = ['everyone', 'mentionedUsers', 'following', 'subscribers', 'verified', 'other'] as const;
/** One of {@link replySettings}. */
export type ReplySettings = (typeof replySettings)[number];

const keys = () => list(text(), { max: 10 });

const PostMetrics = object(() => ({
  repost_count: int({ min: 0 }).describe('Reposts.'),
  reply_count: int({ min: 0 }).describe('Replies.'),
  like_count: int({ min: 0 }).describe('Likes.'),
  quote_count: int({ min: 0 }).describe('Posts that quote it.'),
}));

const Context = object(() => ({
  id: text().describe('The id.'),
  name: text().describe('The name.'),
  description: text().optional().describe('A description.'),
}));

/** Metrics that are visible to the author only. */
const OwnMetrics = object(() => ({
  impression_count: int({ min: 0 }).describe('How often it was seen.'),
  url_link_clicks: int({ min: 0 }).describe('Clicks on its links.'),
  user_profile_clicks: int({ min: 0 }).describe("Clicks on the author's profile."),
}));

const OwnReach = extended(OwnMetrics, () => ({
  like_count: int({ min: 0 }).describe('Likes.'),
  reply_count: int({ min: 0 }).describe('Replies.'),
  repost_count: int({ min: 0 }).describe('Reposts.'),
}));

export const Post = object(() => ({
  id: numericId().describe('The post.'),
  text: text({ min: 0, max: 25_000 }).describe('What it says.'),
  attachments: z
    .object({
      media_keys: keys().optional().describe('Its media.'),
      poll_ids: keys().optional().describe('Its poll.'),
      media_source_post_id: keys().optional().describe('Where its media were posted first.'),
    })
    .optional()
    .describe('What is attached.'),
  author_id: numericId().optional().describe('Who wrote it.'),
  context_annotations: z
    .array(z.object({ domain: Context.describe('The kind of thing.'), entity: Context.describe('The thing.') }))
    .optional()
    .describe('What it is about.'),
  conversation_id: numericId().optional().describe('The first post of its thread.'),
  created_at: instant().optional().describe('When it was written.'),
  edit_controls: z
    .object({
      editable_until: instant().describe('Until when it can be changed.'),
      edits_remaining: int({ min: 0 }).describe('How often it can be changed.'),
      is_edit_eligible: boolean().describe('Whether it can be changed.'),
    })
    .optional()
    .describe('Whether it can be changed.'),
  edit_history_post_ids: keys().optional().describe('Its versions; one when it was never changed.'),
  entities: z
    .object({
      urls: z.array(UrlEntity).optional().describe('Links.'),
      mentions: z.array(MentionEntity).optional().describe('Names.'),
      hashtags: z.array(TagEntity).optional().describe('Hashtags.'),
      cashtags: z.array(TagEntity).optional().describe('Cashtags.'),
      annotations: z.array(AnnotationEntity).optional().describe('Things that it is about.'),
    })
    .optional()
    .describe('What is found in the text.'),
  geo: z
    .object({
      place_id: text().optional().describe('The place.'),
      coordinates: z
        .object({
          type: oneOf(['Point']).describe('Always Point.'),
          coordinates: z.array(decimal()).describe('Longitude and latitude.'),
        })
        .optional()
        .describe('The point.'),
    })
    .optional()
    .describe('Where it was written.'),
  in_reply_to_user_id: numericId().optional().describe('Whom it answers.'),
  lang: text().optional().describe('Language of the text: BCP 47, und when it is not known.'),
  non_public_metrics: OwnMetrics.optional().describe('For the author only.'),
  organic_metrics: OwnReach.optional().describe('For the author only.'),
  promoted_metrics: OwnReach.optional().describe('For the author only.'),
  possibly_sensitive: boolean().optional().describe('Whether its links or media may not be for everybody.'),
  public_metrics: PostMetrics.optional().describe('What became of it.'),
  referenced_posts: z
    .array(z.object({ type: oneOf(referenceTypes).describe('How.'), id: numericId().describe('The other post.') }))
    .optional()
    .describe('The posts that it answers, reposts or quotes.'),
  reply_settings: oneOf(replySettings).optional().describe('Who may reply.'),
  source: text().optional().describe('The client that it was posted with.'),
  withheld: z
    .object({
      copyright: boolean().describe('Whether for copyright.'),
      country_codes: list(text(), { max: 300 }).describe('Where it is not shown.'),
      scope: oneOf(['post', 'user']).optional().describe('Whether the post or its author.'),
    })
    .optional()
    .describe('Where it is not shown.'),
}));
export type Post = z.output<typeof Post>;

/** Values of later versions of such services: accepted and ignored here. */
export const laterPostFields = [
  'article',
  'article_title',
  'card_uri',
  'community_id',
  'display_text_range',
  'matched_media_notes',
  'media_metadata',
  'note_post',
  'note_request_suggestions',
  'paid_partnership',
  'scopes',
  'suggested_source_links',
  'suggested_source_links_with_counts',
] as const;
