/** Properties of posts that promotion needs. For a repost, those of its original. */
import { parseJson } from '@broadside/core';
import type { PromotablePost } from '@broadside/core/resources/promoted-posts';
import type { Reader } from '../db/database.ts';
import type { PostedCard } from './new-post.ts';
import { cardOf } from './posted-card.ts';
import { guardsOf, isTakenDown, type PostRow, readMedia, readPosts, wordsOf } from './store.ts';

/** A post as the platform knows it; its card is one of an account. */
export interface StoredPromotable extends Omit<PromotablePost, 'card'> {
  readonly card: PostedCard | undefined;
}

/** The posts of these ids that are there, by id. */
export async function readPromotable(
  reader: Reader,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, StoredPromotable>> {
  const named = (await readPosts(reader, ids)).filter(({ deleted }) => !deleted);
  const originals = await readPosts(
    reader,
    named.flatMap(({ reposted_id }) => reposted_id ?? []),
  );
  const byId = new Map([...named, ...originals].map((row) => [row.id, row]));
  const keys = [...byId.values()].flatMap((row) => wordsOf(row.media_keys));
  const media = await readMedia(reader, [...new Set(keys)]);
  const kindOf = new Map(media.map(({ media_key, kind }) => [media_key, kind]));
  return new Map(
    named.map((row) => {
      const shown = row.reposted_id === null ? row : (byId.get(row.reposted_id) ?? row);
      const post = {
        id: row.id,
        author_id: `${row.author_id}`,
        original_author_id: `${shown.author_id}`,
        protected: guardsOf(row).length > 0,
        taken_down: isTakenDown(row),
        links: linksOf(shown),
        media: wordsOf(shown.media_keys).flatMap((key) => kindOf.get(key) ?? []),
        card: cardOf(shown),
      };
      return [row.id, post];
    }),
  );
}

function linksOf({ entities }: PostRow): string[] {
  const found = entities === null ? undefined : parseJson(entities);
  const urls: unknown = typeof found === 'object' && found !== null ? Reflect.get(found, 'urls') : undefined;
  return Array.isArray(urls) ? urls.flatMap(addressOf) : [];
}

/** Returns the target of a link, unless it is the short link of the post's media. */
function addressOf(url: unknown): string[] {
  if (typeof url !== 'object' || url === null || 'media_key' in url) return [];
  for (const name of ['unwound_url', 'expanded_url']) {
    const address: unknown = Reflect.get(url, name);
    if (typeof address === 'string') return [address];
  }
  return [];
}
