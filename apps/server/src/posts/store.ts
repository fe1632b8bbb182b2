/** Reads posts and what they point at. Many ids are read in one statement; their order is the caller's business. */
import { type MediaKind, type Post, parseJson } from '@broadside/core';
import { bigOf, bigOrNull, isSet, numberOrNull, textOrNull } from '../db/cells.ts';
import type { Reader, Row } from '../db/database.ts';

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
  readonly reply_settings: string;
  readonly entities: string | null;
  readonly context_annotations: string | null;
  readonly media_keys: string | null;
  readonly poll: string | null;
  readonly place: string | null;
  readonly coordinates: string | null;
  readonly withheld: string | null;
  readonly public_metrics: NonNullable<Post['public_metrics']>;
  readonly impression_count: number;
  readonly url_link_clicks: number;
  readonly user_profile_clicks: number;
  readonly deleted: boolean;
  /** Whether only approved followers of the author may see it. */
  readonly protected: boolean;
  /** The author of what it passes on, when that author is protected. */
  readonly guarded_author_id: bigint | null;
}

const POSTS = `SELECT posts.id, posts.author_id, posts.created_ms, posts.text, posts.lang, posts.source, posts.conversation_id,
    posts.in_reply_to_user_id, posts.replied_to_id, posts.quoted_id, posts.reposted_id, posts.possibly_sensitive,
    posts.reply_settings, posts.entities, posts.context_annotations, posts.media_keys, posts.poll, posts.place,
    posts.coordinates, posts.withheld, posts.repost_count, posts.reply_count, posts.like_count, posts.quote_count,
    posts.impression_count, posts.url_link_clicks, posts.user_profile_clicks, posts.deleted_ms, users.protected,
    CASE WHEN posts.reposted_id IS NOT NULL THEN (SELECT original.author_id FROM posts AS original
      JOIN users AS author ON author.id = CAST(original.author_id AS TEXT)
      WHERE original.id = posts.reposted_id AND author.protected = 1) END
  FROM json_each(?) AS wanted CROSS JOIN posts ON posts.id = CAST(wanted.value AS INTEGER)
    JOIN users ON users.id = CAST(posts.author_id AS TEXT)`;

/**
 * The protected people whose followers alone may see a post: its author, and the author of what it passes on. A repost says what the
 * original says, so it is hidden with it (our reading: reference, data retrieval section 12, speaks of hidden posts).
 */
export function guardsOf({ protected: isProtected, author_id, guarded_author_id }: PostRow): bigint[] {
  return [...(isProtected ? [author_id] : []), ...(guarded_author_id === null ? [] : [guarded_author_id])];
}

/** The posts of these ids that exist, deleted ones too. */
export async function readPosts(reader: Reader, ids: readonly bigint[]): Promise<PostRow[]> {
  const possible = ids.filter(isRowId);
  if (possible.length === 0) return [];
  return (await reader.query(POSTS, [listOf(possible)])).map(postOf);
}

/** Whether something can have this id: numeric ids of 19 digits reach beyond 64 bits. */
export function isRowId(id: bigint): boolean {
  return id < 2n ** 63n;
}

// Positions follow the statement above: reading by index costs a third of reading by name.
function postOf(row: Row): PostRow {
  return {
    id: bigOf(row[0]),
    author_id: bigOf(row[1]),
    created_ms: Number(row[2]),
    text: String(row[3]),
    lang: String(row[4]),
    source: String(row[5]),
    conversation_id: bigOf(row[6]),
    in_reply_to_user_id: bigOrNull(row[7]),
    replied_to_id: bigOrNull(row[8]),
    quoted_id: bigOrNull(row[9]),
    reposted_id: bigOrNull(row[10]),
    possibly_sensitive: isSet(row[11]),
    reply_settings: String(row[12]),
    entities: textOrNull(row[13]),
    context_annotations: textOrNull(row[14]),
    media_keys: textOrNull(row[15]),
    poll: textOrNull(row[16]),
    place: textOrNull(row[17]),
    coordinates: textOrNull(row[18]),
    withheld: textOrNull(row[19]),
    public_metrics: {
      repost_count: Number(row[20]),
      reply_count: Number(row[21]),
      like_count: Number(row[22]),
      quote_count: Number(row[23]),
    },
    impression_count: Number(row[24]),
    url_link_clicks: Number(row[25]),
    user_profile_clicks: Number(row[26]),
    deleted: row[27] !== null,
    protected: isSet(row[28]),
    guarded_author_id: bigOrNull(row[29]),
  };
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

const USER_COLUMNS = `users.id, screen_name, name, created_at, description, location, url, profile_image_url, protected, verified,
    pinned_post_id, entities, withheld, followers_count, following_count, post_count, listed_count`;
const USERS = `SELECT ${USER_COLUMNS} FROM json_each(?) AS wanted CROSS JOIN users ON users.id = wanted.value`;
const USERS_BY_NAME = `SELECT ${USER_COLUMNS} FROM json_each(?) AS wanted
  CROSS JOIN users ON users.screen_name_folded = wanted.value`;

/** The users of these ids that exist. */
export async function readUsers(reader: Reader, ids: readonly bigint[]): Promise<UserRow[]> {
  if (ids.length === 0) return [];
  return (await reader.query(USERS, [JSON.stringify(ids.map(String))])).map(userOf);
}

/** The users with these names, in any case of letters. */
export async function readUsersByName(reader: Reader, names: readonly string[]): Promise<UserRow[]> {
  if (names.length === 0) return [];
  return (await reader.query(USERS_BY_NAME, [JSON.stringify(names.map((name) => name.toLowerCase()))])).map(userOf);
}

function userOf(row: Row): UserRow {
  return {
    id: String(row[0]),
    username: String(row[1]),
    name: String(row[2]),
    created_at: String(row[3]),
    description: String(row[4]),
    location: textOrNull(row[5]),
    url: textOrNull(row[6]),
    profile_image_url: textOrNull(row[7]),
    protected: isSet(row[8]),
    verified: isSet(row[9]),
    pinned_post_id: bigOrNull(row[10]),
    entities: textOrNull(row[11]),
    withheld: textOrNull(row[12]),
    public_metrics: {
      followers_count: Number(row[13]),
      following_count: Number(row[14]),
      post_count: Number(row[15]),
      listed_count: Number(row[16]),
    },
  };
}

/** Media as data retrieval shows them. */
export interface MediaRow {
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

const MEDIA = `SELECT media_key, owner_user_id, kind, content_type, width, height, duration_ms, bit_rate, blob_key,
    preview_blob_key, alt_text, view_count
  FROM json_each(?) AS wanted CROSS JOIN media ON media.media_key = wanted.value WHERE media.state = 'succeeded'`;

/** The media of these keys that can be shown. */
export async function readMedia(reader: Reader, keys: readonly string[]): Promise<MediaRow[]> {
  if (keys.length === 0) return [];
  const rows = await reader.query(MEDIA, [JSON.stringify(keys)]);
  return rows.map((row) => ({
    media_key: String(row[0]),
    owner_user_id: String(row[1]),
    kind: row[2] === 'video' || row[2] === 'animated_gif' ? row[2] : 'photo',
    content_type: String(row[3]),
    width: numberOrNull(row[4]),
    height: numberOrNull(row[5]),
    duration_ms: numberOrNull(row[6]),
    bit_rate: numberOrNull(row[7]),
    blob_key: textOrNull(row[8]),
    preview_blob_key: textOrNull(row[9]),
    alt_text: textOrNull(row[10]),
    view_count: Number(row[11]),
  }));
}

const FOLLOWED = `SELECT followed_id FROM json_each(?) AS wanted
  CROSS JOIN follows ON follows.follower_id = ? AND follows.followed_id = CAST(wanted.value AS INTEGER)
  WHERE follows.state = 'approved'`;

/** Which of these users a person follows, and was approved by where they are protected. */
export async function readFollowed(
  reader: Reader,
  follower_id: bigint,
  ids: readonly bigint[],
): Promise<ReadonlySet<bigint>> {
  if (ids.length === 0) return new Set();
  return new Set((await reader.query(FOLLOWED, [listOf(ids), follower_id])).map((row) => bigOf(row[0])));
}

/** A JSON array of text from a column that holds one. */
export function wordsOf(json: string | null): readonly string[] {
  const value = json === null ? [] : parseJson(json);
  return Array.isArray(value) ? value.map(String) : [];
}

// As text, because JSON numbers of SQLite are exact, and those of JavaScript are not.
function listOf(ids: readonly bigint[]): string {
  return `[${ids.join(',')}]`;
}
