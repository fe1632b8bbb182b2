/**
 * Pages of published posts as the advertising interface lists them, of the rows that data retrieval keeps. A post that was shown
 * before is shown as the same object as long as it and all that it refers to are the same.
 */
import type { ListedPost } from '@broadside/core/resources/posts';
import { type Awaitable, chain, together } from '../../awaitable.ts';
import { ShownRows } from '../../world/shown-rows.ts';
import { type AuthorQuery, listByAuthor } from '../author-posts.ts';
import type { LookupRows } from '../lookup/lookup.ts';
import type { LookedUpMedia, LookedUpPost, LookedUpUser } from '../lookup/rows.ts';
import { isGuarded, isHiddenFrom, readFollowed } from '../store.ts';
import { ownFacts, type PostFacts } from './facts.ts';
import { aroundOf, type Listing, likedAmong, listedPost, repostedAmong, type ViewV1 } from './show.ts';

/** A page of published posts. */
export interface PublishedPage {
  readonly data: ListedPost[];
  /** The last post of the page, where there is a further page. */
  readonly last: bigint | undefined;
}

const LISTING: Listing = { post_type: 'PUBLISHED', scheduled_at: null };

const listed = new ShownRows<LookedUpPost, ListedPost>();

/**
 * Returns a page of the posts of an author, the newest first, without those of protected people that the viewer may not see.
 * @param trusted people whose protected posts the viewer sees
 */
export function listPublished(
  rows: LookupRows,
  asked: AuthorQuery,
  view: ViewV1,
  trusted: ReadonlySet<string>,
): Awaitable<PublishedPage> {
  return chain(listByAuthor(rows.database, { ...asked, count: asked.count + 1 }), (ids) =>
    new PageOfPosts(rows, ids.slice(0, asked.count), view, trusted).read(ids.length > asked.count),
  );
}

class PageOfPosts {
  readonly #rows: LookupRows;
  readonly #ids: readonly bigint[];
  readonly #view: ViewV1;
  readonly #trusted: ReadonlySet<string>;
  readonly #posts = new Map<string, LookedUpPost>();
  readonly #users = new Map<string, LookedUpUser>();
  readonly #media = new Map<string, LookedUpMedia>();

  constructor(rows: LookupRows, ids: readonly bigint[], view: ViewV1, trusted: ReadonlySet<string>) {
    this.#rows = rows;
    this.#ids = ids;
    this.#view = view;
    this.#trusted = trusted;
  }

  /** @param isContinued whether there is a further page */
  read(isContinued: boolean): Awaitable<PublishedPage> {
    const names = this.#ids.map(String);
    return chain(this.#rows.posts.read(names, this.#posts), () => {
      const page = names.flatMap((id) => this.#posts.get(id) ?? []).filter(({ row }) => !row.deleted);
      const originals = page.flatMap(({ original_id }) => original_id ?? []);
      return chain(originals.length === 0 ? undefined : this.#rows.posts.read(originals, this.#posts), () =>
        chain(this.#rows.users.read(this.#people(page), this.#users), () =>
          chain(this.#visible(page), (visible) =>
            chain(this.#show(visible), (data) => ({ data, last: isContinued ? this.#ids.at(-1) : undefined })),
          ),
        ),
      );
    });
  }

  #people(page: readonly LookedUpPost[]): ReadonlySet<string> {
    const ids = new Set<string>();
    for (const post of page) {
      ids.add(post.author_id);
      if (post.in_reply_to_user_id !== undefined) ids.add(post.in_reply_to_user_id);
      for (const id of post.mentioned) ids.add(id);
      const original = this.#original(post);
      if (original) ids.add(original.author_id);
    }
    return ids;
  }

  #original({ original_id }: LookedUpPost): LookedUpPost | undefined {
    return original_id === undefined ? undefined : this.#posts.get(original_id);
  }

  /** The protected people whose followers alone may see a post: its author, and the author of its original. */
  #guards(post: LookedUpPost): string[] {
    const authors = [post.author_id, this.#original(post)?.author_id];
    return authors.flatMap((id) => {
      const author = id === undefined ? undefined : this.#users.get(id);
      return id !== undefined && author && isGuarded(author.row) ? [id] : [];
    });
  }

  #visible(listed: readonly LookedUpPost[]): Awaitable<readonly LookedUpPost[]> {
    const { user_id } = this.#view;
    if (user_id === null) return listed;
    const page = listed.filter((post) => !isHiddenFrom(post, this.#original(post), user_id));
    const guards = new Set(page.flatMap((post) => this.#guards(post)));
    const unknown = [...guards].filter((id) => id !== user_id && !this.#trusted.has(id));
    if (unknown.length === 0) return page;
    const followed = readFollowed(this.#rows.database, BigInt(user_id), unknown.map(BigInt));
    return chain(followed, (known) => {
      const hidden = new Set(unknown.filter((id) => !known.has(BigInt(id))));
      return page.filter((post) => !this.#guards(post).some((id) => hidden.has(id)));
    });
  }

  #show(page: readonly LookedUpPost[]): Awaitable<ListedPost[]> {
    const { database, media, posts } = this.#rows;
    const { user_id } = this.#view;
    const keys = new Set(page.flatMap(({ media_keys }) => media_keys));
    const ids = page.map(({ row }) => row.id);
    const read = together([
      likedAmong(database, user_id, ids),
      repostedAmong(database, user_id, ids),
      keys.size === 0 ? undefined : media.read(keys, this.#media),
    ]);
    return chain(read, ([liked, reposted]) => {
      let grown = 0;
      const shown = page.map((post) => {
        const { row } = post;
        const original = this.#original(post);
        const users = [post.author_id, post.in_reply_to_user_id, ...post.mentioned].map((id) =>
          id === undefined ? undefined : this.#users.get(id)?.row,
        );
        const pictures = post.media_keys.map((key) => this.#media.get(key)?.row);
        const author = original && this.#users.get(original.author_id)?.row;
        const inputs = [
          this.#view.baseUrl,
          this.#view.trim_user,
          liked.has(row.id),
          reposted.has(row.id),
          author?.username,
          ...users,
          ...pictures,
        ];
        return listed.show(post, inputs, () => {
          grown += post.listed();
          const people = users.filter((user) => user !== undefined);
          const seen = pictures.filter((picture) => picture !== undefined);
          return listedPost(
            this.#facts(post, author?.username),
            aroundOf(people, seen, liked, reposted),
            LISTING,
            this.#view,
          );
        });
      });
      if (grown > 0) posts.grow(grown);
      return shown;
    });
  }

  #facts(post: LookedUpPost, original_screen_name: string | undefined): PostFacts {
    const { row } = post;
    const { like_count, quote_count, reply_count, repost_count } = row;
    return ownFacts(row, post.media_keys, {
      ...row,
      public_metrics: { like_count, quote_count, reply_count, repost_count },
      screen_name: this.#users.get(post.author_id)?.row.username ?? '',
      original_screen_name: original_screen_name ?? null,
    });
  }
}
