/**
 * Builds the response to `GET /2/posts`: the requested posts that can be shown; the objects included by expansions,
 * each once; and a problem for each one that is missing or not visible.
 */
import { type DataContract, JsonText, type LookupResult, type ParamsOf, type PartialProblem } from '@broadside/core';
import type { MediaObject } from '@broadside/core/resources/media';
import {
  type Expansion,
  type Poll,
  type Post,
  type PostExpansion,
  postExpansions,
  type ReferenceType,
} from '@broadside/core/resources/posts';
import type { UserObject } from '@broadside/core/resources/users';
import type { Reader } from '../db/database.ts';
import { type PollResults, pollNumber, readPolls } from '../polls/polls.ts';
import { saidText } from './attached-link.ts';
import {
  guardsOf,
  type MediaRow,
  type PostRow,
  readFollowed,
  readMedia,
  readPosts,
  readUsers,
  type UserRow,
  wordsOf,
} from './store.ts';

/** Parameters of a query. */
export type PostQuery = ParamsOf<DataContract['posts']['lookup']>;

/** Which members each kind of object shows. */
interface Fields {
  /** Fields of the requested posts. */
  readonly data: ReadonlySet<string>;
  /** Of included posts. */
  readonly includes: ReadonlySet<string>;
  readonly user: ReadonlySet<string>;
  readonly media: ReadonlySet<string>;
  readonly poll: ReadonlySet<string>;
  readonly place: ReadonlySet<string>;
}

/** The viewer, and the address of the platform. */
export interface Viewer {
  /** Null for an app without a person. */
  readonly user_id: string | null;
  /** The public base URL of the platform; media URLs start with it. */
  readonly baseUrl: string;
}

/** An object of the contract with the requested members; stored JSON is passed through. */
type Shown<Whole> = { readonly [Name in keyof Whole]?: Whole[Name] | JsonText };

/** Objects included by expansions; an empty list is omitted. */
interface Includes {
  users?: Shown<UserObject>[];
  posts?: Shown<Post>[];
  media?: Shown<MediaObject>[];
  polls?: Shown<Poll>[];
  places?: unknown[];
}

/** Runs a query. @param now_ms the time of the world's clock, at which polls are open or closed */
export async function lookUpPosts(
  reader: Reader,
  query: PostQuery,
  viewer: Viewer,
  now_ms: number,
): Promise<LookupResult> {
  return new Lookup(reader, query, viewer, now_ms).run();
}

/** Metrics for the author only, or for the owner of media (reference, data retrieval section 2). */
const OWN_METRICS = ['non_public_metrics', 'organic_metrics', 'promoted_metrics'] as const;

const REFERENCED: readonly PostExpansion[] = [
  'referenced_posts',
  'referenced_posts.id',
  'referenced_posts.id.author_id',
  'referenced_posts.id.attachments.media_keys',
];

class Lookup {
  readonly #reader: Reader;
  readonly #ids: readonly string[];
  readonly #expansions: ReadonlySet<PostExpansion>;
  readonly #fields: Fields;
  readonly #viewer: Viewer;
  readonly #viewerId: bigint | null;
  readonly #nowMs: number;
  readonly #problems: PartialProblem[] = [];
  /** Authors that are protected, and that the viewer may see. */
  #followed: ReadonlySet<bigint> = new Set();
  /** The media of all posts that are shown: their texts end with a link to them. */
  #media: ReadonlyMap<string, MediaRow> = new Map();

  constructor(reader: Reader, query: PostQuery, viewer: Viewer, now_ms: number) {
    this.#reader = reader;
    this.#nowMs = now_ms;
    this.#ids = query.ids;
    this.#expansions = new Set(query.expansions);
    this.#fields = fieldsOf(query, this.#expansions);
    this.#viewer = viewer;
    this.#viewerId = viewer.user_id === null ? null : BigInt(viewer.user_id);
  }

  async run(): Promise<LookupResult> {
    const found = await this.#read(this.#ids.map(BigInt));
    const seen = this.#ids.flatMap((id) => this.#seen(found.get(BigInt(id)), id, 'ids', 'data') ?? []);
    // Leading zeros make another text of the same id.
    const primary = [...new Set(seen)];
    const includes = await this.#includes(primary);
    const data = primary.map((row) => this.#post(row, 'data'));
    return { data, includes, problems: this.#problems, baseUrl: this.#viewer.baseUrl };
  }

  /** Reads posts, and which of their protected authors the viewer follows. */
  async #read(ids: readonly bigint[]): Promise<Map<bigint, PostRow>> {
    const rows = await readPosts(this.#reader, ids);
    const guarding = new Set(rows.flatMap(guardsOf).filter((id) => id !== this.#viewerId));
    if (guarding.size > 0 && this.#viewerId !== null) {
      const followed = await readFollowed(this.#reader, this.#viewerId, [...guarding]);
      this.#followed = new Set([...this.#followed, ...followed]);
    }
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** The post if it is to be seen; otherwise a problem is noted. */
  #seen(row: PostRow | undefined, id: string, parameter: string, section: 'data' | 'includes'): PostRow | undefined {
    const about = { resource_type: 'post', resource_id: id, parameter, section } as const;
    if (!row || row.deleted) {
      this.#problems.push({ kind: 'not_found', ...about });
      return undefined;
    }
    if (guardsOf(row).every((id) => id === this.#viewerId || this.#followed.has(id))) return row;
    this.#problems.push({ kind: 'not_authorized', ...about });
    return undefined;
  }

  async #includes(primary: readonly PostRow[]): Promise<Includes> {
    const expansions = this.#expansions;
    const referenced = await this.#referenced(primary);
    const users = await this.#users(primary, referenced);
    await this.#readMedia([...primary, ...referenced]);
    const media = this.#shownMedia(primary, referenced);
    const history = expansions.has('edit_history_post_ids') ? primary : [];
    const posts = [...new Map([...referenced, ...history].map((row) => [row.id, row])).values()];
    const polls = expansions.has('attachments.poll_ids') ? await this.#polls(primary) : [];
    const places = expansions.has('geo.place_id')
      ? primary.flatMap((row) => this.#stored(row.place, this.#fields.place))
      : [];
    const includes: Includes = {};
    if (media.length > 0) includes.media = media.map((row) => this.#mediaObject(row));
    if (users.length > 0) includes.users = users.map((row) => this.#user(row));
    if (posts.length > 0) includes.posts = posts.map((row) => this.#post(row, 'includes'));
    if (polls.length > 0) includes.polls = polls;
    if (places.length > 0) includes.places = byId(places);
    return includes;
  }

  async #referenced(primary: readonly PostRow[]): Promise<readonly PostRow[]> {
    const expansions = this.#expansions;
    const asked = REFERENCED.find((name) => expansions.has(name));
    if (asked === undefined) return [];
    const ids = [...new Set(primary.flatMap((row) => referencesOf(row).map(({ id }) => id)))];
    const found = await this.#read(ids.map(BigInt));
    return ids.flatMap((id) => this.#seen(found.get(BigInt(id)), id, asked, 'includes') ?? []);
  }

  async #users(primary: readonly PostRow[], referenced: readonly PostRow[]): Promise<readonly UserRow[]> {
    const expansions = this.#expansions;
    const ids = new Set<bigint>();
    for (const row of primary) {
      if (expansions.has('author_id')) ids.add(row.author_id);
      if (expansions.has('in_reply_to_user_id') && row.in_reply_to_user_id !== null) ids.add(row.in_reply_to_user_id);
      if (expansions.has('entities.mentions.username')) for (const id of mentionedIn(row)) ids.add(id);
    }
    if (expansions.has('referenced_posts.id.author_id')) for (const row of referenced) ids.add(row.author_id);
    return readUsers(this.#reader, [...ids]);
  }

  async #readMedia(rows: readonly PostRow[]): Promise<void> {
    const keys = new Set(rows.flatMap((row) => wordsOf(row.media_keys)));
    const media = await readMedia(this.#reader, [...keys]);
    this.#media = new Map(media.map((row) => [row.media_key, row]));
  }

  #shownMedia(primary: readonly PostRow[], referenced: readonly PostRow[]): readonly MediaRow[] {
    const expansions = this.#expansions;
    const rows = [
      ...(expansions.has('attachments.media_keys') ? primary : []),
      ...(expansions.has('referenced_posts.id.attachments.media_keys') ? referenced : []),
    ];
    return [...new Set(rows.flatMap((row) => wordsOf(row.media_keys)))].flatMap((key) => this.#media.get(key) ?? []);
  }

  #post(row: PostRow, section: 'data' | 'includes'): Shown<Post> {
    const fields = this.#fields[section];
    const { text, entities } = saidText(row, this.#media, this.#viewer.baseUrl);
    const post: { -readonly [Name in keyof Shown<Post>]: Shown<Post>[Name] } = { id: `${row.id}`, text };
    if (fields.has('attachments')) put(post, 'attachments', attachmentsOf(row));
    if (fields.has('author_id')) post.author_id = `${row.author_id}`;
    if (fields.has('context_annotations')) put(post, 'context_annotations', stored(row.context_annotations));
    if (fields.has('conversation_id')) post.conversation_id = `${row.conversation_id}`;
    if (fields.has('created_at')) post.created_at = new Date(row.created_ms).toISOString();
    if (fields.has('edit_controls')) post.edit_controls = editControls(row);
    if (fields.has('edit_history_post_ids')) post.edit_history_post_ids = [`${row.id}`];
    if (fields.has('entities')) put(post, 'entities', entities());
    if (fields.has('geo')) put(post, 'geo', geoOf(row));
    if (fields.has('in_reply_to_user_id') && row.in_reply_to_user_id !== null) {
      post.in_reply_to_user_id = `${row.in_reply_to_user_id}`;
    }
    if (fields.has('lang')) post.lang = row.lang;
    if (fields.has('possibly_sensitive')) post.possibly_sensitive = row.possibly_sensitive;
    if (fields.has('public_metrics')) post.public_metrics = row.public_metrics;
    if (fields.has('referenced_posts')) {
      const references = referencesOf(row);
      if (references.length > 0) post.referenced_posts = [...references];
    }
    if (fields.has('reply_settings')) put(post, 'reply_settings', row.reply_settings);
    if (fields.has('source')) post.source = row.source;
    if (fields.has('withheld')) put(post, 'withheld', stored(row.withheld));
    this.#ownMetrics(post, row, section);
    return post;
  }

  #ownMetrics(
    post: { -readonly [Name in keyof Shown<Post>]: Shown<Post>[Name] },
    row: PostRow,
    section: 'data' | 'includes',
  ): void {
    for (const field of OWN_METRICS) {
      if (!this.#fields[section].has(field)) continue;
      if (row.author_id !== this.#viewerId) {
        const about = { resource_type: 'post', resource_id: `${row.id}`, parameter: 'post.fields', section } as const;
        this.#problems.push({ kind: 'field_not_authorized', field, ...about });
        continue;
      }
      const { impression_count, url_link_clicks, user_profile_clicks } = row;
      const own = { impression_count, url_link_clicks, user_profile_clicks };
      const { like_count, reply_count, repost_count } = row.public_metrics;
      if (field === 'non_public_metrics') post.non_public_metrics = own;
      // Nothing is promoted before campaigns serve, so what a post reached it reached by itself.
      if (field === 'organic_metrics') post.organic_metrics = { ...own, like_count, reply_count, repost_count };
    }
  }

  #user(row: UserRow): Shown<UserObject> {
    const fields = this.#fields.user;
    const { id, name, username } = row;
    const user: { -readonly [Name in keyof Shown<UserObject>]: Shown<UserObject>[Name] } = { id, name, username };
    if (fields.has('created_at')) user.created_at = new Date(row.created_at).toISOString();
    if (fields.has('description')) user.description = row.description;
    if (fields.has('entities')) put(user, 'entities', stored(row.entities));
    if (fields.has('location')) put(user, 'location', row.location ?? undefined);
    if (fields.has('pinned_post_id') && row.pinned_post_id !== null) user.pinned_post_id = `${row.pinned_post_id}`;
    if (fields.has('profile_image_url')) put(user, 'profile_image_url', row.profile_image_url ?? undefined);
    if (fields.has('protected')) user.protected = row.protected;
    if (fields.has('public_metrics')) user.public_metrics = row.public_metrics;
    if (fields.has('url')) put(user, 'url', row.url ?? undefined);
    if (fields.has('verified')) user.verified = row.verified;
    if (fields.has('withheld')) put(user, 'withheld', stored(row.withheld));
    return user;
  }

  #mediaObject(row: MediaRow): Shown<MediaObject> {
    const fields = this.#fields.media;
    const { media_key, kind } = row;
    const moving = kind !== 'photo';
    const address = row.blob_key === null ? undefined : this.#mediaUrl(row.blob_key);
    const preview = row.preview_blob_key === null ? undefined : this.#mediaUrl(row.preview_blob_key);
    const media: { -readonly [Name in keyof Shown<MediaObject>]: Shown<MediaObject>[Name] } = { media_key, type: kind };
    if (fields.has('alt_text')) put(media, 'alt_text', row.alt_text ?? undefined);
    if (fields.has('duration_ms') && kind === 'video') put(media, 'duration_ms', row.duration_ms ?? undefined);
    if (fields.has('height')) put(media, 'height', row.height ?? undefined);
    if (fields.has('width')) put(media, 'width', row.width ?? undefined);
    if (fields.has('preview_image_url') && moving) put(media, 'preview_image_url', preview);
    if (fields.has('public_metrics') && kind === 'video') media.public_metrics = { view_count: row.view_count };
    if (fields.has('url') && !moving) put(media, 'url', address);
    if (fields.has('variants') && moving && address !== undefined) {
      const { content_type, bit_rate } = row;
      media.variants = [{ ...(bit_rate === null ? {} : { bit_rate }), content_type, url: address }];
    }
    // Video playback is not counted, so owners have no such metrics yet.
    if (this.#viewerId === null || row.owner_user_id !== `${this.#viewerId}`) {
      const about = { resource_type: 'media', resource_id: media_key, parameter: 'media.fields' } as const;
      for (const field of OWN_METRICS.filter((name) => fields.has(name))) {
        this.#problems.push({ kind: 'field_not_authorized', field, ...about, section: 'includes' });
      }
    }
    return media;
  }

  /** The polls of posts, each once, in the order of the posts. */
  async #polls(rows: readonly PostRow[]): Promise<Shown<Poll>[]> {
    const numbers = [...new Set(rows.flatMap((row) => pollNumber(row) ?? []))];
    const found = new Map((await readPolls(this.#reader, numbers, this.#nowMs)).map((poll) => [poll.id, poll]));
    return numbers.flatMap((number) => {
      const poll = found.get(number);
      return poll ? [this.#poll(poll)] : [];
    });
  }

  #poll({ id, choices, duration_minutes, end_ms, closed }: PollResults): Shown<Poll> {
    const fields = this.#fields.poll;
    const poll: { -readonly [Name in keyof Shown<Poll>]: Shown<Poll>[Name] } = { id: `${id}`, options: [...choices] };
    if (fields.has('duration_minutes')) poll.duration_minutes = duration_minutes;
    if (fields.has('end_datetime')) poll.end_datetime = new Date(end_ms).toISOString();
    if (fields.has('voting_status')) poll.voting_status = closed ? 'closed' : 'open';
    return poll;
  }

  #mediaUrl(blob: string): string {
    return `${this.#viewer.baseUrl}/media/${blob}`;
  }

  /** Reduces a place to the requested members. */
  #stored(json: string | null, fields: ReadonlySet<string>): Readonly<Record<string, unknown>>[] {
    if (json === null) return [];
    const whole: unknown = JSON.parse(json);
    if (typeof whole !== 'object' || whole === null) return [];
    return [Object.fromEntries(Object.entries(whole).filter(([name]) => fields.has(name)))];
  }
}

/** The defaults of an object are there whatever is asked for; expansions add the members that lead to what they bring. */
function fieldsOf(query: PostQuery, expansions: ReadonlySet<PostExpansion>): Fields {
  const asked = query['post.fields'] ?? [];
  const followed: readonly Expansion[] = [...expansions].map((name) => postExpansions[name]);
  return {
    data: new Set([...asked, ...followed.flatMap(({ adds }) => adds ?? [])]),
    includes: new Set([...asked, ...followed.flatMap(({ addsToIncluded }) => addsToIncluded ?? [])]),
    user: new Set(query['user.fields']),
    media: new Set(query['media.fields']),
    poll: new Set(query['poll.fields']),
    place: new Set(['id', 'full_name', ...(query['place.fields'] ?? [])]),
  };
}

function put<Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
  value: Target[Name] | undefined,
): void {
  if (value !== undefined) target[name] = value;
}

function stored(json: string | null): JsonText | undefined {
  return json === null ? undefined : new JsonText(json);
}

function byId(objects: readonly Readonly<Record<string, unknown>>[]): unknown[] {
  return [...new Map(objects.map((object) => [object['id'], object])).values()];
}

interface Reference {
  readonly type: ReferenceType;
  readonly id: string;
}

function referencesOf(row: PostRow): readonly Reference[] {
  const references: Reference[] = [];
  if (row.reposted_id !== null) references.push({ type: 'reposted', id: `${row.reposted_id}` });
  if (row.quoted_id !== null) references.push({ type: 'quoted', id: `${row.quoted_id}` });
  if (row.replied_to_id !== null) references.push({ type: 'replied_to', id: `${row.replied_to_id}` });
  return references;
}

function attachmentsOf(row: PostRow): JsonText | undefined {
  const poll = pollNumber(row);
  const parts = [
    ...(row.media_keys === null ? [] : [`"media_keys":${row.media_keys}`]),
    ...(poll === undefined ? [] : [`"poll_ids":["${poll}"]`]),
  ];
  return parts.length === 0 ? undefined : new JsonText(`{${parts.join(',')}}`);
}

function geoOf(row: PostRow): JsonText | undefined {
  const place = row.place === null ? undefined : /^\{"id":("[^"]*")/.exec(row.place)?.[1];
  const parts = [
    ...(place === undefined ? [] : [`"place_id":${place}`]),
    ...(row.coordinates === null ? [] : [`"coordinates":${row.coordinates}`]),
  ];
  return parts.length === 0 ? undefined : new JsonText(`{${parts.join(',')}}`);
}

/** Posts are never changed here: our choice, so that what was approved and promoted stays what it was. */
function editControls(row: PostRow): NonNullable<Post['edit_controls']> {
  return { editable_until: new Date(row.created_ms).toISOString(), edits_remaining: 0, is_edit_eligible: false };
}

const MENTION_ID = /"id":"(\d+)"/g;

/** Returns the mentioned users that exist: their ids are in the entities of the post. */
function mentionedIn(row: PostRow): readonly bigint[] {
  if (row.entities === null) return [];
  const value: unknown = JSON.parse(row.entities);
  const mentions = typeof value === 'object' && value !== null && 'mentions' in value ? value.mentions : [];
  return [...JSON.stringify(mentions).matchAll(MENTION_ID)].map(([, id = '0']) => BigInt(id));
}
