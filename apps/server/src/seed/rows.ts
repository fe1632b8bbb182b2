/**
 * Rows of people and posts as seeding writes them: with times of their own and with counters that are final. Who writes rows
 * in this way answers for their agreement; everybody else goes through the post store.
 */

import { formatTimestamp, type MediaCategory, type PersonTraits } from '@broadside/core';
import type { Writer } from '../db/database.ts';
import { NO_PASSWORD } from '../identity/password.ts';
import type { MediaFacts } from '../media/inspection.ts';

/** A person who cannot sign in. */
export interface SeededUser {
  readonly id: bigint;
  readonly screen_name: string;
  readonly name: string;
  readonly created_ms: number;
  readonly description: string;
  readonly location: string | null;
  readonly url: string | null;
  readonly country: string | null;
  readonly traits: PersonTraits;
  readonly protected: boolean;
  readonly verified: boolean;
  readonly pinned_post_id: bigint | null;
  /** As answers hold it. */
  readonly entities: string | null;
  readonly followers_count: number;
  readonly following_count: number;
  readonly post_count: number;
  readonly listed_count: number;
}

const INSERT_USER = `INSERT INTO "users" ("id", "screen_name", "screen_name_folded", "name", "password_hash", "created_at",
    "description", "location", "url", "country", "protected", "verified", "pinned_post_id", "entities", "followers_count",
    "following_count", "post_count", "listed_count", "place", "birth_date", "gender", "languages", "platforms", "interests")
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Writes a user. */
export function insertUser(writer: Writer, user: SeededUser): Promise<number> {
  const { place = null, birth_date = null, gender, languages = [], platforms = [], interests = [] } = user.traits;
  const listed = (values: readonly string[]) => (values.length === 0 ? null : JSON.stringify(values));
  return writer.run(INSERT_USER, [
    `${user.id}`,
    user.screen_name,
    user.screen_name.toLowerCase(),
    user.name,
    NO_PASSWORD,
    formatTimestamp(user.created_ms),
    user.description,
    user.location,
    user.url,
    user.country,
    user.protected,
    user.verified,
    user.pinned_post_id,
    user.entities,
    user.followers_count,
    user.following_count,
    user.post_count,
    user.listed_count,
    place,
    birth_date,
    gender ? Number(gender) : null,
    listed(languages),
    listed(platforms),
    listed(interests),
  ]);
}

/** A post. Polls and places are not seeded. */
export interface SeededPost {
  readonly id: bigint;
  readonly author_id: bigint;
  readonly created_ms: number;
  readonly text: string;
  readonly lang: string;
  readonly source: string;
  readonly conversation_id: bigint;
  readonly in_reply_to_user_id: bigint | null;
  readonly replied_to_id: bigint | null;
  readonly quoted_id: bigint | null;
  readonly reposted_id: bigint | null;
  readonly possibly_sensitive: boolean;
  readonly reply_settings: string;
  /** As answers hold it. */
  readonly entities: string | null;
  readonly media_keys: readonly string[];
  readonly repost_count: number;
  readonly reply_count: number;
  readonly like_count: number;
  readonly quote_count: number;
  readonly impression_count: number;
  readonly url_link_clicks: number;
  readonly user_profile_clicks: number;
}

const INSERT_POST = `INSERT INTO "posts" ("id", "author_id", "created_ms", "text", "lang", "source", "conversation_id",
    "in_reply_to_user_id", "replied_to_id", "quoted_id", "reposted_id", "possibly_sensitive", "reply_settings", "nullcast",
    "entities", "media_keys", "repost_count", "reply_count", "like_count", "quote_count", "impression_count", "url_link_clicks",
    "user_profile_clicks") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Writes a post. */
export function insertPost(writer: Writer, post: SeededPost): Promise<number> {
  return writer.run(INSERT_POST, [
    post.id,
    post.author_id,
    post.created_ms,
    post.text,
    post.lang,
    post.source,
    post.conversation_id,
    post.in_reply_to_user_id,
    post.replied_to_id,
    post.quoted_id,
    post.reposted_id,
    post.possibly_sensitive,
    post.reply_settings,
    post.entities,
    post.media_keys.length === 0 ? null : JSON.stringify(post.media_keys),
    post.repost_count,
    post.reply_count,
    post.like_count,
    post.quote_count,
    post.impression_count,
    post.url_link_clicks,
    post.user_profile_clicks,
  ]);
}

/** What is known of bytes. */
interface SeededBytes {
  readonly facts: MediaFacts;
  readonly category: MediaCategory;
  readonly blob_key: string;
  readonly still: { readonly blob_key: string } | null;
}

/** Media that a post shows, their bytes in the store already. */
export interface SeededMedia {
  readonly id: bigint;
  readonly media_key: string;
  readonly owner_user_id: bigint;
  readonly bytes: SeededBytes;
  readonly alt_text: string | null;
  readonly view_count: number;
  readonly created_ms: number;
}

const INSERT_MEDIA = `INSERT INTO "media" ("id", "media_key", "owner_user_id", "additional_owners", "category", "category_given",
    "state", "content_type", "kind", "total_bytes", "width", "height", "duration_ms", "bit_rate", "blob_key", "preview_blob_key",
    "alt_text", "view_count", "created_ms", "expires_ms")
  VALUES (?, ?, ?, '[]', ?, 1, 'succeeded', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)`;

/** Writes media. */
export function insertMedia(writer: Writer, media: SeededMedia): Promise<number> {
  const { facts, category, blob_key, still } = media.bytes;
  return writer.run(INSERT_MEDIA, [
    media.id,
    media.media_key,
    media.owner_user_id,
    category,
    facts.media_type,
    facts.kind,
    facts.size_bytes,
    facts.width,
    facts.height,
    facts.duration_ms === undefined ? null : Math.round(facts.duration_ms),
    facts.bit_rate === undefined ? null : Math.round(facts.bit_rate),
    blob_key,
    still?.blob_key ?? null,
    media.alt_text,
    media.view_count,
    media.created_ms,
  ]);
}

/** Writes that a user likes a post. */
export function insertLike(writer: Writer, post_id: bigint, user_id: bigint, created_ms: number): Promise<number> {
  return writer.run('INSERT INTO "likes" ("post_id", "user_id", "created_ms") VALUES (?, ?, ?)', [
    post_id,
    user_id,
    created_ms,
  ]);
}

/** Who follows whom. */
export interface SeededFollow {
  readonly follower_id: bigint;
  readonly followed_id: bigint;
  readonly approved: boolean;
  readonly created_ms: number;
}

/** Writes that a user follows another, or asks to. */
export function insertFollow(writer: Writer, follow: SeededFollow): Promise<number> {
  return writer.run('INSERT INTO "follows" ("follower_id", "followed_id", "state", "created_ms") VALUES (?, ?, ?, ?)', [
    follow.follower_id,
    follow.followed_id,
    follow.approved ? 'approved' : 'requested',
    follow.created_ms,
  ]);
}
