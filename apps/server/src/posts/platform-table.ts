import type { ReplySettings, VideoCta } from '@broadside/core/resources/posts';
import { isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { flag, int, long } from '../db/columns.ts';

/**
 * Posts, by number: the id is the row's own key, so that a read by id is one descent of one tree. Counters are columns, kept
 * in step by the writes that change them. What is never asked for by its parts is stored as the JSON that answers hold.
 */
export const posts = sqliteTable(
  'posts',
  {
    id: long('id').primaryKey(),
    author_id: long('author_id').notNull(),
    created_ms: int('created_ms').notNull(),
    text: text('text').notNull(),
    lang: text('lang').notNull(),
    source: text('source').notNull(),
    conversation_id: long('conversation_id').notNull(),
    in_reply_to_user_id: long('in_reply_to_user_id'),
    replied_to_id: long('replied_to_id'),
    quoted_id: long('quoted_id'),
    reposted_id: long('reposted_id'),
    possibly_sensitive: flag('possibly_sensitive').notNull(),
    reply_settings: text('reply_settings').$type<ReplySettings>().notNull(),
    /** Promoted only: not shown in timelines. */
    nullcast: flag('nullcast').notNull(),
    /** `entities` of the post object, or null when there are none. */
    entities: text('entities'),
    context_annotations: text('context_annotations'),
    /** A JSON array of media keys. */
    media_keys: text('media_keys'),
    place: text('place'),
    coordinates: text('coordinates'),
    withheld: text('withheld'),
    repost_count: int('repost_count').notNull().default(0),
    reply_count: int('reply_count').notNull().default(0),
    like_count: int('like_count').notNull().default(0),
    quote_count: int('quote_count').notNull().default(0),
    impression_count: int('impression_count').notNull().default(0),
    url_link_clicks: int('url_link_clicks').notNull().default(0),
    user_profile_clicks: int('user_profile_clicks').notNull().default(0),
    /** Null while the post is there. */
    deleted_ms: int('deleted_ms'),
    /** Null unless the operator has taken it down: then its author alone sees it. */
    taken_down_ms: int('taken_down_ms'),
    /** The advertiser's name for it, which people do not see, and its folded form, for prefixes. */
    name: text('name'),
    name_folded: text('name_folded'),
    /** The card that it shows, and the account of that: `<environment>/<account_id>`. */
    card_uri: text('card_uri'),
    card_type: text('card_type'),
    card_account: text('card_account'),
    /** The person who composed it, where that is not its author. */
    contributor_id: long('contributor_id'),
    video_title: text('video_title'),
    video_description: text('video_description'),
    video_cta: text('video_cta').$type<VideoCta>(),
    video_cta_value: text('video_cta_value'),
    /**
     * The part of the author's timeline that it is in: 0 in public, 2 promoted only, and 1 more for a mention or a reply. Computed,
     * so that the index below gives each part in its order.
     */
    timeline: int('timeline').generatedAlwaysAs(
      (): SQL =>
        sql`"nullcast" * 2 + ("replied_to_id" IS NOT NULL OR ("reposted_id" IS NULL AND coalesce(instr("entities", '"mentions":') > 0, 0)))`,
      { mode: 'virtual' },
    ),
  },
  (table) => [
    index('posts_by_author').on(table.author_id, table.id),
    // With the name, so that a search for a frequent one reads nothing else.
    index('posts_by_timeline')
      .on(table.author_id, table.timeline, table.id, table.name_folded)
      .where(isNull(table.deleted_ms)),
    index('posts_by_name').on(table.author_id, table.name_folded, table.id).where(isNotNull(table.name_folded)),
    // Deleting a post deletes its reposts, and a person reposts a post once.
    index('posts_by_reposted').on(table.reposted_id, table.author_id).where(isNotNull(table.reposted_id)),
  ],
);

/** Likes. A table without row ids: the key is the row. */
export const likes = sqliteTable(
  'likes',
  {
    post_id: long('post_id').notNull(),
    user_id: long('user_id').notNull(),
    created_ms: int('created_ms').notNull(),
  },
  (table) => [primaryKey({ columns: [table.post_id, table.user_id] })],
);

/**
 * Posts that are published once whatever happens: the key of a publication, written with its post, finds the post again.
 */
export const publications = sqliteTable('publications', {
  key: text('key').primaryKey(),
  post_id: long('post_id').notNull(),
});
