/**
 * Builds the response to `GET /2/posts`: the requested posts that can be shown; the objects included by expansions,
 * each once; and a problem for each one that is missing or not visible. First everything is read, then it is written;
 * what the store keeps in memory needs no reading, and no writing where its text is kept.
 */
import type { DataContract, JsonText, LookupResult, ParamsOf, PartialProblem } from '@broadside/core';
import { type Expansion, type PostExpansion, postExpansions } from '@broadside/core/resources/posts';
import { type Awaitable, chain } from '../../awaitable.ts';
import type { Database } from '../../db/database.ts';
import { isClosed } from '../../polls/polls.ts';
import { isGuarded, isHiddenFrom, readFollowed } from '../store.ts';
import type { KeptRows } from './kept-rows.ts';
import { type Members, mediaWriter, pollWriter, postWriter, userWriter } from './members.ts';
import { placesOf } from './places.ts';
import { canonicalId, type LookedUpMedia, type LookedUpPoll, type LookedUpPost, type LookedUpUser } from './rows.ts';
import { linked, unlinked } from './said.ts';

/** Parameters of a query. */
export type PostQuery = ParamsOf<DataContract['posts']['lookup']>;

/** The viewer, and the address of the platform. */
export interface Viewer {
  /** Null for an app without a person. */
  readonly user_id: string | null;
  /** The public base URL of the platform; media URLs start with it. */
  readonly baseUrl: string;
  /** What the types of problems start with; the base URL by default. */
  readonly problemUrl?: string;
}

/** The sources of lookups. */
export interface LookupRows {
  readonly database: Database;
  readonly posts: KeptRows<LookedUpPost>;
  readonly users: KeptRows<LookedUpUser>;
  readonly media: KeptRows<LookedUpMedia>;
  readonly polls: KeptRows<LookedUpPoll>;
}

/** Runs a query. @param now_ms the time of the world's clock, at which polls are open or closed */
export function lookUpPosts(
  rows: LookupRows,
  query: PostQuery,
  viewer: Viewer,
  now_ms: number,
): Awaitable<LookupResult> {
  return new Lookup(rows, query, viewer, now_ms).run();
}

/** Metrics for the author only, or for the owner of media (reference, data retrieval section 2). */
const OWN_METRICS = ['non_public_metrics', 'organic_metrics', 'promoted_metrics'] as const;

const REFERENCED: readonly PostExpansion[] = [
  'referenced_posts',
  'referenced_posts.id',
  'referenced_posts.id.author_id',
  'referenced_posts.id.attachments.media_keys',
];

type Section = 'data' | 'includes';

/** Objects included by expansions; an empty list is omitted. */
interface Includes {
  media?: JsonText[];
  places?: readonly object[];
  polls?: JsonText[];
  posts?: JsonText[];
  users?: JsonText[];
}

const NOTHING: Includes = {};
const NONE: readonly never[] = [];

class Lookup {
  readonly #rows: LookupRows;
  readonly #ids: readonly string[];
  readonly #expansions: ReadonlySet<PostExpansion>;
  /** The expansion that asks for the posts that others refer to, if one does. */
  readonly #referring: PostExpansion | undefined;
  readonly #query: PostQuery;
  readonly #viewer: Viewer;
  readonly #nowMs: number;
  readonly #problems: PartialProblem[] = [];
  readonly #posts = new Map<string, LookedUpPost>();
  readonly #users = new Map<string, LookedUpUser>();
  /** The media of all posts that are shown: their texts end with a link to them. */
  readonly #media = new Map<string, LookedUpMedia>();
  readonly #polls = new Map<string, LookedUpPoll>();
  /** Those of {@link OWN_METRICS} that are asked for. */
  #ownMembers: Members = 0;
  /** Authors that are protected, and that the viewer may see. */
  #followed: ReadonlySet<bigint> = new Set();

  constructor(rows: LookupRows, query: PostQuery, viewer: Viewer, now_ms: number) {
    this.#rows = rows;
    this.#query = query;
    this.#ids = query.ids;
    this.#expansions = new Set(query.expansions);
    this.#referring = REFERENCED.find((name) => this.#expansions.has(name));
    this.#viewer = viewer;
    this.#nowMs = now_ms;
  }

  run(): Awaitable<LookupResult> {
    return chain(this.#readPosts(), () =>
      chain(this.#readUsers(), () =>
        chain(this.#readFollowed(), () => {
          const primary = this.#primary();
          const referenced = this.#referenced(primary);
          return chain(this.#readAttached(primary, referenced), () => this.#result(primary, referenced));
        }),
      ),
    );
  }

  /** Reads the posts that are asked for, those that they refer to, and what those pass on. */
  #readPosts(): Awaitable<void> {
    const { posts } = this.#rows;
    const ids: string[] = [];
    for (const id of this.#ids) {
      const canonical = canonicalId(id);
      if (canonical !== undefined) ids.push(canonical);
    }
    return chain(posts.read(ids, this.#posts), () => {
      const others = new Set<string>();
      for (const { original_id, references } of this.#posts.values()) {
        if (this.#referring !== undefined) for (const { id } of references) others.add(id);
        else if (original_id !== undefined) others.add(original_id);
      }
      if (others.size === 0) return undefined;
      return chain(posts.read(others, this.#posts), () => {
        const originals = new Set<string>();
        for (const id of others) {
          const original = this.#posts.get(id)?.original_id;
          if (original !== undefined) originals.add(original);
        }
        return originals.size === 0 ? undefined : posts.read(originals, this.#posts);
      });
    });
  }

  /** Reads the authors of all posts, who may be protected, and whom expansions bring. Posts come first: their authors may only now be known. */
  #readUsers(): Awaitable<void> {
    const ids = new Set<string>();
    for (const { author_id } of this.#posts.values()) ids.add(author_id);
    const answered = this.#expansions.has('in_reply_to_user_id');
    const named = this.#expansions.has('entities.mentions.username');
    if (answered || named) {
      for (const id of this.#ids) {
        const post = this.#found(id);
        if (answered && post?.in_reply_to_user_id !== undefined) ids.add(post.in_reply_to_user_id);
        if (named && post !== undefined) for (const mentioned of post.mentioned) ids.add(mentioned);
      }
    }
    return this.#rows.users.read(ids, this.#users);
  }

  /** Reads which protected authors the viewer follows. */
  #readFollowed(): Awaitable<void> {
    const { user_id } = this.#viewer;
    if (user_id === null) return undefined;
    const guarding = new Set<string>();
    for (const { author_id } of this.#posts.values()) {
      const author = this.#users.get(author_id);
      if (author_id !== user_id && author && isGuarded(author.row)) guarding.add(author_id);
    }
    if (guarding.size === 0) return undefined;
    return chain(readFollowed(this.#rows.database, BigInt(user_id), [...guarding].map(BigInt)), (followed) => {
      this.#followed = followed;
    });
  }

  /** Reads media and polls of the posts that are shown. */
  #readAttached(primary: readonly LookedUpPost[], referenced: readonly LookedUpPost[]): Awaitable<void> {
    const keys = new Set<string>();
    for (const { media_keys } of primary) for (const key of media_keys) keys.add(key);
    for (const { media_keys } of referenced) for (const key of media_keys) keys.add(key);
    const numbers = new Set<string>();
    if (this.#expansions.has('attachments.poll_ids')) {
      for (const { poll } of primary) if (poll !== undefined) numbers.add(poll);
    }
    return chain(keys.size === 0 ? undefined : this.#rows.media.read(keys, this.#media), () =>
      numbers.size === 0 ? undefined : this.#rows.polls.read(numbers, this.#polls),
    );
  }

  #found(id: string): LookedUpPost | undefined {
    const canonical = canonicalId(id);
    return canonical === undefined ? undefined : this.#posts.get(canonical);
  }

  /** The posts that are asked for and to be seen. Leading zeros make another text of the same id. */
  #primary(): readonly LookedUpPost[] {
    const primary: LookedUpPost[] = [];
    for (const id of this.#ids) {
      const post = this.#seen(this.#found(id), id, 'ids', 'data');
      if (post && !primary.includes(post)) primary.push(post);
    }
    return primary;
  }

  /** The posts that they refer to and that are to be seen. */
  #referenced(primary: readonly LookedUpPost[]): readonly LookedUpPost[] {
    const parameter = this.#referring;
    if (parameter === undefined) return [];
    const ids = new Set<string>();
    for (const { references } of primary) for (const { id } of references) ids.add(id);
    const referenced: LookedUpPost[] = [];
    for (const id of ids) {
      const post = this.#seen(this.#posts.get(id), id, parameter, 'includes');
      if (post) referenced.push(post);
    }
    return referenced;
  }

  /** The post if it is to be seen; otherwise a problem is noted. */
  #seen(post: LookedUpPost | undefined, id: string, parameter: string, section: Section): LookedUpPost | undefined {
    const author = post && this.#users.get(post.author_id);
    if (post && author && !post.row.deleted) {
      const isHidden = isHiddenFrom(post, this.#original(post), this.#viewer.user_id);
      if (!isHidden && this.#maySee(author) && this.#maySee(this.#originalAuthor(post))) return post;
      this.#problems.push({ kind: 'not_authorized', resource_type: 'post', resource_id: id, parameter, section });
    } else this.#problems.push({ kind: 'not_found', resource_type: 'post', resource_id: id, parameter, section });
    return undefined;
  }

  /** What a post passes on. */
  #original({ original_id }: LookedUpPost): LookedUpPost | undefined {
    return original_id === undefined ? undefined : this.#posts.get(original_id);
  }

  /** The author of what a post passes on. */
  #originalAuthor(post: LookedUpPost): LookedUpUser | undefined {
    const original = this.#original(post);
    return original && this.#users.get(original.author_id);
  }

  /**
   * Returns whether the viewer may see the posts of an author. A repost has the text of its original, so it is hidden with it
   * (our reading: reference, data retrieval section 12, speaks of hidden posts).
   */
  #maySee(author: LookedUpUser | undefined): boolean {
    if (!author || !isGuarded(author.row)) return true;
    return author.row.id === this.#viewer.user_id || this.#followed.has(BigInt(author.row.id));
  }

  #result(primary: readonly LookedUpPost[], referenced: readonly LookedUpPost[]): LookupResult {
    const fields = postWriter().membersOf(this.#query['post.fields'] ?? NONE);
    if (fields !== 0) this.#ownMembers = fields & postWriter().membersOf(OWN_METRICS);
    // Expansions add the members that lead to what they bring.
    let ofData = fields;
    let ofIncludes = fields;
    for (const name of this.#expansions) {
      const { adds, addsToIncluded }: Expansion = postExpansions[name];
      if (adds !== null) ofData |= postWriter().memberOf(adds);
      if (addsToIncluded !== undefined) ofIncludes |= postWriter().memberOf(addsToIncluded);
    }
    const includes = this.#includes(primary, referenced, ofIncludes);
    const data = primary.map((post) => this.#post(post, ofData, 'data'));
    const { baseUrl, problemUrl = baseUrl } = this.#viewer;
    return { data, includes, problems: this.#problems, baseUrl: problemUrl };
  }

  #includes(primary: readonly LookedUpPost[], referenced: readonly LookedUpPost[], ofPosts: Members): Includes {
    const expansions = this.#expansions;
    if (expansions.size === 0) return NOTHING;
    const includes: Includes = {};
    const media = this.#includedMedia(primary, referenced);
    const users = this.#includedUsers(primary, referenced);
    const history = expansions.has('edit_history_post_ids') ? primary : [];
    const posts = new Set([...referenced, ...history]);
    const polls = expansions.has('attachments.poll_ids') ? this.#includedPolls(primary) : [];
    const places = expansions.has('geo.place_id') ? placesOf(primary, this.#query['place.fields']) : [];
    if (media.length > 0) includes.media = media;
    if (users.length > 0) includes.users = users;
    if (posts.size > 0) includes.posts = Array.from(posts, (post) => this.#post(post, ofPosts, 'includes'));
    if (polls.length > 0) includes.polls = polls;
    if (places.length > 0) includes.places = places;
    return includes;
  }

  #includedMedia(primary: readonly LookedUpPost[], referenced: readonly LookedUpPost[]): JsonText[] {
    const fields = this.#query['media.fields'] ?? [];
    const members = mediaWriter().membersOf(fields);
    const shown = new Set<LookedUpMedia>();
    const add = (posts: readonly LookedUpPost[]) => {
      for (const { media_keys } of posts) {
        for (const key of media_keys) {
          const media = this.#media.get(key);
          if (media) shown.add(media);
        }
      }
    };
    if (this.#expansions.has('attachments.media_keys')) add(primary);
    if (this.#expansions.has('referenced_posts.id.attachments.media_keys')) add(referenced);
    return Array.from(shown, (media) => this.#mediaObject(media, members, fields));
  }

  #mediaObject(media: LookedUpMedia, members: Members, fields: readonly string[]): JsonText {
    const { row, texts } = media;
    const { baseUrl, user_id } = this.#viewer;
    if (user_id === null || row.owner_user_id !== user_id) {
      const about = { resource_type: 'media', resource_id: row.media_key, parameter: 'media.fields' } as const;
      for (const field of OWN_METRICS) {
        if (!fields.includes(field)) continue;
        this.#problems.push({ kind: 'field_not_authorized', field, ...about, section: 'includes' });
      }
    }
    const kept = texts.find(members, baseUrl, '');
    if (kept) return kept;
    const text = mediaWriter().write({ media: row, baseUrl }, members);
    this.#rows.media.grow(texts.keep(members, baseUrl, '', text));
    return text;
  }

  #includedUsers(primary: readonly LookedUpPost[], referenced: readonly LookedUpPost[]): JsonText[] {
    const expansions = this.#expansions;
    const authors = expansions.has('author_id');
    const answered = expansions.has('in_reply_to_user_id');
    const named = expansions.has('entities.mentions.username');
    const ids = new Set<string>();
    for (const post of primary) {
      if (authors) ids.add(post.author_id);
      if (answered && post.in_reply_to_user_id !== undefined) ids.add(post.in_reply_to_user_id);
      if (named) for (const id of post.mentioned) ids.add(id);
    }
    if (expansions.has('referenced_posts.id.author_id')) for (const { author_id } of referenced) ids.add(author_id);
    if (ids.size === 0) return [];
    const members = userWriter().membersOf(this.#query['user.fields'] ?? []);
    const users: JsonText[] = [];
    for (const id of ids) {
      const user = this.#users.get(id);
      if (user) users.push(this.#user(user, members));
    }
    return users;
  }

  #user({ row, texts }: LookedUpUser, members: Members): JsonText {
    const kept = texts.find(members, '', '');
    if (kept) return kept;
    const text = userWriter().write(row, members);
    this.#rows.users.grow(texts.keep(members, '', '', text));
    return text;
  }

  /** The polls of posts, each once, in the order of the posts. */
  #includedPolls(primary: readonly LookedUpPost[]): JsonText[] {
    const members = pollWriter().membersOf(this.#query['poll.fields'] ?? []);
    const polls = new Set<LookedUpPoll>();
    for (const { poll } of primary) {
      const found = poll === undefined ? undefined : this.#polls.get(poll);
      if (found) polls.add(found);
    }
    return Array.from(polls, ({ row, texts }) => {
      const closed = isClosed(row, this.#nowMs);
      const by = closed ? 'closed' : 'open';
      const kept = texts.find(members, '', by);
      if (kept) return kept;
      const text = pollWriter().write({ poll: row, closed }, members);
      this.#rows.polls.grow(texts.keep(members, '', by, text));
      return text;
    });
  }

  #post(post: LookedUpPost, asked: Members, section: Section): JsonText {
    let members = asked;
    const own = this.#ownMembers;
    if ((asked & own) !== 0 && post.author_id !== this.#viewer.user_id) {
      members = asked & ~own;
      this.#noteOwnMetrics(post, asked, section);
    }
    const media = this.#shownMedia(post);
    const base = media === undefined ? '' : this.#viewer.baseUrl;
    const name = media === undefined ? '' : this.#nameOf(post);
    const kept = post.texts.find(members, base, name);
    if (kept) return kept;
    const said = media === undefined ? unlinked(post) : linked(post, media, name, base);
    const text = postWriter().write({ post, said }, members);
    this.#rows.posts.grow(post.texts.keep(members, base, name, text));
    return text;
  }

  #noteOwnMetrics({ id }: LookedUpPost, asked: Members, section: Section): void {
    for (const field of OWN_METRICS) {
      if ((asked & postWriter().memberOf(field)) === 0) continue;
      const about = { resource_type: 'post', resource_id: id, parameter: 'post.fields', section } as const;
      this.#problems.push({ kind: 'field_not_authorized', field, ...about });
    }
  }

  /** The key of the media that a post ends with a link to. */
  #shownMedia({ media_keys: [first] }: LookedUpPost): string | undefined {
    const media = first === undefined ? undefined : this.#media.get(first);
    return media === undefined || media.row.blob_key === null ? undefined : first;
  }

  /** The name of the person on whose page a post is: of what it passes on. */
  #nameOf(post: LookedUpPost): string {
    return (this.#originalAuthor(post) ?? this.#users.get(post.author_id))?.row.username ?? '';
  }
}
