/** Finds existing posts of the platform that a seed file describes. */
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Reader } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { orNull, types } from '../db/value-types.ts';
import { media } from '../media/platform-table.ts';
import { posts } from '../posts/platform-table.ts';

const { id, author_id, text, replied_to_id, quoted_id, reposted_id, deleted_ms, media_keys } = posts;

const selectRepost = statement({ author_id, reposted_id: types.long }, (args) =>
  query
    .select({ id })
    .from(posts)
    .where(and(eq(author_id, args.author_id), eq(reposted_id, args.reposted_id), isNull(deleted_ms)))
    .limit(1),
);

/** Finds a user's repost of a post. @returns its id, decimal */
export async function findRepost(reader: Reader, author: bigint, original: bigint): Promise<string | undefined> {
  const found = await selectRepost.first(reader, { author_id: author, reposted_id: original });
  return found && `${found.id}`;
}

const shownBlobs = sql`(SELECT coalesce(group_concat(${media.blob_key}, ' '), '')
  FROM json_each(coalesce(${media_keys}, '[]')) AS shown CROSS JOIN ${media} ON ${media.media_key} = shown.value)`;
const selectPost = statement(
  { author_id, text, replied_to_id: orNull(types.long), quoted_id: orNull(types.long), blob_keys: types.text },
  (args) =>
    query
      .select({ id })
      .from(posts)
      .where(
        and(
          eq(author_id, args.author_id),
          eq(text, args.text),
          sql`${replied_to_id} IS ${args.replied_to_id}`,
          sql`${quoted_id} IS ${args.quoted_id}`,
          isNull(reposted_id),
          isNull(deleted_ms),
          sql`${shownBlobs} = ${args.blob_keys}`,
        ),
      )
      .limit(1),
);

/** Properties by which two posts are compared. */
interface PostContent {
  readonly author_id: bigint;
  readonly text: string;
  readonly replied_to_id: bigint | null;
  readonly quoted_id: bigint | null;
  /** Of its media, in order. */
  readonly blob_keys: readonly string[];
}

/** Finds a post with the same contents. @returns its id, decimal */
export async function findLikePost(reader: Reader, content: PostContent): Promise<string | undefined> {
  const found = await selectPost.first(reader, { ...content, blob_keys: content.blob_keys.join(' ') });
  return found && `${found.id}`;
}
