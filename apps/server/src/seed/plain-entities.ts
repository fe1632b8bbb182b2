/**
 * Entities of our own texts: every link starts with `https://`, and every link, name and tag is
 * delimited by spaces. In such a text core's extractor finds the same, ten times slower; the tests compare
 * both.
 */

import { stringifyJson } from '@broadside/core';
import type { MentionEntity, TagEntity, UrlEntity } from '@broadside/core/resources/posts';
import { displayUrl } from '@broadside/core/text';

// The name in `RT @name: ...` is followed by a colon.
const MARKED = /(?<=^| )(?:@(\w+)|#(\S+)|(https:\/\/\S+))/gu;
const ASTRAL = /[\u{10000}-\u{10ffff}]/gu;

interface PlainEntities {
  urls?: UrlEntity[];
  mentions?: MentionEntity[];
  hashtags?: TagEntity[];
}

/** Returns the entities of a text of our own. @param idOf returns the id of a name */
function plainEntities(text: string, idOf: (username: string) => string | undefined = () => undefined): PlainEntities {
  const urls: UrlEntity[] = [];
  const mentions: MentionEntity[] = [];
  const hashtags: TagEntity[] = [];
  for (const { 0: whole, 1: username, 2: tag, 3: url, index } of text.matchAll(MARKED)) {
    const start = pointsIn(text.slice(0, index));
    const end = start + pointsIn(whole);
    if (username !== undefined) {
      const id = idOf(username);
      mentions.push({ start, end, username, ...(id === undefined ? {} : { id }) });
    } else if (tag !== undefined) hashtags.push({ start, end, tag });
    else if (url !== undefined) urls.push({ start, end, url, expanded_url: url, display_url: displayUrl(url) });
  }
  const found: PlainEntities = {};
  if (urls.length > 0) found.urls = urls;
  if (mentions.length > 0) found.mentions = mentions;
  if (hashtags.length > 0) found.hashtags = hashtags;
  return found;
}

/** `entities` of the post object as it is stored. */
export function plainPostEntities(text: string, idOf: (username: string) => string | undefined): string | null {
  return textOf(plainEntities(text, idOf));
}

/** `entities` of the user object as it is stored. */
export function plainProfileEntities(description: string, url: string | null): string | null {
  const inUrl = url === null ? {} : plainEntities(url);
  const inDescription = plainEntities(description);
  return textOf({
    ...(inUrl.urls ? { url: { urls: inUrl.urls } } : {}),
    ...(Object.keys(inDescription).length > 0 ? { description: inDescription } : {}),
  });
}

function textOf(found: object): string | null {
  return Object.keys(found).length === 0 ? null : stringifyJson(found);
}

/** Entity offsets count characters, and a character beyond 16 bits is two code units of a string. */
function pointsIn(text: string): number {
  return text.length - (text.match(ASTRAL)?.length ?? 0);
}
