/**
 * Everything that changes posts and likes. Counters change by one in the write that gives the reason for it, so that
 * they are right whatever happens at the same time.
 */
import type { LookupResult } from '@broadside/core';
import type { CreatedPost, ListedPost } from '@broadside/core/resources/posts';
import { repostText } from '@broadside/core/text';
import { and, eq, isNull } from 'drizzle-orm';
import { forgetChanges } from '../audit/forget.ts';
import type { Awaitable } from '../awaitable.ts';
import { type Actor, recordChange } from '../db/change-log.ts';
import type { Database, Writer } from '../db/database.ts';
import { foldName } from '../db/fold-name.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { types } from '../db/value-types.ts';
import { users } from '../identity/platform-table.ts';
import { recordPoll } from '../polls/polls.ts';
import { type Clock, timestamp } from '../world/clock.ts';
import type { Snowflakes } from '../world/ids.ts';
import { pagePath } from './attached-link.ts';
import { attachMedia, checkMedia } from './attached-media.ts';
import type { AuthorQuery } from './author-posts.ts';
import { countForPost, countForUser } from './counters.ts';
import { erasePost, listAllReposts } from './erase-post.ts';
import { type InsertedPost, insertPost } from './insert-post.ts';
import { hasLiked, setLiked } from './likes.ts';
import type { PostQuery, Viewer } from './lookup/lookup.ts';
import { PostLookups } from './lookup/post-lookups.ts';
import { type NewPost, type NewRepost, PostRejectedError, type PublishOptions } from './new-post.ts';
import { posts } from './platform-table.ts';
import { checkText, entitiesOf } from './post-text.ts';
import { readPromotable, type StoredPromotable } from './promotable.ts';
import { checkLastPost, findPublication, recordPublication } from './publications.ts';
import { guardsOf, isTakenDown, type MediaRow, type PostRow, readMedia, readPosts, wordsOf } from './store.ts';
import { type PostFacts, publishedFacts, type UnpublishedPost, unpublishedFacts } from './v1/facts.ts';
import { listPublished, type PublishedPage } from './v1/list-published.ts';
import { createdV1, type Listing, listedV1, type ViewV1 } from './v1/show.ts';
import { mustSee, replyRestriction } from './visibility.ts';

interface Services {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Snowflakes;
  /** Keep rows in memory. Only where this process is the only one that writes the store. */
  readonly cache: boolean;
}

const listReposts = statement({ id: posts.id }, ({ id }) =>
  query
    .select({ id: posts.id })
    .from(posts)
    .where(and(eq(posts.reposted_id, id), isNull(posts.deleted_ms))),
);
const findRepost = statement(
  { id: posts.id, author_id: posts.author_id, nullcast: posts.nullcast },
  ({ id, author_id, nullcast }) =>
    query
      .select({ id: posts.id })
      .from(posts)
      .where(
        and(
          eq(posts.reposted_id, id),
          eq(posts.author_id, author_id),
          eq(posts.nullcast, nullcast),
          isNull(posts.deleted_ms),
        ),
      )
      .limit(1),
);
const deletePost = statement(
  { id: posts.id, deleted_ms: types.int },
  ({ id, deleted_ms }) => query.update(posts).set({ deleted_ms }).where(eq(posts.id, id)),
  ({ id }) => `${id}`,
);
const renamePost = statement(
  { id: posts.id, name: posts.name, name_folded: posts.name_folded },
  ({ id, name, name_folded }) => query.update(posts).set({ name, name_folded }).where(eq(posts.id, id)),
  ({ id }) => `${id}`,
);
const findName = statement({ id: users.id }, ({ id }) =>
  query.select({ screen_name: users.screen_name }).from(users).where(eq(users.id, id)).limit(1),
);

export class PostStore {
  readonly #services: Services;
  readonly #lookups: PostLookups;

  constructor(services: Services) {
    this.#services = services;
    this.#lookups = new PostLookups(services);
  }

  /** Returns the id of the post that was published with a key. */
  published(key: string): Promise<string | undefined> {
    return findPublication(this.#services.database, key);
  }

  /** Runs a data retrieval query. */
  lookUp(query: PostQuery, viewer: Viewer): Awaitable<LookupResult> {
    return this.#lookups.run(query, viewer);
  }

  /**
   * Returns the path of the page of a post that everybody can see; of a repost, that of its original. `undefined` for a post
   * that is not there or protected.
   */
  async publicPage(id: bigint): Promise<string | undefined> {
    const [post] = await readPosts(this.#services.database, [id]);
    if (!post || post.deleted || isTakenDown(post) || guardsOf(post).length > 0) return undefined;
    return pagePath(post);
  }

  /** Returns the media of these keys that can be shown, in the order of the keys. */
  async media(keys: readonly string[]): Promise<MediaRow[]> {
    const found = new Map((await readMedia(this.#services.database, keys)).map((row) => [row.media_key, row]));
    return keys.flatMap((key) => found.get(key) ?? []);
  }

  /** Checks in advance what {@link create} checks of the media of a post and of the post before it. @throws PostRejectedError */
  async verify(post: NewPost, { rejectDuplicate = false }: PublishOptions): Promise<void> {
    const { database } = this.#services;
    await checkMedia(database, post);
    if (rejectDuplicate) await checkLastPost(database, { ...post, text: post.text.normalize('NFC') });
  }

  /**
   * Returns a page of the posts of an author, the newest first, without those of protected people that this viewer may not see.
   * @param trusted people whose protected posts the viewer sees
   */
  listPublished(asked: AuthorQuery, view: ViewV1, trusted: ReadonlySet<string>): Awaitable<PublishedPage> {
    return listPublished(this.#lookups.rows, asked, view, trusted);
  }

  /** Shows posts as lists of the advertising interface do. @param listings one for each */
  showListed(posts: readonly PostFacts[], listings: readonly Listing[], view: ViewV1): Awaitable<ListedPost[]> {
    return listedV1(this.#services.database, posts, listings, view);
  }

  /** Shows a post that was just made. */
  async showCreated(id: string, mode: 'compat' | 'extended', view: ViewV1): Promise<CreatedPost> {
    const [row] = await readPosts(this.#services.database, [BigInt(id)]);
    if (!row) throw new TypeError(`the post ${id} is not there`);
    return createdV1(this.#services.database, publishedFacts(row), mode, view);
  }

  /** Returns what is shown of a draft or a scheduled post. @param source the client that it will be posted with */
  unpublished(post: UnpublishedPost, source: string): Awaitable<PostFacts> {
    return unpublishedFacts(this.#services.database, post, source);
  }

  /** Returns a post that is there. */
  async get(id: bigint): Promise<PostRow | undefined> {
    const [post] = await readPosts(this.#services.database, [id]);
    return post?.deleted ? undefined : post;
  }

  /** Changes the advertiser's name for a post. @returns the post; `undefined` if it is not there */
  async rename(actor: Actor, id: bigint, name: string | null): Promise<PostRow | undefined> {
    return this.#services.database.write(async (writer) => {
      const [post] = await readPosts(writer, [id]);
      if (!post || post.deleted) return undefined;
      if (post.name === name) return post;
      await renamePost.run(writer, { id, name, name_folded: name === null ? null : foldName(name) });
      await this.#record(writer, actor, { id: `${id}`, name: post.name }, { id: `${id}`, name });
      return { ...post, name };
    });
  }

  /** Makes a post. @returns its id. @throws PostRejectedError */
  async create(actor: Actor, post: NewPost, { key, rejectDuplicate = false }: PublishOptions = {}): Promise<string> {
    // Before it is normalized: that is quadratic for some texts, and texts that are too long are rejected here.
    checkText(post.text, post.media_keys ?? []);
    const text = post.text.normalize('NFC');
    return this.#services.database.write(async (writer) => {
      const published = key === undefined ? undefined : await findPublication(writer, key);
      if (published !== undefined) return published;
      const author_id = BigInt(post.author_id);
      if (rejectDuplicate) await checkLastPost(writer, { ...post, text });
      const parent = await this.#answered(writer, post, author_id);
      const quoted = await this.#quoted(writer, post, author_id);
      await attachMedia(writer, post);
      if (post.poll) await recordPoll(writer, post.poll);
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
      if (parent) await countForPost(writer, 'reply_count', parent.id, 1);
      if (quoted) await countForPost(writer, 'quote_count', quoted.id, 1);
      if (key !== undefined) await recordPublication(writer, key, id);
      return `${id}`;
    });
  }

  /**
   * Reposts a post; a repost of a repost is one of the original.
   * @returns the id of the repost. @throws PostRejectedError, also when this user has reposted it already
   */
  async repost(actor: Actor, repost: NewRepost): Promise<string> {
    return this.#services.database.write(async (writer) => {
      const { id, isNew } = await this.#repost(writer, actor, repost);
      if (!isNew) throw new PostRejectedError('post_id', 'already', 'This user has reposted this post already');
      return id;
    });
  }

  /** Returns whether a person has reposted a post in their timeline; of a repost, its original. */
  async hasReposted(author_id: string, { id, reposted_id }: Pick<PostRow, 'id' | 'reposted_id'>): Promise<boolean> {
    const { database } = this.#services;
    const repost = { id: reposted_id ?? id, author_id: BigInt(author_id), nullcast: false };
    return (await findRepost.first(database, repost)) !== undefined;
  }

  /** Returns the properties that promotion needs, of the posts that exist. */
  promotable(ids: readonly bigint[]): Promise<ReadonlyMap<bigint, StoredPromotable>> {
    return readPromotable(this.#services.database, ids);
  }

  /**
   * Sees to it that posts can be promoted in the name of a user: each is reposted promoted-only, once for a user and a post,
   * however often this is called.
   * @returns the ids of the reposts, by those of the posts. @throws PostRejectedError; nothing is reposted then
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

  /** Deletes a post and its reposts. @param also done in the same write @returns whether there was one */
  async delete(actor: Actor, post_id: string, also?: (writer: Writer) => Promise<void>): Promise<boolean> {
    return this.#services.database.write(async (writer) => {
      const [post] = await readPosts(writer, [BigInt(post_id)]);
      if (!post || post.deleted) return false;
      const ids = await listReposts.all(writer, { id: post.id });
      const reposts = await readPosts(
        writer,
        ids.map(({ id }) => id),
      );
      for (const gone of [post, ...reposts]) await this.#remove(writer, actor, gone);
      await also?.(writer);
      return true;
    });
  }

  /**
   * Deletes posts, their reposts and likes for good, with what the change log says of them: only ids are left. May be repeated.
   * @param actor recorded as the author of the deletion
   */
  async erase(actor: Actor, ids: readonly bigint[]): Promise<void> {
    await this.#services.database.write(async (writer) => {
      for (const id of ids) {
        const reposts = await listAllReposts(writer, id);
        const found = await readPosts(writer, [id, ...reposts]);
        for (const post of found) {
          if (!post.deleted) await this.#remove(writer, actor, post);
          await erasePost(writer, post.id);
          await forgetChanges(writer, 'POST', `${post.id}`);
        }
      }
    });
  }

  /** Returns whether a person likes a post. */
  hasLiked(user_id: string, post_id: string): Promise<boolean> {
    return hasLiked(this.#services.database, BigInt(user_id), BigInt(post_id));
  }

  /** Likes a post, or removes the like. @returns whether anything changed. @throws PostRejectedError */
  async like(actor: Actor, user_id: string, post_id: string, liked: boolean): Promise<boolean> {
    return this.#services.database.write(async (writer) => {
      const post = await this.#existing(writer, 'post_id', post_id);
      return setLiked(writer, actor, { post, user_id: BigInt(user_id), liked, now_ms: this.#services.clock.now() });
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
    if (isTakenDown(original)) {
      throw new PostRejectedError('post_id', 'not_allowed', 'A post that was taken down cannot be reposted');
    }
    if (original.protected && original.author_id !== author) {
      throw new PostRejectedError('post_id', 'not_allowed', 'A post of a protected user cannot be reposted by others');
    }
    const before = await findRepost.first(writer, { id: original.id, author_id: author, nullcast });
    if (before) return { id: `${before.id}`, isNew: false };
    const owner = await findName.first(writer, { id: `${original.author_id}` });
    const text = repostText(owner?.screen_name ?? '', original.text);
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
    await countForPost(writer, 'repost_count', original.id, 1);
    return { id: `${id}`, isNew: true };
  }

  /** Returns the post that is replied to, if the author may reply to it. */
  async #answered(writer: Writer, post: NewPost, author_id: bigint): Promise<PostRow | undefined> {
    if (post.replied_to_id === undefined) return undefined;
    const parent = await this.#existing(writer, 'replied_to_id', post.replied_to_id);
    await mustSee(writer, 'replied_to_id', parent, author_id);
    if (parent.author_id === author_id) return parent;
    const restricted = await replyRestriction(writer, parent, author_id);
    if (!restricted) return parent;
    throw new PostRejectedError('replied_to_id', 'not_allowed', `Its author takes replies of ${restricted} only`);
  }

  /** The post that is quoted, if it may be: a quote shows it to all who see the quote. */
  async #quoted(writer: Writer, { quoted_id }: NewPost, author_id: bigint): Promise<PostRow | undefined> {
    if (quoted_id === undefined) return undefined;
    const quoted = await this.#existing(writer, 'quoted_id', quoted_id);
    if (isTakenDown(quoted)) {
      throw new PostRejectedError('quoted_id', 'not_allowed', 'A post that was taken down cannot be quoted');
    }
    if (guardsOf(quoted).every((id) => id === author_id)) return quoted;
    throw new PostRejectedError('quoted_id', 'not_allowed', 'A post of a protected user cannot be quoted by others');
  }

  async #existing(writer: Writer, parameter: 'quoted_id' | 'replied_to_id' | 'post_id', id: string): Promise<PostRow> {
    const [post] = await readPosts(writer, [BigInt(id)]);
    if (post && !post.deleted) return post;
    throw new PostRejectedError(parameter, 'not_found', `There is no post ${id}`);
  }

  async #insert(writer: Writer, actor: Actor, post: Omit<InsertedPost, 'created_ms'>): Promise<void> {
    const { id, author_id } = post;
    await insertPost(writer, { ...post, created_ms: this.#services.clock.now() });
    if (!post.nullcast) await countForUser(writer, 'post_count', `${author_id}`, 1);
    const after = { id: `${id}`, author_id: `${author_id}`, text: post.text };
    await this.#record(writer, actor, undefined, after);
  }

  async #remove(writer: Writer, actor: Actor, post: PostRow): Promise<void> {
    await deletePost.run(writer, { id: post.id, deleted_ms: this.#services.clock.now() });
    if (!post.nullcast) await countForUser(writer, 'post_count', `${post.author_id}`, -1);
    if (post.replied_to_id !== null) await countForPost(writer, 'reply_count', post.replied_to_id, -1);
    if (post.quoted_id !== null) await countForPost(writer, 'quote_count', post.quoted_id, -1);
    if (post.reposted_id !== null) await countForPost(writer, 'repost_count', post.reposted_id, -1);
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
