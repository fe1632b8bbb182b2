/** Posts, people and media as pages read them: many at a time, as they are stored. */
import { isStorable } from '@broadside/core';
import type { VideoCta } from '@broadside/core/resources/posts';
import { and, asc, desc, eq, gt, isNull, lt } from 'drizzle-orm';
import { type Awaitable, chain } from '../awaitable.ts';
import type { Database } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { among, types } from '../db/value-types.ts';
import { listReasons } from '../moderation/statements.ts';
import { posts } from './platform-table.ts';
import {
  isRowId,
  type MediaRow,
  type PostRow,
  readFollowed,
  readMedia,
  readPosts,
  readUsers,
  readUsersByName,
  type UserRow,
} from './store.ts';

const timelineOf = { author_id: posts.author_id, from: posts.id, count: types.int };
const inTimeline = and(eq(posts.nullcast, false), isNull(posts.deleted_ms));

const listOlder = statement(timelineOf, ({ author_id, from, count }) =>
  query
    .select({ id: posts.id })
    .from(posts)
    .where(and(eq(posts.author_id, author_id), lt(posts.id, from), inTimeline))
    .orderBy(desc(posts.id))
    .limit(count.placeholder),
);
const listNewer = statement(timelineOf, ({ author_id, from, count }) =>
  query
    .select({ id: posts.id })
    .from(posts)
    .where(and(eq(posts.author_id, author_id), gt(posts.id, from), inTimeline))
    .orderBy(asc(posts.id))
    .limit(count.placeholder),
);

const listExtras = statement({ ids: types.longs }, ({ ids }) =>
  query
    .select({
      id: posts.id,
      card_uri: posts.card_uri,
      card_type: posts.card_type,
      card_account: posts.card_account,
      video_title: posts.video_title,
      video_description: posts.video_description,
      video_cta: posts.video_cta,
      video_cta_value: posts.video_cta_value,
    })
    .from(posts)
    .where(among(posts.id, ids)),
);

/** The additions of an advertiser to a post. */
export interface PostExtras {
  readonly id: bigint;
  readonly card_uri: string | null;
  readonly card_type: string | null;
  /** The account of the card: `<environment>/<account_id>`. */
  readonly card_account: string | null;
  readonly video_title: string | null;
  readonly video_description: string | null;
  readonly video_cta: VideoCta | null;
  readonly video_cta_value: string | null;
}

/** A place in a timeline: the posts before or after a post. */
export interface TimelinePlace {
  readonly direction: 'older' | 'newer';
  readonly than: bigint;
}

/** Reads for pages. */
export class ShownPosts {
  readonly #database: Database;

  constructor({ database }: { readonly database: Database }) {
    this.#database = database;
  }

  /** The posts of these ids that exist, deleted ones too, by their ids. */
  posts(ids: readonly bigint[]): Awaitable<ReadonlyMap<bigint, PostRow>> {
    return chain(readPosts(this.#database, [...new Set(ids)]), (found) => new Map(found.map((row) => [row.id, row])));
  }

  /** Cards and video texts of posts, by the ids of the posts. */
  async extras(ids: readonly bigint[]): Promise<ReadonlyMap<bigint, PostExtras>> {
    const found = ids.length === 0 ? [] : await listExtras.all(this.#database, { ids });
    return new Map(found.map((row) => [row.id, row]));
  }

  /** Why posts were taken down, of those of these ids that were, by their ids. */
  async reasons(ids: readonly bigint[]): Promise<ReadonlyMap<bigint, string>> {
    const found = ids.length === 0 ? [] : await listReasons.all(this.#database, { ids });
    return new Map(found.map(({ id, reason }) => [id, reason]));
  }

  /** The people of these ids that exist, by their ids. */
  async people(ids: readonly bigint[]): Promise<ReadonlyMap<string, UserRow>> {
    const found = await readUsers(this.#database, [...new Set(ids)]);
    return new Map(found.map((row) => [row.id, row]));
  }

  /** The people with these screen names, in any case of letters. */
  async named(names: readonly string[]): Promise<readonly UserRow[]> {
    return readUsersByName(this.#database, names.filter(isStorable));
  }

  /** Media that can be shown, by their keys. */
  async media(keys: readonly string[]): Promise<ReadonlyMap<string, MediaRow>> {
    const found = await readMedia(this.#database, [...new Set(keys)]);
    return new Map(found.map((row) => [row.media_key, row]));
  }

  /** Which of these people a person follows, with their approval where they are protected. */
  async followed(follower_id: bigint, ids: readonly bigint[]): Promise<ReadonlySet<bigint>> {
    return readFollowed(this.#database, follower_id, ids);
  }

  /** Ids of posts and reposts in the timeline of a person, the newest first. Promoted-only posts are in none. */
  async timeline(author_id: bigint, place: TimelinePlace | undefined, count: number): Promise<bigint[]> {
    const from = place?.than ?? MAX_ID;
    if (!isRowId(from)) return [];
    const list = place?.direction === 'newer' ? listNewer : listOlder;
    const found = await list.all(this.#database, { author_id, from, count });
    const ids = found.map(({ id }) => id);
    return place?.direction === 'newer' ? ids.reverse() : ids;
  }
}

const MAX_ID = 2n ** 63n - 1n;
