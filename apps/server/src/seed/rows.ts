/**
 * Rows of people and posts as written by seeding: with times of their own and final counters. Whoever writes rows
 * this way is responsible for their consistency; everybody else uses the post store.
 */

import { formatTimestamp } from '@broadside/core';
import type { MediaCategory } from '@broadside/core/resources/media';
import type { ReplySettings } from '@broadside/core/resources/posts';
import type { PersonIdentifiers, PersonTraits } from '@broadside/core/resources/users';
import { eq, getTableColumns } from 'drizzle-orm';
import type { Awaitable } from '../awaitable.ts';
import type { Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { follows } from '../follows/platform-table.ts';
import { NO_PASSWORD } from '../identity/password.ts';
import { users } from '../identity/platform-table.ts';
import { profileColumns } from '../identity/user-columns.ts';
import type { MediaFacts } from '../media/inspection.ts';
import { media } from '../media/platform-table.ts';
import { factColumns } from '../media/store.ts';
import { polls, pollVotes } from '../polls/platform-table.ts';
import { likes, posts } from '../posts/platform-table.ts';
import { newColumns, ownCounts, publicCounts } from '../posts/post-columns.ts';

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
  /** Normalized. */
  readonly identifiers: PersonIdentifiers;
  readonly protected: boolean;
  readonly verified: boolean;
  readonly pinned_post_id: bigint | null;
  /** In the format of responses. */
  readonly entities: string | null;
  readonly followers_count: number;
  readonly following_count: number;
  readonly post_count: number;
  readonly listed_count: number;
}

const addUser = statement(
  {
    id: users.id,
    screen_name: users.screen_name,
    screen_name_folded: users.screen_name_folded,
    password_hash: users.password_hash,
    created_at: users.created_at,
    ...profileColumns,
    pinned_post_id: users.pinned_post_id,
    followers_count: users.followers_count,
    following_count: users.following_count,
    post_count: users.post_count,
    listed_count: users.listed_count,
  },
  (user) => query.insert(users).values(user),
);

/** Writes a user. */
export function insertUser(writer: Writer, user: SeededUser): Awaitable<number> {
  const { place = null, birth_date = null, gender, languages = [], platforms = [], interests = [] } = user.traits;
  const { email = null, phone_numbers = [], devices = [] } = user.identifiers;
  const listed = (values: readonly string[]) => (values.length === 0 ? null : [...values]);
  return addUser.run(writer, {
    ...user,
    id: `${user.id}`,
    screen_name_folded: user.screen_name.toLowerCase(),
    password_hash: NO_PASSWORD,
    created_at: formatTimestamp(user.created_ms),
    place,
    birth_date,
    gender: gender === '1' ? 1 : gender === '2' ? 2 : null,
    languages: listed(languages),
    platforms: listed(platforms),
    interests: listed(interests),
    email,
    phone_numbers: listed(phone_numbers),
    devices: listed(devices),
  });
}

const updateCounters = statement(
  {
    id: users.id,
    followers_count: users.followers_count,
    following_count: users.following_count,
    post_count: users.post_count,
  },
  ({ id, ...counters }) => query.update(users).set(counters).where(eq(users.id, id)),
);

/** Sets the counters of an existing user. */
export async function setCounters(
  writer: Writer,
  user: Pick<SeededUser, 'id' | 'followers_count' | 'following_count' | 'post_count'>,
): Promise<void> {
  await updateCounters.run(writer, { ...user, id: `${user.id}` });
}

/** A post. Places are not seeded. */
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
  readonly reply_settings: ReplySettings;
  /** In the format of responses. */
  readonly entities: string | null;
  readonly media_keys: readonly string[];
  /** The number of its poll. */
  readonly poll_id?: bigint | undefined;
  readonly repost_count: number;
  readonly reply_count: number;
  readonly like_count: number;
  readonly quote_count: number;
  readonly impression_count: number;
  readonly url_link_clicks: number;
  readonly user_profile_clicks: number;
}

const addPost = statement(
  { ...newColumns, ...publicCounts, ...ownCounts, card_uri: posts.card_uri, card_type: posts.card_type },
  (post) => query.insert(posts).values({ ...post, nullcast: false }),
);

/** Writes a post. */
export function insertPost(writer: Writer, { poll_id, ...post }: SeededPost): Awaitable<number> {
  const media_keys = post.media_keys.length === 0 ? null : JSON.stringify(post.media_keys);
  const card =
    poll_id === undefined
      ? { card_uri: null, card_type: null }
      : { card_uri: `card://${poll_id}`, card_type: 'TEXT_POLLS' };
  return addPost.run(writer, { ...post, ...card, media_keys });
}

/** A poll of a post, with its results. It has no card. */
export interface SeededPoll {
  readonly id: bigint;
  readonly choices: readonly string[];
  readonly duration_minutes: number;
  readonly start_ms: number;
  readonly end_ms: number;
  readonly votes_1: number;
  readonly votes_2: number;
  readonly votes_3: number;
  readonly votes_4: number;
}

const addPoll = statement(getTableColumns(polls), (poll) => query.insert(polls).values(poll));

/** Writes a poll. */
export function insertPoll(writer: Writer, { choices, ...poll }: SeededPoll): Awaitable<number> {
  return addPoll.run(writer, { ...poll, choices: [...choices], media_key: null });
}

/** A vote in a poll. */
export interface SeededVote {
  readonly poll_id: bigint;
  readonly user_id: bigint;
  /** The position of the choice, from 1. */
  readonly choice: number;
  readonly created_ms: number;
}

const addVote = statement(getTableColumns(pollVotes), (vote) => query.insert(pollVotes).values(vote));

/** Writes a vote. */
export function insertVote(writer: Writer, vote: SeededVote): Awaitable<number> {
  return addVote.run(writer, { ...vote });
}

/** Stored bytes, and the properties found in them. */
interface SeededBytes {
  readonly facts: MediaFacts;
  readonly category: MediaCategory;
  readonly blob_key: string;
  readonly still: { readonly blob_key: string } | null;
}

/** Media of a post, whose bytes are already in the store. */
export interface SeededMedia {
  readonly id: bigint;
  readonly media_key: string;
  readonly owner_user_id: bigint;
  readonly bytes: SeededBytes;
  readonly alt_text: string | null;
  readonly view_count: number;
  readonly created_ms: number;
}

const addMedia = statement(
  {
    id: media.id,
    media_key: media.media_key,
    owner_user_id: media.owner_user_id,
    category: media.category,
    content_type: media.content_type,
    kind: media.kind,
    total_bytes: media.total_bytes,
    width: media.width,
    height: media.height,
    duration_ms: media.duration_ms,
    bit_rate: media.bit_rate,
    blob_key: media.blob_key,
    preview_blob_key: media.preview_blob_key,
    alt_text: media.alt_text,
    view_count: media.view_count,
    created_ms: media.created_ms,
  },
  (row) =>
    query.insert(media).values({
      ...row,
      additional_owners: [],
      category_given: true,
      state: 'succeeded' as const,
      posted: true,
    }),
);

/** Writes media. */
export function insertMedia(writer: Writer, { bytes, ...row }: SeededMedia): Awaitable<number> {
  const { facts, category, blob_key, still } = bytes;
  return addMedia.run(writer, {
    ...row,
    ...factColumns(facts),
    category,
    blob_key,
    preview_blob_key: still?.blob_key ?? null,
  });
}

const addLike = statement(getTableColumns(likes), (like) => query.insert(likes).values(like));

/** Writes a like of a post by a user. */
export function insertLike(writer: Writer, post_id: bigint, user_id: bigint, created_ms: number): Awaitable<number> {
  return addLike.run(writer, { post_id, user_id, created_ms });
}

/** A follow. */
export interface SeededFollow {
  readonly follower_id: bigint;
  readonly followed_id: bigint;
  readonly approved: boolean;
  readonly created_ms: number;
}

const addFollow = statement(getTableColumns(follows), (follow) => query.insert(follows).values(follow));

/** Writes that a user follows another, or requests to. */
export function insertFollow(writer: Writer, { approved, ...follow }: SeededFollow): Awaitable<number> {
  return addFollow.run(writer, { ...follow, state: approved ? 'approved' : 'requested' });
}
