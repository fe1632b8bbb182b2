/**
 * Writes objects of data retrieval as JSON, member by member in the order of the contract. Each query names the members that
 * it wants; they are numbers here, one bit for each member.
 */
import { JsonText, quoteJson, stringifyJson } from '@broadside/core';
import { once } from '@broadside/core/data';
import { MediaObject } from '@broadside/core/resources/media';
import { Poll, Post } from '@broadside/core/resources/posts';
import { UserObject } from '@broadside/core/resources/users';
import type { SaidText } from '../attached-link.ts';
import type { MediaRow, UserRow } from '../store.ts';
import type { LookedUpPoll, LookedUpPost } from './rows.ts';

/** The JSON of a member; `undefined` where the object has none. */
type Write<Source> = (source: Source) => string | undefined;

/** A writer for each member of an object of the contract. */
type Writers<Whole, Source> = { readonly [Name in keyof Whole]-?: Write<Source> };

/** Members of an object, one bit for each. */
export type Members = number;

/** Writes the objects of one kind. */
class ObjectWriter<Source> {
  readonly #members: readonly { readonly bit: Members; readonly prefix: string; readonly write: Write<Source> }[];
  readonly #bits: ReadonlyMap<string, Members>;
  readonly #always: Members;

  /**
   * @param names the members in the order of the contract
   * @param always members that every object has
   */
  constructor(
    names: readonly string[],
    writers: Readonly<Partial<Record<string, Write<Source>>>>,
    always: readonly string[],
  ) {
    if (names.length > 31) throw new TypeError('members are bits of a number');
    this.#members = names.map((name, at) => {
      const write = writers[name];
      if (!write) throw new TypeError(`nothing writes the member ${name}`);
      return { bit: 1 << at, prefix: `"${name}":`, write };
    });
    this.#bits = new Map(names.map((name, at) => [name, 1 << at]));
    this.#always = this.membersOf(always);
  }

  /** Members by their names. Names of later versions stand for nothing. */
  membersOf(names: Iterable<string>): Members {
    let members = 0;
    for (const name of names) members |= this.memberOf(name);
    return members;
  }

  /** One member. */
  memberOf(name: string): Members {
    return this.#bits.get(name) ?? 0;
  }

  /** Writes an object with these members, and those that every object has. */
  write(source: Source, members: Members): JsonText {
    const wanted = members | this.#always;
    let text = '';
    for (const { bit, prefix, write } of this.#members) {
      if ((wanted & bit) === 0) continue;
      const value = write(source);
      if (value !== undefined) text += text === '' ? prefix + value : `,${prefix}${value}`;
    }
    return new JsonText(`{${text}}`);
  }
}

/** A post, and what it says as it is shown. */
interface SaidPost {
  readonly post: LookedUpPost;
  readonly said: SaidText;
}

const absent = (): undefined => undefined;

const postMembers: Writers<Post, SaidPost> = {
  id: ({ post }) => `"${post.id}"`,
  text: ({ said }) => quoteJson(said.text),
  attachments: ({ post }) => attachmentsOf(post),
  author_id: ({ post }) => `"${post.author_id}"`,
  context_annotations: ({ post: { row } }) => row.context_annotations ?? undefined,
  conversation_id: ({ post: { row } }) => `"${row.conversation_id}"`,
  created_at: ({ post: { row } }) => instant(row.created_ms),
  // Posts are never changed here: our choice, so that what was approved and promoted stays what it was.
  edit_controls: ({ post: { row } }) =>
    `{"editable_until":${instant(row.created_ms)},"edits_remaining":0,"is_edit_eligible":false}`,
  edit_history_post_ids: ({ post }) => `["${post.id}"]`,
  entities: ({ said }) => said.entities()?.text,
  geo: ({ post }) => geoOf(post),
  in_reply_to_user_id: ({ post }) => optionalId(post.in_reply_to_user_id),
  lang: ({ post: { row } }) => quoteJson(row.lang),
  non_public_metrics: ({ post: { row } }) => `{${ownMetrics(row)}}`,
  // Nothing is promoted before campaigns serve, so what a post reached it reached by itself.
  organic_metrics: ({ post: { row } }) =>
    `{${ownMetrics(row)},"like_count":${row.like_count},"reply_count":${row.reply_count},"repost_count":${row.repost_count}}`,
  promoted_metrics: absent,
  possibly_sensitive: ({ post: { row } }) => `${row.possibly_sensitive}`,
  public_metrics: ({ post: { row } }) =>
    `{"repost_count":${row.repost_count},"reply_count":${row.reply_count},"like_count":${row.like_count},"quote_count":${row.quote_count}}`,
  referenced_posts: ({ post: { references } }) =>
    references.length === 0
      ? undefined
      : `[${references.map(({ type, id }) => `{"type":"${type}","id":"${id}"}`).join(',')}]`,
  reply_settings: ({ post: { row } }) => quoteJson(row.reply_settings),
  source: ({ post: { row } }) => quoteJson(row.source),
  withheld: ({ post: { row } }) => row.withheld ?? undefined,
};

/** Writes posts. */
export const postWriter = once(() => new ObjectWriter(Object.keys(Post.shape), postMembers, ['id', 'text']));

const userMembers: Writers<UserObject, UserRow> = {
  id: ({ id }) => quoteJson(id),
  name: ({ name }) => quoteJson(name),
  username: ({ username }) => quoteJson(username),
  created_at: ({ created_at }) => instant(Date.parse(created_at)),
  description: ({ description }) => quoteJson(description),
  entities: ({ entities }) => entities ?? undefined,
  location: ({ location }) => optionalText(location),
  pinned_post_id: ({ pinned_post_id }) => optionalId(pinned_post_id ?? undefined),
  profile_image_url: ({ profile_image_url }) => optionalText(profile_image_url),
  protected: (user) => `${user.protected}`,
  public_metrics: ({ public_metrics }) => stringifyJson(public_metrics),
  url: ({ url }) => optionalText(url),
  verified: ({ verified }) => `${verified}`,
  withheld: ({ withheld }) => withheld ?? undefined,
};

/** Writes people. */
export const userWriter = once(
  () => new ObjectWriter(Object.keys(UserObject.shape), userMembers, ['id', 'name', 'username']),
);

/** Media, and the address of the platform. */
interface AddressedMedia {
  readonly media: MediaRow;
  readonly baseUrl: string;
}

const mediaMembers: Writers<MediaObject, AddressedMedia> = {
  media_key: ({ media }) => quoteJson(media.media_key),
  type: ({ media }) => quoteJson(media.kind),
  alt_text: ({ media }) => optionalText(media.alt_text),
  duration_ms: ({ media }) => (media.kind === 'video' ? optionalNumber(media.duration_ms) : undefined),
  height: ({ media }) => optionalNumber(media.height),
  // Video playback is not counted, so owners have no such metrics yet.
  non_public_metrics: absent,
  organic_metrics: absent,
  promoted_metrics: absent,
  preview_image_url: ({ media, baseUrl }) =>
    media.kind === 'photo' ? undefined : addressOf(media.preview_blob_key, baseUrl),
  public_metrics: ({ media }) => (media.kind === 'video' ? `{"view_count":${media.view_count}}` : undefined),
  url: ({ media, baseUrl }) => (media.kind === 'photo' ? addressOf(media.blob_key, baseUrl) : undefined),
  variants: ({ media, baseUrl }) => variantsOf(media, baseUrl),
  width: ({ media }) => optionalNumber(media.width),
};

/** Writes media. */
export const mediaWriter = once(
  () => new ObjectWriter(Object.keys(MediaObject.shape), mediaMembers, ['media_key', 'type']),
);

/** A poll, and whether nobody can vote any more. */
interface TimedPoll {
  readonly poll: LookedUpPoll['row'];
  readonly closed: boolean;
}

const pollMembers: Writers<Poll, TimedPoll> = {
  id: ({ poll }) => `"${poll.id}"`,
  options: ({ poll }) =>
    `[${poll.choices.map(({ position, label, votes }) => `{"position":${position},"label":${quoteJson(label)},"votes":${votes}}`).join(',')}]`,
  duration_minutes: ({ poll }) => `${poll.duration_minutes}`,
  end_datetime: ({ poll }) => instant(poll.end_ms),
  voting_status: ({ closed }) => (closed ? '"closed"' : '"open"'),
};

/** Writes polls. */
export const pollWriter = once(() => new ObjectWriter(Object.keys(Poll.shape), pollMembers, ['id', 'options']));

function instant(ms: number): string {
  return `"${new Date(ms).toISOString()}"`;
}

function optionalText(text: string | null): string | undefined {
  return text === null ? undefined : quoteJson(text);
}

function optionalId(id: string | bigint | undefined): string | undefined {
  return id === undefined ? undefined : `"${id}"`;
}

function optionalNumber(value: number | null): string | undefined {
  return value === null ? undefined : `${value}`;
}

function addressOf(blob_key: string | null, baseUrl: string): string | undefined {
  return blob_key === null ? undefined : quoteJson(`${baseUrl}/media/${blob_key}`);
}

function variantsOf({ kind, blob_key, bit_rate, content_type }: MediaRow, baseUrl: string): string | undefined {
  const address = addressOf(blob_key, baseUrl);
  if (kind === 'photo' || address === undefined) return undefined;
  const rate = bit_rate === null ? '' : `"bit_rate":${bit_rate},`;
  return `[{${rate}"content_type":${quoteJson(content_type)},"url":${address}}]`;
}

function attachmentsOf({ row, poll }: LookedUpPost): string | undefined {
  const keys = row.media_keys === null ? undefined : `"media_keys":${row.media_keys}`;
  const polls = poll === undefined ? undefined : `"poll_ids":["${poll}"]`;
  if (keys === undefined) return polls === undefined ? undefined : `{${polls}}`;
  return polls === undefined ? `{${keys}}` : `{${keys},${polls}}`;
}

function geoOf({ row }: LookedUpPost): string | undefined {
  const place = row.place === null ? undefined : /^\{"id":("[^"]*")/.exec(row.place)?.[1];
  const parts = [
    ...(place === undefined ? [] : [`"place_id":${place}`]),
    ...(row.coordinates === null ? [] : [`"coordinates":${row.coordinates}`]),
  ];
  return parts.length === 0 ? undefined : `{${parts.join(',')}}`;
}

function ownMetrics({ impression_count, url_link_clicks, user_profile_clicks }: LookedUpPost['row']): string {
  return `"impression_count":${impression_count},"url_link_clicks":${url_link_clicks},"user_profile_clicks":${user_profile_clicks}`;
}
