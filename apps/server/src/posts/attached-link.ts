/**
 * The short link at the end of a post with media (reference, data retrieval section 11). It leads to the page of the post. It
 * is added when the post is shown and is not stored, so it does not count towards the length, and uses the current
 * address of the platform. Links that people write stay as they are (our choice).
 */
import { JsonText, parseJson, stringifyJson } from '@broadside/core';
import type { TextLink, UrlEntity } from '@broadside/core/resources/posts';
import { displayUrl } from '@broadside/core/text';
import { postShortPath } from '../media/short-link.ts';
import type { PostRow } from './store.ts';

/** Text and entities of a post. */
export interface SaidText {
  readonly text: string;
  /** `entities` of the post object; absent when there are none. */
  readonly entities: () => JsonText | undefined;
}

/** The parts of the address of a post. */
export type Addressed = Pick<PostRow, 'id' | 'original_screen_name' | 'reposted_id' | 'screen_name'>;

/** Returns the path of the page of a post; of a repost, that of its original. */
export function pagePath({ id, screen_name, reposted_id, original_screen_name }: Addressed): string {
  return `/${original_screen_name ?? screen_name}/status/${reposted_id ?? id}`;
}

/** Returns the short link of a post; of a repost, that of its original. */
export function postLink(post: Addressed, baseUrl: string): TextLink {
  const url = `${baseUrl}${postShortPath(post.reposted_id ?? post.id)}`;
  return { url, expanded_url: `${baseUrl}${pagePath(post)}`, display_url: displayUrl(url) };
}

/** The text of a post with media, with a link at its end that stands for them. */
export function linkedText(
  { text, entities }: Pick<PostRow, 'text' | 'entities'>,
  media_key: string,
  link: TextLink,
): SaidText {
  const lead = text === '' ? '' : `${text} `;
  return {
    text: lead + link.url,
    entities: () => {
      const start = Array.from(lead).length;
      const end = start + Array.from(link.url).length;
      const entity: UrlEntity = { start, end, ...link, media_key };
      return new JsonText(stringifyJson(withLink(entities, entity)));
    },
  };
}

function withLink(entities: string | null, link: UrlEntity): object {
  const held = entities === null ? {} : parseJson(entities);
  if (typeof held !== 'object' || held === null) return { urls: [link] };
  const urls = 'urls' in held && Array.isArray(held.urls) ? held.urls : [];
  return { ...held, urls: [...urls, link] };
}
