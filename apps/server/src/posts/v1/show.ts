/** Shows posts in the form of version 1.1: many at once, with a few reads for all of them. */
import { parseJson } from '@broadside/core';
import {
  type ConversationSettings,
  type CreatedPost,
  compatText,
  type EntitiesV1,
  formatTimeV1,
  fullText,
  type ListedPost,
  type MentionedUser,
  Post,
  type PostText,
  type ReplySettings,
  type TextLink,
  type TextV1,
} from '@broadside/core/resources/posts';
import { displayUrl } from '@broadside/core/text';
import { sql } from 'drizzle-orm';
import { type Awaitable, chain, together } from '../../awaitable.ts';
import type { Reader } from '../../db/database.ts';
import { rows, statement } from '../../db/statement.ts';
import { types } from '../../db/value-types.ts';
import { mediaPath } from '../../media/media-facts.ts';
import { shortPath } from '../../media/short-link.ts';
import { postLink } from '../attached-link.ts';
import { likes, posts } from '../platform-table.ts';
import { type MediaRow, readMedia, readUsers, type UserRow } from '../store.ts';
import type { PostFacts } from './facts.ts';
import { mediaV1 } from './media.ts';
import { userV1 } from './user.ts';

/** For whom posts are shown, and how. */
export interface ViewV1 {
  /** The caller; null for the operator. */
  readonly user_id: string | null;
  /** The public base URL of the platform. */
  readonly baseUrl: string;
  readonly trim_user: boolean;
}

type Shared = Omit<CreatedPost, 'text' | 'full_text' | 'display_text_range' | 'entities' | 'truncated'>;

/** A post that is about to be shown. */
interface ShownV1 {
  readonly facts: PostFacts;
  readonly shared: Shared;
  readonly said: PostText;
  readonly people: ReadonlyMap<string, MentionedUser>;
  /** Of a published post. */
  readonly permalink: TextLink | undefined;
  entitiesIn(text: TextV1): EntitiesV1;
}

const listLiked = statement({ user_id: likes.user_id, ids: types.longs }, ({ user_id, ids }) =>
  rows(
    { id: likes.post_id },
    (columns) => sql`SELECT ${columns} FROM json_each(${ids}) AS wanted
      CROSS JOIN ${likes} ON ${likes.post_id} = CAST(wanted.value AS INTEGER) AND ${likes.user_id} = ${user_id}`,
  ),
);
const listReposted = statement({ user_id: posts.author_id, ids: types.longs }, ({ user_id, ids }) =>
  rows(
    { id: sql`${posts.reposted_id}`.mapWith(types.long) },
    (columns) => sql`SELECT ${columns} FROM json_each(${ids}) AS wanted
      CROSS JOIN ${posts} ON ${posts.reposted_id} = CAST(wanted.value AS INTEGER) AND ${posts.author_id} = ${user_id}
      WHERE ${posts.deleted_ms} IS NULL AND ${posts.nullcast} = 0`,
  ),
);

/** Everything that the posts refer to. */
export interface Around {
  readonly users: ReadonlyMap<bigint, UserRow>;
  readonly people: ReadonlyMap<string, MentionedUser>;
  readonly media: ReadonlyMap<string, MediaRow>;
  readonly liked: ReadonlySet<bigint>;
  readonly reposted: ReadonlySet<bigint>;
}

function around(reader: Reader, all: readonly PostFacts[], { user_id }: ViewV1): Awaitable<Around> {
  const ids = new Set<bigint>();
  for (const { author_id, entities, published } of all) {
    ids.add(author_id);
    const answered = published?.in_reply_to_user_id ?? null;
    if (answered !== null) ids.add(answered);
    for (const { id } of parsed(entities).mentions ?? []) if (id !== undefined) ids.add(BigInt(id));
  }
  const keys = new Set(all.flatMap(({ media_keys }) => media_keys));
  const published = all.filter((facts) => facts.published).map(({ id }) => id);
  const read = together([
    readUsers(reader, [...ids]),
    readMedia(reader, [...keys]),
    likedAmong(reader, user_id, published),
    repostedAmong(reader, user_id, published),
  ]);
  return chain(read, ([users, media, liked, reposted]) => aroundOf(users, media, liked, reposted));
}

/** Those of the posts that a viewer likes. */
export function likedAmong(
  reader: Reader,
  user_id: string | null,
  ids: readonly bigint[],
): Awaitable<ReadonlySet<bigint>> {
  if (user_id === null || ids.length === 0) return new Set();
  return chain(listLiked.all(reader, { user_id: BigInt(user_id), ids }), (rows) => new Set(rows.map(({ id }) => id)));
}

/** Those of the posts that a viewer reposted. */
export function repostedAmong(
  reader: Reader,
  user_id: string | null,
  ids: readonly bigint[],
): Awaitable<ReadonlySet<bigint>> {
  if (user_id === null || ids.length === 0) return new Set();
  return chain(
    listReposted.all(reader, { user_id: BigInt(user_id), ids }),
    (rows) => new Set(rows.map(({ id }) => id)),
  );
}

/** The things that posts refer to, by ids. */
export function aroundOf(
  users: readonly UserRow[],
  media: readonly MediaRow[],
  liked: ReadonlySet<bigint>,
  reposted: ReadonlySet<bigint>,
): Around {
  return {
    users: new Map(users.map((row) => [BigInt(row.id), row])),
    people: new Map(users.map(({ id, name, username }) => [id, { id, name, screen_name: username }])),
    media: new Map(media.map((row) => [row.media_key, row])),
    liked,
    reposted,
  };
}

/** Prepares posts, in their order. */
function shown(reader: Reader, all: readonly PostFacts[], view: ViewV1): Awaitable<ShownV1[]> {
  return chain(around(reader, all, view), (others) => all.map((facts) => one(facts, others, view)));
}

function one(facts: PostFacts, { users, people, media, liked, reposted }: Around, view: ViewV1): ShownV1 {
  const { id, published } = facts;
  const { baseUrl } = view;
  const seen = facts.media_keys.flatMap((key) => media.get(key) ?? []);
  const author = users.get(facts.author_id);
  const permalink = published ? postLink({ ...published, id }, baseUrl) : undefined;
  const mediaLink = linkOf(seen, permalink, baseUrl);
  const entities = parsed(facts.entities);
  const coordinates = parsedObject(published?.coordinates ?? null);
  const answered = published?.in_reply_to_user_id ?? null;
  const parent = published?.replied_to_id ?? null;
  const isLinking = seen.length > 0 || (entities.urls ?? []).length > 0;
  return {
    facts,
    people,
    permalink,
    said: { text: facts.text, entities, mediaLink },
    entitiesIn: (text) => ({
      ...text.entities,
      ...(mediaLink ? { media: seen.map((row) => mediaV1(row, mediaLink, text, facts.video, baseUrl)) } : {}),
    }),
    shared: {
      id,
      id_str: `${id}`,
      created_at: formatTimeV1(facts.created_ms),
      name: facts.name,
      ...(facts.card_uri === null ? {} : { card_uri: facts.card_uri }),
      source: `<a href="${escapedHtml(baseUrl)}" rel="nofollow">${escapedHtml(facts.source)}</a>`,
      lang: facts.lang,
      favorite_count: published?.public_metrics.like_count ?? 0,
      repost_count: published?.public_metrics.repost_count ?? 0,
      favorited: liked.has(id),
      reposted: reposted.has(id),
      ...(isLinking ? { possibly_sensitive: facts.possibly_sensitive } : {}),
      in_reply_to_status_id: parent,
      in_reply_to_status_id_str: parent === null ? null : `${parent}`,
      in_reply_to_user_id: answered,
      in_reply_to_user_id_str: answered === null ? null : `${answered}`,
      in_reply_to_screen_name: answered === null ? null : (users.get(answered)?.username ?? null),
      geo: coordinates && latitudeFirst(coordinates),
      coordinates,
      place: parsedObject(published?.place ?? null),
      contributors: facts.contributor_id === null ? null : [facts.contributor_id],
      scopes: { followers: false },
      user: userV1(facts.author_id, author, view.trim_user),
    },
  };
}

/** The link at the end of a text with media: to the page of the post or, before it is published, to the first of its media. */
function linkOf(media: readonly MediaRow[], permalink: TextLink | undefined, baseUrl: string): TextLink | undefined {
  const blob = media[0]?.blob_key ?? null;
  if (blob === null) return undefined;
  if (permalink) return permalink;
  const url = `${baseUrl}${shortPath(blob)}`;
  return { url, expanded_url: `${baseUrl}${mediaPath(blob)}`, display_url: displayUrl(url) };
}

const settings: Readonly<Record<ReplySettings, ConversationSettings>> = {
  everyone: 'EVERYONE',
  following: 'FOLLOWING',
  mentionedUsers: 'MENTIONED_USERS',
  // Who else may reply has no word in this interface: the one that says the least.
  subscribers: 'MENTIONED_USERS',
  verified: 'MENTIONED_USERS',
  other: 'MENTIONED_USERS',
};

/** Members of a listed post that depend on its kind. */
export type Listing = Pick<ListedPost, 'post_type' | 'scheduled_at' | 'scheduled_status'>;

/** Shows posts as lists do. @param listings one for each */
export function listedV1(
  reader: Reader,
  all: readonly PostFacts[],
  listings: readonly Listing[],
  view: ViewV1,
): Awaitable<ListedPost[]> {
  return chain(around(reader, all, view), (others) =>
    all.flatMap((facts, at) => {
      const listing = listings[at];
      return listing ? listedPost(facts, others, listing, view) : [];
    }),
  );
}

/** Shows a post as lists do. */
export function listedPost(facts: PostFacts, others: Around, listing: Listing, view: ViewV1): ListedPost {
  const { shared, said, people, entitiesIn } = one(facts, others, view);
  const text = fullText(said, people);
  return {
    ...shared,
    post_id: shared.id_str,
    truncated: false,
    full_text: text.text,
    display_text_range: [...text.display_text_range],
    entities: entitiesIn(text),
    nullcast: facts.nullcast,
    conversation_settings: settings[facts.reply_settings],
    ...listing,
  };
}

/** Shows a post that was just made. */
export async function createdV1(
  reader: Reader,
  facts: PostFacts,
  mode: 'compat' | 'extended',
  view: ViewV1,
): Promise<CreatedPost> {
  const [post] = await shown(reader, [facts], view);
  if (!post?.permalink) throw new TypeError('a post that was just made is published');
  const { shared, said, people, permalink } = post;
  if (mode === 'compat') {
    const text = compatText(said, people, permalink);
    return { ...shared, truncated: text.truncated, text: text.text, entities: post.entitiesIn(text) };
  }
  const text = fullText(said, people);
  return {
    ...shared,
    truncated: false,
    full_text: text.text,
    display_text_range: [...text.display_text_range],
    entities: post.entitiesIn(text),
  };
}

/** Entities as they are stored. */
function parsed(json: string | null): PostText['entities'] {
  return Post.shape.entities.unwrap().parse(json === null ? {} : parseJson(json));
}

function parsedObject(json: string | null): Readonly<Record<string, unknown>> | null {
  const value = json === null ? null : parseJson(json);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
}

/** Version 1.1 has the same point twice, in `geo` with the latitude first. */
function latitudeFirst(point: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { coordinates } = point;
  return Array.isArray(coordinates) ? { ...point, coordinates: coordinates.toReversed() } : point;
}

function escapedHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
