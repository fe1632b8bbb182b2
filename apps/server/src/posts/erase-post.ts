/** Statements that delete posts for good. */
import { eq } from 'drizzle-orm';
import type { Reader, Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { deleteDecision, releaseAll } from '../moderation/statements.ts';
import { likes, posts } from './platform-table.ts';

const listReposts = statement({ id: posts.id }, ({ id }) =>
  query.select({ id: posts.id }).from(posts).where(eq(posts.reposted_id, id)),
);
const deletePost = statement(
  { id: posts.id },
  ({ id }) => query.delete(posts).where(eq(posts.id, id)),
  ({ id }) => `${id}`,
);
const deleteLikes = statement({ post_id: likes.post_id }, ({ post_id }) =>
  query.delete(likes).where(eq(likes.post_id, post_id)),
);

/** Returns the ids of the reposts of a post, deleted ones too: their texts are that of the post. */
export async function listAllReposts(reader: Reader, id: bigint): Promise<bigint[]> {
  return (await listReposts.all(reader, { id })).map((repost) => repost.id);
}

/** Deletes the row of a post, its likes, and what the operator held against it. */
export async function erasePost(writer: Writer, id: bigint): Promise<void> {
  await deletePost.run(writer, { id });
  await deleteLikes.run(writer, { post_id: id });
  await deleteDecision.run(writer, { post_id: id });
  await releaseAll.run(writer, { post_id: id });
}
