/**
 * Everything that changes posts, likes and follows. Counters change by one in the write that gives the reason for it, so that
 * they are right whatever happens at the same time.
 */
import {
  isStorable,
  type LookupResult,
  type MentionEntity,
  type ReplySettings,
  stringifyJson,
  type TagEntity,
  type UrlEntity,
} from '@broadside/core';
import type { PromotablePost } from '@broadside/core/rules';
import { extractEntities, repostText, weightedLength } from '@broadside/core/text';
import { type Actor, recordChange } from '../db/change-log.ts';
import type { Database, Writer } from '../db/database.ts';
import { type Clock, timestamp } from '../world/clock.ts';
import type { Snowflakes } from '../world/ids.ts';
import { lookUpPosts, type PostQuery, type Viewer } from './lookup.ts';
import { readPromotable } from './promotable.ts';
import { guardsOf, isRowId, type PostRow, readFollowed, readPosts, readUsersByName, wordsOf } from './store.ts';

/** What a new post is made of. Ids are decimal. */
export interface NewPost {
  readonly author_id: string;
  readonly text: string;
  /** The name of the client. */
  readonly source: string;
  readonly lang: string;
  readonly replied_to_id?: string | undefined;
  readonly quoted_id?: string | undefined;
  readonly media_keys?: readonly string[] | undefined;
  readonly possibly_sensitive?: boolean | undefined;
  readonly reply_settings?: ReplySettings | undefined;
  /** Promoted only: in nobody's timeline. */
  readonly nullcast?: boolean | undefined;
}

/** A post that passes on another. */
export interface NewRepost {
  readonly author_id: string;
  readonly post_id: string;
  readonly source: string;
  readonly nullcast?: boolean | undefined;
}

/** Why a post was not made: the parameter at fault, and what would be right. */
export class PostRefusedError extends Error {
  override readonly name = 'PostRefusedError';
  readonly parameter: keyof NewPost | 'post_id' | 'user_id' | 'followed_user_id';
  readonly reason: 'not_found' | 'invalid' | 'not_allowed' | 'already';

  constructor(parameter: PostRefusedError['parameter'], reason: PostRefusedError['reason'], message: string) {
    super(message);
    this.parameter = parameter;
    this.reason = reason;
  }
}

interface Services {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Snowflakes;
}

const INSERT = `INSERT INTO "posts" ("id", "author_id", "created_ms", "text", "lang", "source", "conversation_id",
    "in_reply_to_user_id", "replied_to_id", "quoted_id", "reposted_id", "possibly_sensitive", "reply_settings", "nullcast",
    "entities", "media_keys") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** How many media of each kind a post can hold (specification B, Limits). */
const MAX_PHOTOS = 4;

export class PostStore {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Answers a query of data retrieval. */
  lookUp(query: PostQuery, viewer: Viewer): Promise<LookupResult> {
    return lookUpPosts(this.#services.database, query, viewer);
  }

  /** Makes a post. @returns its id. @throws PostRefusedError */
  async create(actor: Actor, post: NewPost): Promise<string> {
    // Before it is normalized: that takes time with the square of some texts, and what is too long is refused here.
    checkText(post.text, post.media_keys ?? []);
    const text = post.text.normalize('NFC');
    return this.#services.database.write(async (writer) => {
      const author_id = BigInt(post.author_id);
      const parent = await this.#answered(writer, post, author_id);
      const quoted = await this.#quoted(writer, post, author_id);
      await this.#useMedia(writer, post);
      const id = BigInt(this.#services.ids.next());
      await this.#insert(writer, actor, {
        ...post,
        id,
        author_id,
        text,
        parent,
        quoted_id: quoted?.id ?? null,
        reposted_id: null,
        entities: await entitiesOf(writer, text),
      });
      if (parent) await count(writer, 'posts', 'reply_count', parent.id, 1);
      if (quoted) await count(writer, 'posts', 'quote_count', quoted.id, 1);
      return `${id}`;
    });
  }

  /**
   * Reposts a post; a repost of a repost is one of the original.
   * @returns the id of the repost. @throws PostRefusedError, also when this user has reposted it already
   */
  async repost(actor: Actor, repost: NewRepost): Promise<string> {
    return this.#services.database.write(async (writer) => {
      const { id, isNew } = await this.#repost(writer, actor, repost);
      if (!isNew) throw new PostRefusedError('post_id', 'already', 'This user has reposted this post already');
      return id;
    });
  }

  /** What promotion asks of posts: those of these ids that are there. */
  promotable(ids: readonly bigint[]): Promise<ReadonlyMap<bigint, PromotablePost>> {
    return readPromotable(this.#services.database, ids);
  }

  /**
   * Sees to it that posts can be promoted in the name of a user: each is reposted promoted-only, once for a user and a post,
   * however often this is called.
   * @returns the ids of the reposts, by those of the posts. @throws PostRefusedError; nothing is reposted then
   */
  async repostForPromotion(
    actor: Actor,
    { author_id, post_ids, source }: Pick<NewRepost, 'author_id' | 'source'> & { readonly post_ids: readonly bigint[] },
  ): Promise<ReadonlyMap<bigint, string>> {
    return this.#services.database.write(async (writer) => {
      const reposts = new Map<bigint, string>();
      for (const post_id of post_ids) {
        const repost = { author_id, post_id: `${post_id}`, source, nullcast: true };
        reposts.set(post_id, (await this.#repost(writer, actor, repost)).id);
      }
      return reposts;
    });
  }

  /** Deletes a post and its reposts. @returns whether there was one */
  async delete(actor: Actor, post_id: string): Promise<boolean> {
    return this.#services.database.write(async (writer) => {
      const [post] = await readPosts(writer, [BigInt(post_id)]);
      if (!post || post.deleted) return false;
      const ids = await writer.query('SELECT "id" FROM "posts" WHERE "reposted_id" = ? AND "deleted_ms" IS NULL', [
        post.id,
      ]);
      const reposts = await readPosts(
        writer,
        ids.map(([id]) => BigInt(String(id))),
      );
      for (const gone of [post, ...reposts]) await this.#remove(writer, actor, gone);
      return true;
    });
  }

  /** Likes a post, or takes the like back. @returns whether anything changed. @throws PostRefusedError */
  async like(user_id: string, post_id: string, liked: boolean): Promise<boolean> {
    return this.#services.database.write(async (writer) => {
      const post = await this.#existing(writer, 'post_id', post_id);
      if (liked) await mustSee(writer, 'post_id', post, BigInt(user_id));
      const key = [post.id, BigInt(user_id)] as const;
      const changed = liked
        ? await writer.run(
            'INSERT INTO "likes" ("post_id", "user_id", "created_ms") VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
            [...key, this.#services.clock.now()],
          )
        : await writer.run('DELETE FROM "likes" WHERE "post_id" = ? AND "user_id" = ?', key);
      if (changed > 0) await count(writer, 'posts', 'like_count', post.id, liked ? 1 : -1);
      return changed > 0;
    });
  }

  /** Follows a user; a protected one is only asked. @returns the state of the follow. @throws PostRefusedError */
  async follow(follower_id: string, followed_id: string): Promise<'requested' | 'approved'> {
    if (follower_id === followed_id) {
      throw new PostRefusedError('followed_user_id', 'not_allowed', 'Nobody follows themselves');
    }
    return this.#services.database.write(async (writer) => {
      const [user] = await writer.query('SELECT "protected" FROM "users" WHERE "id" = ? LIMIT 1', [followed_id]);
      if (!user) throw new PostRefusedError('followed_user_id', 'not_found', `No user has the id ${followed_id}`);
      const [known] = await writer.query(
        'SELECT "state" FROM "follows" WHERE "follower_id" = ? AND "followed_id" = ? LIMIT 1',
        [BigInt(follower_id), BigInt(followed_id)],
      );
      if (known) return known[0] === 'approved' ? 'approved' : 'requested';
      const state = user[0] === 1n ? 'requested' : 'approved';
      await writer.run(
        'INSERT INTO "follows" ("follower_id", "followed_id", "state", "created_ms") VALUES (?, ?, ?, ?)',
        [BigInt(follower_id), BigInt(followed_id), state, this.#services.clock.now()],
      );
      if (state === 'approved') await countFollow(writer, follower_id, followed_id, 1);
      return state;
    });
  }

  /** Approves a request to follow. @returns whether there was one */
  async approveFollow(follower_id: string, followed_id: string): Promise<boolean> {
    const key = [BigInt(follower_id), BigInt(followed_id)] as const;
    if (!key.every(isRowId)) return false;
    return this.#services.database.write(async (writer) => {
      const changed = await writer.run(
        `UPDATE "follows" SET "state" = 'approved' WHERE "follower_id" = ? AND "followed_id" = ? AND "state" = 'requested'`,
        key,
      );
      if (changed > 0) await countFollow(writer, follower_id, followed_id, 1);
      return changed > 0;
    });
  }

  /** Ends a follow, or a request for one. @returns whether there was one */
  async unfollow(follower_id: string, followed_id: string): Promise<boolean> {
    const key = [BigInt(follower_id), BigInt(followed_id)] as const;
    if (!key.every(isRowId)) return false;
    return this.#services.database.write(async (writer) => {
      const [known] = await writer.query(
        'SELECT "state" FROM "follows" WHERE "follower_id" = ? AND "followed_id" = ? LIMIT 1',
        key,
      );
      if (!known) return false;
      await writer.run('DELETE FROM "follows" WHERE "follower_id" = ? AND "followed_id" = ?', key);
      if (known[0] === 'approved') await countFollow(writer, follower_id, followed_id, -1);
      return true;
    });
  }

  /** Reposts a post, unless this user has. In timelines and promoted-only are two: neither stands in for the other. */
  async #repost(
    writer: Writer,
    actor: Actor,
    { author_id, post_id, source, nullcast = false }: NewRepost,
  ): Promise<{ readonly id: string; readonly isNew: boolean }> {
    const named = await this.#existing(writer, 'post_id', post_id);
    const original =
      named.reposted_id === null ? named : await this.#existing(writer, 'post_id', `${named.reposted_id}`);
    const author = BigInt(author_id);
    await mustSee(writer, 'post_id', named, author);
    if (original.protected && original.author_id !== author) {
      throw new PostRefusedError('post_id', 'not_allowed', 'A post of a protected user cannot be reposted by others');
    }
    const [before] = await writer.query(
      `SELECT "id" FROM "posts"
       WHERE "reposted_id" = ? AND "author_id" = ? AND "nullcast" = ? AND "deleted_ms" IS NULL LIMIT 1`,
      [original.id, author, nullcast],
    );
    if (before) return { id: String(before[0]), isNew: false };
    const [owner] = await writer.query('SELECT "screen_name" FROM "users" WHERE "id" = ? LIMIT 1', [
      `${original.author_id}`,
    ]);
    const text = repostText(String(owner?.[0] ?? ''), original.text);
    const id = BigInt(this.#services.ids.next());
    await this.#insert(writer, actor, {
      id,
      author_id: author,
      text,
      source,
      lang: original.lang,
      nullcast,
      possibly_sensitive: original.possibly_sensitive,
      media_keys: wordsOf(original.media_keys),
      quoted_id: null,
      reposted_id: original.id,
      parent: undefined,
      entities: await entitiesOf(writer, text),
    });
    await count(writer, 'posts', 'repost_count', original.id, 1);
    return { id: `${id}`, isNew: true };
  }

  /** The post that is answered, if the author may answer it. */
  async #answered(writer: Writer, post: NewPost, author_id: bigint): Promise<PostRow | undefined> {
    if (post.replied_to_id === undefined) return undefined;
    const parent = await this.#existing(writer, 'replied_to_id', post.replied_to_id);
    await mustSee(writer, 'replied_to_id', parent, author_id);
    if (parent.author_id === author_id) return parent;
    const restricted = await isRestricted(writer, parent, author_id);
    if (!restricted) return parent;
    throw new PostRefusedError('replied_to_id', 'not_allowed', `Its author takes replies of ${restricted} only`);
  }

  /** The post that is quoted, if it may be: a quote shows it to all who see the quote. */
  async #quoted(writer: Writer, { quoted_id }: NewPost, author_id: bigint): Promise<PostRow | undefined> {
    if (quoted_id === undefined) return undefined;
    const quoted = await this.#existing(writer, 'quoted_id', quoted_id);
    if (guardsOf(quoted).every((id) => id === author_id)) return quoted;
    throw new PostRefusedError('quoted_id', 'not_allowed', 'A post of a protected user cannot be quoted by others');
  }

  async #existing(writer: Writer, parameter: 'quoted_id' | 'replied_to_id' | 'post_id', id: string): Promise<PostRow> {
    const [post] = await readPosts(writer, [BigInt(id)]);
    if (post && !post.deleted) return post;
    throw new PostRefusedError(parameter, 'not_found', `There is no post ${id}`);
  }

  /** Checks that the author may use the media, and keeps them from lapsing. */
  async #useMedia(writer: Writer, { author_id, media_keys = [] }: NewPost): Promise<void> {
    const kinds: string[] = [];
    for (const key of media_keys) {
      const [row] = isStorable(key)
        ? await writer.query(
            'SELECT "kind", "state", "owner_user_id", "additional_owners" FROM "media" WHERE "media_key" = ? LIMIT 1',
            [key],
          )
        : [];
      const owners = row ? [String(row[2]), ...wordsOf(String(row[3]))] : [];
      if (!row || !owners.includes(author_id)) {
        throw new PostRefusedError('media_keys', 'not_found', `The author has no media ${key}`);
      }
      if (row[1] !== 'succeeded') {
        throw new PostRefusedError('media_keys', 'invalid', `The media ${key} are not ready: ${String(row[1])}`);
      }
      kinds.push(String(row[0]));
    }
    const photos = kinds.filter((kind) => kind === 'photo').length;
    if (kinds.length > MAX_PHOTOS || (photos < kinds.length && kinds.length > 1)) {
      throw new PostRefusedError(
        'media_keys',
        'invalid',
        `A post holds up to ${MAX_PHOTOS} images, or one animated GIF, or one video`,
      );
    }
    for (const key of media_keys)
      await writer.run('UPDATE "media" SET "expires_ms" = NULL WHERE "media_key" = ?', [key]);
  }

  async #insert(
    writer: Writer,
    actor: Actor,
    post: Omit<NewPost, 'author_id' | 'quoted_id' | 'replied_to_id'> & {
      readonly id: bigint;
      readonly author_id: bigint;
      readonly parent: PostRow | undefined;
      readonly quoted_id: bigint | null;
      readonly reposted_id: bigint | null;
      readonly entities: string | null;
    },
  ): Promise<void> {
    const { id, author_id, parent, media_keys = [] } = post;
    const keys = media_keys.length === 0 ? null : JSON.stringify(media_keys);
    await writer.run(INSERT, [
      id,
      author_id,
      this.#services.clock.now(),
      post.text,
      post.lang,
      post.source,
      parent?.conversation_id ?? id,
      parent?.author_id ?? null,
      parent?.id ?? null,
      post.quoted_id,
      post.reposted_id,
      post.possibly_sensitive ?? false,
      post.reply_settings ?? 'everyone',
      post.nullcast ?? false,
      post.entities,
      keys,
    ]);
    if (!post.nullcast) await count(writer, 'users', 'post_count', `${author_id}`, 1);
    const after = { id: `${id}`, author_id: `${author_id}`, text: post.text };
    await this.#record(writer, actor, undefined, after);
  }

  async #remove(writer: Writer, actor: Actor, post: PostRow): Promise<void> {
    const [row] = await writer.query('SELECT "nullcast" FROM "posts" WHERE "id" = ? LIMIT 1', [post.id]);
    await writer.run('UPDATE "posts" SET "deleted_ms" = ? WHERE "id" = ?', [this.#services.clock.now(), post.id]);
    if (row?.[0] !== 1n) await count(writer, 'users', 'post_count', `${post.author_id}`, -1);
    if (post.replied_to_id !== null) await count(writer, 'posts', 'reply_count', post.replied_to_id, -1);
    if (post.quoted_id !== null) await count(writer, 'posts', 'quote_count', post.quoted_id, -1);
    if (post.reposted_id !== null) await count(writer, 'posts', 'repost_count', post.reposted_id, -1);
    const id = `${post.id}`;
    await this.#record(writer, actor, { id, deleted: false }, { id, deleted: true });
  }

  async #record(
    writer: Writer,
    actor: Actor,
    before: Readonly<Record<string, unknown>> | undefined,
    after: Readonly<Record<string, unknown>> & { readonly id: string },
  ): Promise<void> {
    const at = timestamp(this.#services.clock);
    await recordChange(writer, actor, at, { account_id: null, entity: 'POST', entity_id: after.id, before, after });
  }
}

function checkText(text: string, media: readonly string[]): void {
  if (!isStorable(text))
    throw new PostRefusedError('text', 'invalid', 'The text holds characters that cannot be stored');
  const isBlank = text.trim() === '';
  if (isBlank && media.length > 0) return;
  const { weighted_length: length, valid } = weightedLength(text);
  if (valid && !isBlank) return;
  throw new PostRefusedError(
    'text',
    'invalid',
    isBlank
      ? 'A post says something or shows something'
      : `The text has a length of ${length}; a post has up to 280, where a link counts 23 and most letters beyond Latin count 2`,
  );
}

/** What is found in a text, as answers hold it; null when there is nothing. Names get the id of whom they name. */
async function entitiesOf(writer: Writer, text: string): Promise<string | null> {
  const { urls, mentions, hashtags, cashtags } = extractEntities(text);
  const people = await readUsersByName(
    writer,
    mentions.map(({ username }) => username),
  );
  const idOf = new Map(people.map(({ username, id }) => [username.toLowerCase(), id]));
  const named = mentions.map((mention): MentionEntity => {
    const id = idOf.get(mention.username.toLowerCase());
    return id === undefined ? mention : { ...mention, id };
  });
  const entities: { urls?: UrlEntity[]; mentions?: MentionEntity[]; hashtags?: TagEntity[]; cashtags?: TagEntity[] } =
    {};
  if (urls.length > 0) entities.urls = urls;
  if (named.length > 0) entities.mentions = named;
  if (hashtags.length > 0) entities.hashtags = hashtags;
  if (cashtags.length > 0) entities.cashtags = cashtags;
  return Object.keys(entities).length === 0 ? null : stringifyJson(entities);
}

/** Refuses what a person does with a post that they may not see. */
async function mustSee(
  writer: Writer,
  parameter: PostRefusedError['parameter'],
  post: PostRow,
  user_id: bigint,
): Promise<void> {
  const guards = guardsOf(post).filter((id) => id !== user_id);
  const followed = await readFollowed(writer, user_id, guards);
  if (guards.every((id) => followed.has(id))) return;
  throw new PostRefusedError(parameter, 'not_allowed', 'Only approved followers see a post of a protected user');
}

/** Of whom a post takes replies, when that is not this person; `undefined` when they may. */
async function isRestricted(writer: Writer, parent: PostRow, author_id: bigint): Promise<string | undefined> {
  switch (parent.reply_settings) {
    case 'everyone':
      return undefined;
    case 'following':
      return (await readFollowed(writer, parent.author_id, [author_id])).has(author_id)
        ? undefined
        : 'people whom they follow';
    default:
      return parent.entities?.includes(`"id":"${author_id}"`) ? undefined : 'people whom it mentions';
  }
}

type Counter =
  | 'repost_count'
  | 'reply_count'
  | 'like_count'
  | 'quote_count'
  | 'post_count'
  | 'followers_count'
  | 'following_count';

async function count(
  writer: Writer,
  table: 'posts' | 'users',
  counter: Counter,
  id: bigint | string,
  by: 1 | -1,
): Promise<void> {
  await writer.run(`UPDATE "${table}" SET "${counter}" = max(0, "${counter}" + ?) WHERE "id" = ?`, [by, id]);
}

async function countFollow(writer: Writer, follower_id: string, followed_id: string, by: 1 | -1): Promise<void> {
  await count(writer, 'users', 'following_count', follower_id, by);
  await count(writer, 'users', 'followers_count', followed_id, by);
}
