/** The text of a new post: its length, and the entities in it. */
import { stringifyJson } from '@broadside/core';
import { checkPostText, type MentionEntity, type TagEntity, type UrlEntity } from '@broadside/core/resources/posts';
import { extractEntities } from '@broadside/core/text';
import { type Awaitable, chain } from '../awaitable.ts';
import type { Reader } from '../db/database.ts';
import { PostRejectedError } from './new-post.ts';
import { readUsersByName, type UserRow } from './store.ts';

/** @throws PostRejectedError on a text that cannot be posted */
export function checkText(text: string, media_keys: readonly string[]): void {
  const [wrong] = checkPostText({ text, media_keys });
  if (wrong) throw new PostRejectedError('text', 'invalid', wrong.message ?? wrong.error);
}

/** The entities of a text as JSON, as responses hold them; null when there are none. Mentions get the id of the user. */
export function entitiesOf(reader: Reader, text: string): Awaitable<string | null> {
  const { urls, mentions, hashtags, cashtags } = extractEntities(text);
  const named = readUsersByName(
    reader,
    mentions.map(({ username }) => username),
  );
  return chain(named, (people) => entitiesJson({ urls, mentions, hashtags, cashtags }, people));
}

function entitiesJson(
  { urls, mentions, hashtags, cashtags }: ReturnType<typeof extractEntities>,
  people: readonly UserRow[],
): string | null {
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
