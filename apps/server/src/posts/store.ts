/** Reads posts and what they point at. Many ids are read in one statement; their order is the caller's business. */
import { parseJson } from '@broadside/core';
import type { MediaKind } from '@broadside/core/resources/media';
import type { Post, ReplySettings, VideoCta } from '@broadside/core/resources/posts';
import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { type Awaitable, chain } from '../awaitable.ts';
import type { Reader } from '../db/database.ts';
import { rows, statement } from '../db/statement.ts';
import { orNull, types } from '../db/value-types.ts';
import { follows } from '../follows/platform-table.ts';
import { users } from '../identity/platform-table.ts';
import { isErased } from '../media/erased.ts';
import { media } from '../media/platform-table.ts';
import { posts } from './platform-table.ts';
import { advertiserColumns, ownColumns, ownCounts, publicCounts } from './post-columns.ts';

/** A post as stored. Members with JSON hold its text. */
export interface PostRow {
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
  readonly entities: string | null;
  readonly context_annotations: string | null;
  readonly media_keys: string | null;
  readonly place: string | null;
  readonly coordinates: string | null;
  readonly withheld: string | null;
  readonly public_metrics: NonNullable<Post['public_metrics']>;
  readonly impression_count: number;
  readonly url_link_clicks: number;
  readonly user_profile_clicks: number;
  /** Promoted only: not shown in timelines. */
  readonly nullcast: boolean;
  /** The part of the author's timeline that it is in, as the table numbers them. */
  readonly timeline: number;
  readonly deleted: boolean;
  /** The advertiser's name for it. */
  readonly name: string | null;
  readonly card_uri: string | null;
  readonly card_type: string | null;
  /** `<environment>/<account_id>` of the card. */
  readonly card_account: string | null;
  /** The person who composed it, where that is not its author. */
  readonly contributor_id: bigint | null;
  readonly video_title: string | null;
  readonly video_description: string | null;
  readonly video_cta: VideoCta | null;
  readonly video_cta_value: string | null;
  /** The name of its author, without @. */
  readonly screen_name: string;
  /** The name of the author of what it passes on. */
  readonly original_screen_name: string | null;
  /** True where only approved followers of the author may see it, or nobody, since the author is suspended. */
  readonly protected: boolean;
  /** The author of what it passes on, when that author is protected or suspended. */
  readonly guarded_author_id: bigint | null;
  readonly taken_down: boolean;
  /** The author of what it passes on, when that was taken down. */
  readonly taken_author_id: bigint | null;
}

const original = alias(posts, 'original');
const author = alias(users, 'author');

const listPosts = statement({ ids: types.longs }, ({ ids }) =>
  rows(
    {
      ...ownColumns,
      public_metrics: publicCounts,
      ...ownCounts,
      ...advertiserColumns,
      timeline: sql`${posts.timeline}`.mapWith(types.int),
      screen_name: users.screen_name,
      original_screen_name: sql`CASE WHEN ${posts.reposted_id} IS NOT NULL THEN
        (SELECT ${author.screen_name} FROM ${posts} AS ${original}
          JOIN ${users} AS ${author} ON ${author.id} = CAST(${original.author_id} AS TEXT)
          WHERE ${original.id} = ${posts.reposted_id}) END`.mapWith(orNull(users.screen_name)),
      deleted: sql`${posts.deleted_ms} IS NOT NULL`.mapWith(types.flag),
      protected: sql`(${users.protected} OR ${users.suspended})`.mapWith(types.flag),
      guarded_author_id: sql`CASE WHEN ${posts.reposted_id} IS NOT NULL THEN
        (SELECT ${original.author_id} FROM ${posts} AS ${original}
          JOIN ${users} AS ${author} ON ${author.id} = CAST(${original.author_id} AS TEXT)
          WHERE ${original.id} = ${posts.reposted_id} AND (${author.protected} = 1 OR ${author.suspended} = 1)) END`.mapWith(
        orNull(posts.author_id),
      ),
      taken_down: sql`${posts.taken_down_ms} IS NOT NULL`.mapWith(types.flag),
      taken_author_id: sql`CASE WHEN ${posts.reposted_id} IS NOT NULL THEN
        (SELECT ${original.author_id} FROM ${posts} AS ${original}
          WHERE ${original.id} = ${posts.reposted_id} AND ${original.taken_down_ms} IS NOT NULL) END`.mapWith(
        orNull(posts.author_id),
      ),
    },
    (columns) => sql`SELECT ${columns} FROM json_each(${ids}) AS wanted
      CROSS JOIN ${posts} ON ${posts.id} = CAST(wanted.value AS INTEGER)
      JOIN ${users} ON ${users.id} = CAST(${posts.author_id} AS TEXT)`,
  ),
);

/**
 * Returns the people whose followers alone may see a post, or nobody where they are suspended (`readFollowed`): its author, and the
 * author of its original. A repost has the
 * text of its original, so it is hidden with it (our reading: reference, data retrieval section 12, speaks of hidden posts).
 */
export function guardsOf({ protected: isProtected, author_id, guarded_author_id }: PostRow): bigint[] {
  return [...(isProtected ? [author_id] : []), ...(guarded_author_id === null ? [] : [guarded_author_id])];
}

/** Whether a post was taken down, and whose it is. */
interface Takable<Id> {
  readonly taken_down: boolean;
  readonly author_id: Id;
}

/**
 * Returns whether a post is hidden from a person since it, or what it passes on, was taken down. Each is for its own author alone: a repost is
 * for nobody where both were taken down and are of different authors.
 * @param viewer null for nobody in particular
 */
export function isHiddenFrom<Id>(post: Takable<Id>, original: Takable<Id> | undefined, viewer: Id | null): boolean {
  const isHidden = (one: Takable<Id>) => one.taken_down && one.author_id !== viewer;
  return isHidden(post) || (original !== undefined && isHidden(original));
}

/** Returns whether a post, or what it passes on, was taken down. */
export function isTakenDown(post: Pick<PostRow, 'taken_down' | 'taken_author_id'>): boolean {
  return post.taken_down || post.taken_author_id !== null;
}

/** {@link isHiddenFrom} for a row that tells of its original too. */
export function isTakenFrom({ taken_down, author_id, taken_author_id }: PostRow, viewer: bigint | null): boolean {
  const original = taken_author_id === null ? undefined : { taken_down: true, author_id: taken_author_id };
  return isHiddenFrom({ taken_down, author_id }, original, viewer);
}

/** The posts of these ids that exist, deleted ones too. */
export function readPosts(reader: Reader, ids: readonly bigint[]): Awaitable<PostRow[]> {
  const possible = ids.filter(isRowId);
  if (possible.length === 0) return [];
  return listPosts.all(reader, { ids: possible });
}

/** Returns whether an id is possible: numeric ids of 19 digits can exceed 64 bits. */
export function isRowId(id: bigint): boolean {
  return id < 2n ** 63n;
}

/** A user as data retrieval shows them. */
export interface UserRow {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly created_at: string;
  readonly description: string;
  readonly location: string | null;
  readonly url: string | null;
  readonly profile_image_url: string | null;
  readonly protected: boolean;
  readonly suspended: boolean;
  readonly verified: boolean;
  readonly pinned_post_id: bigint | null;
  readonly entities: string | null;
  readonly withheld: string | null;
  readonly public_metrics: {
    readonly followers_count: number;
    readonly following_count: number;
    readonly post_count: number;
    readonly listed_count: number;
  };
}

const shownUser = {
  id: users.id,
  username: users.screen_name,
  name: users.name,
  created_at: users.created_at,
  description: users.description,
  location: users.location,
  url: users.url,
  profile_image_url: users.profile_image_url,
  protected: users.protected,
  suspended: users.suspended,
  verified: users.verified,
  pinned_post_id: users.pinned_post_id,
  entities: users.entities,
  withheld: users.withheld,
  public_metrics: {
    followers_count: users.followers_count,
    following_count: users.following_count,
    post_count: users.post_count,
    listed_count: users.listed_count,
  },
};
/** The users of these ids that exist. */
export const listUsers = statement({ ids: types.texts }, ({ ids }) =>
  rows(
    shownUser,
    (columns) =>
      sql`SELECT ${columns} FROM json_each(${ids}) AS wanted CROSS JOIN ${users} ON ${users.id} = wanted.value`,
  ),
);
const listUsersByName = statement({ names: types.texts }, ({ names }) =>
  rows(
    shownUser,
    (columns) => sql`SELECT ${columns} FROM json_each(${names}) AS wanted
      CROSS JOIN ${users} ON ${users.screen_name_folded} = wanted.value`,
  ),
);

/** Returns whether the posts of a user are not for everybody: for approved followers, or for nobody. */
export function isGuarded({ protected: isProtected, suspended }: Pick<UserRow, 'protected' | 'suspended'>): boolean {
  return isProtected || suspended;
}

/** The users of these ids that exist. */
export function readUsers(reader: Reader, ids: readonly bigint[]): Awaitable<UserRow[]> {
  return ids.length === 0 ? [] : listUsers.all(reader, { ids: ids.map(String) });
}

/** The users with these names, in any case of letters. */
export function readUsersByName(reader: Reader, names: readonly string[]): Awaitable<UserRow[]> {
  if (names.length === 0) return [];
  return listUsersByName.all(reader, { names: names.map((name) => name.toLowerCase()) });
}

/** Media as data retrieval shows them. */
export interface MediaRow {
  readonly id: bigint;
  readonly media_key: string;
  readonly owner_user_id: string;
  readonly kind: MediaKind;
  readonly content_type: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly duration_ms: number | null;
  readonly bit_rate: number | null;
  readonly blob_key: string | null;
  readonly preview_blob_key: string | null;
  readonly alt_text: string | null;
  readonly view_count: number;
}

/** The media of these keys that can be shown. */
export const listMedia = statement({ keys: types.texts }, ({ keys }) =>
  rows(
    {
      id: media.id,
      media_key: media.media_key,
      owner_user_id: sql`${media.owner_user_id}`.mapWith(String),
      kind: media.kind,
      content_type: media.content_type,
      width: media.width,
      height: media.height,
      duration_ms: media.duration_ms,
      bit_rate: media.bit_rate,
      blob_key: media.blob_key,
      preview_blob_key: media.preview_blob_key,
      alt_text: media.alt_text,
      view_count: media.view_count,
    },
    (columns) => sql`SELECT ${columns} FROM json_each(${keys}) AS wanted
      CROSS JOIN ${media} ON ${media.media_key} = wanted.value WHERE ${media.state} = 'succeeded' AND NOT ${isErased}`,
  ),
);

/** The media of these keys that can be shown. */
export function readMedia(reader: Reader, keys: readonly string[]): Awaitable<MediaRow[]> {
  if (keys.length === 0) return [];
  return chain(listMedia.all(reader, { keys }), (found) => found.map((row) => ({ ...row, kind: row.kind ?? 'photo' })));
}

const listFollowed = statement({ follower_id: follows.follower_id, ids: types.longs }, ({ follower_id, ids }) =>
  rows(
    { followed_id: follows.followed_id },
    (columns) => sql`SELECT ${columns} FROM json_each(${ids}) AS wanted
      CROSS JOIN ${follows} ON ${follows.follower_id} = ${follower_id} AND ${follows.followed_id} = CAST(wanted.value AS INTEGER)
      WHERE ${follows.state} = 'approved'
        AND NOT EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = CAST(${follows.followed_id} AS TEXT) AND ${users.suspended} = 1)`,
  ),
);

/**
 * Which of these users a person follows, and was approved by where they are protected. Suspended users are not among them: nobody sees
 * what they post.
 */
export function readFollowed(
  reader: Reader,
  follower_id: bigint,
  ids: readonly bigint[],
): Awaitable<ReadonlySet<bigint>> {
  if (ids.length === 0) return new Set();
  return chain(
    listFollowed.all(reader, { follower_id, ids }),
    (followed) => new Set(followed.map(({ followed_id }) => followed_id)),
  );
}

/** A JSON array of text from a column that holds one. */
export function wordsOf(json: string | null): readonly string[] {
  const value = json === null ? [] : parseJson(json);
  return Array.isArray(value) ? value.map(String) : [];
}
