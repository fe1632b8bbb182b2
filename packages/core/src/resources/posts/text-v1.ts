/**
 * The text of a post in the form of version 1.1: whole, or cut to 140 characters for clients that know no more. The
 * reference does not say what indices count: code points, as those of data retrieval (our choice).
 */
import type { Post } from './post.ts';

/** A link at the end of a text. */
export interface TextLink {
  /** As it stands in the text. */
  readonly url: string;
  readonly expanded_url: string;
  readonly display_url: string;
}

/** The text of a post, as it is stored, and the link of its media. */
export interface PostText {
  readonly text: string;
  /** As data retrieval shows them, without that of the media. */
  readonly entities: NonNullable<Post['entities']>;
  /** The link of its media, if it shows any: the link that ends the text. */
  readonly mediaLink: TextLink | undefined;
}

/** A user who is mentioned in a text. */
export interface MentionedUser {
  readonly id: string;
  readonly name: string;
  readonly screen_name: string;
}

type Indices = [start: number, end: number];

interface TextEntities {
  readonly hashtags: { text: string; indices: Indices }[];
  readonly symbols: { text: string; indices: Indices }[];
  readonly user_mentions: { screen_name: string; name: string; id: bigint; id_str: string; indices: Indices }[];
  readonly urls: { url: string; expanded_url: string; display_url: string; indices: Indices }[];
}

/** A text with what is found in it. */
export interface TextV1 {
  readonly text: string;
  readonly truncated: boolean;
  /** The part without the link of the media. */
  readonly display_text_range: Indices;
  readonly entities: TextEntities;
  /** The place of the link of the media. */
  readonly media_indices: Indices;
}

/** Characters of a text for clients of the first version. */
const COMPAT_LENGTH = 140;

/** Returns the whole text. @param people who may be mentioned, by id; names of nobody are no mentions */
export function fullText({ text, entities, mediaLink }: PostText, people: ReadonlyMap<string, MentionedUser>): TextV1 {
  const said = lengthOf(text);
  const lead = text === '' || !mediaLink ? text : `${text} `;
  const start = lengthOf(lead);
  return {
    text: lead + (mediaLink?.url ?? ''),
    truncated: false,
    display_text_range: [0, said],
    entities: entitiesV1(entities, people),
    media_indices: [start, start + lengthOf(mediaLink?.url ?? '')],
  };
}

/**
 * Returns the text for clients of the first version: one of more than 140 characters is cut, not within an entity, and
 * ends with the link to the post.
 */
export function compatText(post: PostText, people: ReadonlyMap<string, MentionedUser>, permalink: TextLink): TextV1 {
  const whole = fullText(post, people);
  if (lengthOf(whole.text) <= COMPAT_LENGTH) return whole;
  const link = post.mediaLink ?? permalink;
  const room = Math.max(0, COMPAT_LENGTH - lengthOf(`… ${link.url}`));
  const spans = Object.values(whole.entities).flatMap((found: readonly { indices: Indices }[]) =>
    found.map(({ indices }) => indices),
  );
  const split = spans.find(([start, end]) => start < room && end > room);
  const kept = Array.from(post.text)
    .slice(0, split?.[0] ?? room)
    .join('')
    .trimEnd();
  const end = lengthOf(kept);
  const start = end + 2;
  const text = `${kept}… ${link.url}`;
  const indices: Indices = [start, lengthOf(text)];
  const isKept = ({ indices: [, last] }: { readonly indices: Indices }) => last <= end;
  const { hashtags, symbols, user_mentions, urls } = whole.entities;
  return {
    text,
    truncated: true,
    display_text_range: [0, lengthOf(text)],
    entities: {
      hashtags: hashtags.filter(isKept),
      symbols: symbols.filter(isKept),
      user_mentions: user_mentions.filter(isKept),
      urls: [...urls.filter(isKept), ...(post.mediaLink ? [] : [{ ...link, indices }])],
    },
    media_indices: indices,
  };
}

function entitiesV1(
  { hashtags = [], cashtags = [], mentions = [], urls = [] }: NonNullable<Post['entities']>,
  people: ReadonlyMap<string, MentionedUser>,
): TextEntities {
  return {
    hashtags: hashtags.map(({ tag, start, end }) => ({ text: tag, indices: [start, end] })),
    symbols: cashtags.map(({ tag, start, end }) => ({ text: tag, indices: [start, end] })),
    user_mentions: mentions.flatMap(({ id, start, end }) => {
      const person = id === undefined ? undefined : people.get(id);
      if (!person) return [];
      const { screen_name, name } = person;
      const indices: Indices = [start, end];
      return [{ screen_name, name, id: BigInt(person.id), id_str: person.id, indices }];
    }),
    urls: urls.map(({ url, expanded_url, display_url, start, end }) => ({
      url,
      expanded_url,
      display_url,
      indices: [start, end],
    })),
  };
}

/** Length in code points. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}

/** Formats a time as version 1.1 does: `Tue Aug 27 22:22:12 +0000 2019`. */
export function formatTimeV1(ms: number): string {
  const [weekday = '', day, month, year, clock] = new Date(ms).toUTCString().split(' ');
  return `${weekday.slice(0, 3)} ${month} ${day} ${clock} +0000 ${year}`;
}
