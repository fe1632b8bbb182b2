/** The text of a new post: its length, and the entities in it. */
import { isStorable, stringifyJson } from '@broadside/core';
import type { MentionEntity, TagEntity, UrlEntity } from '@broadside/core/resources/posts';
import { extractEntities, weightedLength } from '@broadside/core/text';
import type { Reader } from '../db/database.ts';
import { PostRejectedError } from './new-post.ts';
import { readUsersByName } from './store.ts';

/** @throws PostRejectedError on a text that cannot be posted */
export function checkText(text: string, media: readonly string[]): void {
  if (!isStorable(text))
    throw new PostRejectedError('text', 'invalid', 'The text holds characters that cannot be stored');
  const isBlank = text.trim() === '';
  if (isBlank && media.length > 0) return;
  const { weighted_length: length, valid } = weightedLength(text);
  if (valid && !isBlank) return;
  throw new PostRejectedError(
    'text',
    'invalid',
    isBlank
      ? 'A post says something or shows something'
      : `The text has a length of ${length}; a post has up to 280, where a link counts 23 and most letters beyond Latin count 2`,
  );
}

/** The entities of a text as JSON, as responses hold them; null when there are none. Mentions get the id of the user. */
export async function entitiesOf(reader: Reader, text: string): Promise<string | null> {
  const { urls, mentions, hashtags, cashtags } = extractEntities(text);
  const people = await readUsersByName(
    reader,
    mentions.map(({ username }) => username),
  );
  const idOf = new Map(people.map(({ username, id }) => [username.toLowerCase(), id]));
  const named = mentions.map((mention): MentionEntity => {
    const id = idOf.get(mention.username.toLowerCase());
    return id === undefined ? mention : { ...mention, id };
  });
  const entities: { urls?: UrlEntity[]; mentions?: MentionEntity[]; hashtags?: TagEntity[]; cashtags?: TagEntity[] } =
    {};
  if (urls.length > 0) entities.urls = urls;
  if (named.length > 0) entities.mentions = named;
  if (hashtags.length > 0) entities.hashtags = hashtags;
  if (cashtags.length > 0) entities.cashtags = cashtags;
  return Object.keys(entities).length === 0 ? null : stringifyJson(entities);
}
