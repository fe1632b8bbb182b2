/**
 * The short link at the end of a post with media (reference, data retrieval section 11). It is added when the post is shown and
 * is not stored, so it does not count towards the length, and uses the current address of the platform.
 * Links that people write stay as they are (our choice).
 */
import { JsonText, parseJson, stringifyJson } from '@broadside/core';
import type { UrlEntity } from '@broadside/core/resources/posts';
import { displayUrl } from '@broadside/core/text';
import { shortPath } from '../media/short-link.ts';
import { type MediaRow, type PostRow, wordsOf } from './store.ts';

/** Text and entities of a post. */
export interface SaidText {
  readonly text: string;
  /** `entities` of the post object; absent when there are none. */
  readonly entities: () => JsonText | undefined;
}

/**
 * The text of a post as people see it.
 * @param media that are known, by their keys
 */
export function saidText(row: PostRow, media: ReadonlyMap<string, MediaRow>, baseUrl: string): SaidText {
  const [first] = wordsOf(row.media_keys);
  const shown = first === undefined ? undefined : media.get(first);
  if (!shown || shown.blob_key === null) return { text: row.text, entities: () => stored(row.entities) };
  const url = `${baseUrl}${shortPath(shown.blob_key)}`;
  const lead = row.text === '' ? '' : `${row.text} `;
  return {
    text: lead + url,
    entities: () => {
      const start = Array.from(lead).length;
      const link: UrlEntity = {
        start,
        end: start + Array.from(url).length,
        url,
        expanded_url: `${baseUrl}/media/${shown.blob_key}`,
        display_url: displayUrl(url),
        media_key: shown.media_key,
      };
      return new JsonText(stringifyJson(withLink(row.entities, link)));
    },
  };
}

function withLink(entities: string | null, link: UrlEntity): object {
  const held = entities === null ? {} : parseJson(entities);
  if (typeof held !== 'object' || held === null) return { urls: [link] };
  const urls = 'urls' in held && Array.isArray(held.urls) ? held.urls : [];
  return { ...held, urls: [...urls, link] };
}

function stored(json: string | null): JsonText | undefined {
  return json === null ? undefined : new JsonText(json);
}
