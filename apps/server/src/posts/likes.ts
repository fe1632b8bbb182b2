/** Likes of posts. Each is counted in the write that makes it, and recorded in the change log. */
import { formatTimestamp } from '@broadside/core';
import { and, eq, getTableColumns } from 'drizzle-orm';
import { type Actor, recordChange } from '../db/change-log.ts';
import type { Reader, Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { countForPost } from './counters.ts';
import { likes } from './platform-table.ts';
import type { PostRow } from './store.ts';
import { mustSee } from './visibility.ts';

const insertLike = statement(getTableColumns(likes), (like) => query.insert(likes).values(like).onConflictDoNothing());
const findLike = statement({ post_id: likes.post_id, user_id: likes.user_id }, ({ post_id, user_id }) =>
  query
    .select({ user_id: likes.user_id })
    .from(likes)
    .where(and(eq(likes.post_id, post_id), eq(likes.user_id, user_id)))
    .limit(1),
);
const deleteLike = statement({ post_id: likes.post_id, user_id: likes.user_id }, ({ post_id, user_id }) =>
  query.delete(likes).where(and(eq(likes.post_id, post_id), eq(likes.user_id, user_id))),
);

/** Returns whether a person likes a post. */
export async function hasLiked(reader: Reader, user_id: bigint, post_id: bigint): Promise<boolean> {
  return (await findLike.first(reader, { post_id, user_id })) !== undefined;
}

/** A like that is made, or taken back. */
interface Liking {
  readonly post: PostRow;
  readonly user_id: bigint;
  readonly liked: boolean;
  readonly now_ms: number;
}

/** Likes a post for a person, or takes the like back. @returns whether anything changed. @throws PostRejectedError where they may not see it */
export async function setLiked(
  writer: Writer,
  actor: Actor,
  { post, user_id, liked, now_ms }: Liking,
): Promise<boolean> {
  if (liked) await mustSee(writer, 'post_id', post, user_id);
  const key = { post_id: post.id, user_id };
  const changed = liked
    ? await insertLike.run(writer, { ...key, created_ms: now_ms })
    : await deleteLike.run(writer, key);
  if (changed === 0) return false;
  await countForPost(writer, 'like_count', post.id, liked ? 1 : -1);
  const ids = { id: `${post.id}/${user_id}`, post_id: `${post.id}`, user_id: `${user_id}` };
  await recordChange(writer, actor, formatTimestamp(now_ms), {
    account_id: null,
    entity: 'LIKE',
    entity_id: ids.id,
    before: liked ? undefined : { ...ids, deleted: false },
    after: { ...ids, deleted: !liked },
  });
  return true;
}
