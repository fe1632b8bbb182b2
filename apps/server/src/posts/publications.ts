/** Posts that are published once for each key, and the rejection of a post that repeats the one before it. */
import { and, desc, eq, isNull } from 'drizzle-orm';
import type { Reader, Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { type NewPost, PostRejectedError } from './new-post.ts';
import { posts, publications } from './platform-table.ts';
import { wordsOf } from './store.ts';

const findPost = statement({ key: publications.key }, ({ key }) =>
  query.select({ post_id: publications.post_id }).from(publications).where(eq(publications.key, key)).limit(1),
);
const insertPublication = statement({ key: publications.key, post_id: publications.post_id }, (row) =>
  query.insert(publications).values(row),
);

/** Returns the id of the post that was published with a key. */
export async function findPublication(reader: Reader, key: string): Promise<string | undefined> {
  const found = await findPost.first(reader, { key });
  return found && `${found.post_id}`;
}

/** Records with which key a post was published, in the transaction that makes it. */
export async function recordPublication(writer: Writer, key: string, post_id: bigint): Promise<void> {
  await insertPublication.run(writer, { key, post_id });
}

const findLast = statement({ author_id: posts.author_id, timeline: posts.timeline }, ({ author_id, timeline }) =>
  query
    .select({
      id: posts.id,
      text: posts.text,
      media_keys: posts.media_keys,
      card_uri: posts.card_uri,
      replied_to_id: posts.replied_to_id,
      quoted_id: posts.quoted_id,
      reposted_id: posts.reposted_id,
    })
    .from(posts)
    .where(and(eq(posts.author_id, author_id), eq(posts.timeline, timeline), isNull(posts.deleted_ms)))
    .orderBy(desc(posts.id))
    .limit(1),
);

/**
 * Rejects a post that says the same twice in a row (reference, creatives section 10). Our reading: the author's last post that
 * is there, among those in public or among those that are promoted only, has the same text, media and card.
 * @param post with its text as it will be stored
 */
export async function checkLastPost(reader: Reader, post: NewPost): Promise<void> {
  const { author_id, text, media_keys = [], card, nullcast = false } = post;
  const parts = nullcast ? [2, 3] : [0, 1];
  const found = await Promise.all(
    parts.map((timeline) => findLast.first(reader, { author_id: BigInt(author_id), timeline })),
  );
  const [last] = found.flatMap((row) => row ?? []).sort((one, other) => (one.id < other.id ? 1 : -1));
  if (!last || last.text !== text || last.card_uri !== (card?.card_uri ?? null)) return;
  if ((last.replied_to_id ?? last.quoted_id ?? last.reposted_id) !== null) return;
  if (wordsOf(last.media_keys).join() !== media_keys.join()) return;
  throw new PostRejectedError('text', 'duplicate', `The last post of user ${author_id}, ${last.id}, says the same`);
}
