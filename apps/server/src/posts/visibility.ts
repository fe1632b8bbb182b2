/** Visibility of posts to a person, and permission to reply. */
import type { Reader } from '../db/database.ts';
import { PostRejectedError } from './new-post.ts';
import { guardsOf, isTakenFrom, type PostRow, readFollowed } from './store.ts';

/** @throws PostRejectedError when a person may not see a post */
export async function mustSee(
  reader: Reader,
  parameter: PostRejectedError['parameter'],
  post: PostRow,
  user_id: bigint,
): Promise<void> {
  if (isTakenFrom(post, user_id)) {
    throw new PostRejectedError(parameter, 'not_allowed', 'The post was taken down; only its author sees it');
  }
  const guards = guardsOf(post).filter((id) => id !== user_id);
  const followed = await readFollowed(reader, user_id, guards);
  if (guards.every((id) => followed.has(id))) return;
  throw new PostRejectedError(
    parameter,
    'not_allowed',
    'Only approved followers see a post of a protected user, and nobody one of a suspended user',
  );
}

/** The people whose replies a post takes, when this person is not among them; `undefined` when they may reply. */
export async function replyRestriction(
  reader: Reader,
  parent: PostRow,
  author_id: bigint,
): Promise<string | undefined> {
  switch (parent.reply_settings) {
    case 'everyone':
      return undefined;
    case 'following':
      return (await readFollowed(reader, parent.author_id, [author_id])).has(author_id)
        ? undefined
        : 'people whom they follow';
    default:
      return parent.entities?.includes(`"id":"${author_id}"`) ? undefined : 'people whom it mentions';
  }
}
