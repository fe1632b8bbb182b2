/**
 * Everything that changes posts and likes. Counters change by one in the write that gives the reason for it, so that
 * they are right whatever happens at the same time.
 */
import type { LookupResult } from '@broadside/core';
import type { PromotablePost } from '@broadside/core/resources/promoted-posts';
import { repostText } from '@broadside/core/text';
import { and, eq, getTableColumns, isNull } from 'drizzle-orm';
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
import { attachMedia, checkMedia } from './attached-media.ts';
import { countForPost, countForUser } from './counters.ts';
import { lookUpPosts, type PostQuery, type Viewer } from './lookup.ts';
import { type NewPost, type NewRepost, PostRejectedError, type PublishOptions } from './new-post.ts';
import { likes, posts } from './platform-table.ts';
import { checkText, entitiesOf } from './post-text.ts';
import { readPromotable } from './promotable.ts';
import { checkLastPost, findPublication, recordPublication } from './publications.ts';
import { guardsOf, type MediaRow, type PostRow, readMedia, readPosts, wordsOf } from './store.ts';
import { mustSee, replyRestriction } from './visibility.ts';

interface Services {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Snowflakes;
}

const insertPost = statement(
  {
    id: posts.id,
    author_id: posts.author_id,
    created_ms: posts.created_ms,
    text: posts.text,
    lang: posts.lang,
    source: posts.source,
    conversation_id: posts.conversation_id,
    in_reply_to_user_id: posts.in_reply_to_user_id,
    replied_to_id: posts.replied_to_id,
    quoted_id: posts.quoted_id,
    reposted_id: posts.reposted_id,
    possibly_sensitive: posts.possibly_sensitive,
    reply_settings: posts.reply_settings,
    nullcast: posts.nullcast,
    entities: posts.entities,
    media_keys: posts.media_keys,
    name: posts.name,
    name_folded: posts.name_folded,
    card_uri: posts.card_uri,
    card_type: posts.card_type,
    card_account: posts.card_account,
    contributor_id: posts.contributor_id,
    video_title: posts.video_title,
    video_description: posts.video_description,
    video_cta: posts.video_cta,
    video_cta_value: posts.video_cta_value,
  },
  (post) => query.insert(posts).values(post),
);
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
const deletePost = statement({ id: posts.id, deleted_ms: types.int }, ({ id, deleted_ms }) =>
  query.update(posts).set({ deleted_ms }).where(eq(posts.id, id)),
);
const insertLike = statement(getTableColumns(likes), (like) => query.insert(likes).values(like).onConflictDoNothing());
const deleteLike = statement({ post_id: likes.post_id, user_id: likes.user_id }, ({ post_id, user_id }) =>
  query.delete(likes).where(and(eq(likes.post_id, post_id), eq(likes.user_id, user_id))),
);
const findName = statement({ id: users.id }, ({ id }) =>
  query.select({ screen_name: users.screen_name }).from(users).where(eq(users.id, id)).limit(1),
);

export class PostStore {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Returns the id of the post that was published with a key. */
  published(key: string): Promise<string | undefined> {
    return findPublication(this.#services.database, key);
  }

  /** Runs a data retrieval query. */
  lookUp(query: PostQuery, viewer: Viewer): Promise<LookupResult> {
    const { database, clock } = this.#services;
    return lookUpPosts(database, query, viewer, clock.now());
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

  /** Returns the properties that promotion needs, of the posts that exist. */
  promotable(ids: readonly bigint[]): Promise<ReadonlyMap<bigint, PromotablePost>> {
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

  /** Deletes a post and its reposts. @returns whether there was one */
  async delete(actor: Actor, post_id: string): Promise<boolean> {
    return this.#services.database.write(async (writer) => {
      const [post] = await readPosts(writer, [BigInt(post_id)]);
      if (!post || post.deleted) return false;
      const ids = await listReposts.all(writer, { id: post.id });
      const reposts = await readPosts(
        writer,
        ids.map(({ id }) => id),
      );
      for (const gone of [post, ...reposts]) await this.#remove(writer, actor, gone);
      return true;
    });
  }

  /** Likes a post, or removes the like. @returns whether anything changed. @throws PostRejectedError */
  async like(user_id: string, post_id: string, liked: boolean): Promise<boolean> {
    return this.#services.database.write(async (writer) => {
      const post = await this.#existing(writer, 'post_id', post_id);
      if (liked) await mustSee(writer, 'post_id', post, BigInt(user_id));
      const key = { post_id: post.id, user_id: BigInt(user_id) };
      const changed = liked
        ? await insertLike.run(writer, { ...key, created_ms: this.#services.clock.now() })
        : await deleteLike.run(writer, key);
      if (changed > 0) await countForPost(writer, 'like_count', post.id, liked ? 1 : -1);
      return changed > 0;
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
    if (guardsOf(quoted).every((id) => id === author_id)) return quoted;
    throw new PostRejectedError('quoted_id', 'not_allowed', 'A post of a protected user cannot be quoted by others');
  }

  async #existing(writer: Writer, parameter: 'quoted_id' | 'replied_to_id' | 'post_id', id: string): Promise<PostRow> {
    const [post] = await readPosts(writer, [BigInt(id)]);
    if (post && !post.deleted) return post;
    throw new PostRejectedError(parameter, 'not_found', `There is no post ${id}`);
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
    const { id, author_id, parent, media_keys = [], name, card, poll, contributor_id } = post;
    await insertPost.run(writer, {
      id,
      author_id,
      created_ms: this.#services.clock.now(),
      text: post.text,
      lang: post.lang,
      source: post.source,
      conversation_id: parent?.conversation_id ?? id,
      in_reply_to_user_id: parent?.author_id ?? null,
      replied_to_id: parent?.id ?? null,
      quoted_id: post.quoted_id,
      reposted_id: post.reposted_id,
      possibly_sensitive: post.possibly_sensitive ?? false,
      reply_settings: post.reply_settings ?? 'everyone',
      nullcast: post.nullcast ?? false,
      entities: post.entities,
      media_keys: media_keys.length === 0 ? null : JSON.stringify(media_keys),
      name: name ?? null,
      name_folded: name === undefined ? null : foldName(name),
      card_uri: card?.card_uri ?? (poll ? `card://${poll.id}` : null),
      card_type: card?.card_type ?? (poll ? 'TEXT_POLLS' : null),
      card_account: card ? `${card.environment}/${card.account_id}` : null,
      contributor_id: contributor_id === undefined ? null : BigInt(contributor_id),
      video_title: post.video_title ?? null,
      video_description: post.video_description ?? null,
      video_cta: post.video_cta ?? null,
      video_cta_value: post.video_cta_value ?? null,
    });
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
