/** The media that a new post shows. */
import { isStorable } from '@broadside/core';
import type { MediaKind } from '@broadside/core/resources/media';
import { checkMediaMix } from '@broadside/core/resources/posts';
import { eq } from 'drizzle-orm';
import type { Reader, Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { stateOfMedia } from '../media/erased.ts';
import { media } from '../media/platform-table.ts';
import { markPosted } from '../media/store.ts';
import { type NewPost, PostRejectedError } from './new-post.ts';

const findMedia = statement({ media_key: media.media_key }, ({ media_key }) =>
  query
    .select({
      kind: media.kind,
      state: stateOfMedia,
      owner_user_id: media.owner_user_id,
      additional_owners: media.additional_owners,
    })
    .from(media)
    .where(eq(media.media_key, media_key))
    .limit(1),
);

/** The media of a new post, and who may use them. */
type Attached = Pick<NewPost, 'author_id' | 'media_keys' | 'library_media'>;

/** Checks that the author may use the media together. @throws PostRejectedError */
export async function checkMedia(
  reader: Reader,
  { author_id, media_keys = [], library_media }: Attached,
): Promise<void> {
  const kinds: MediaKind[] = [];
  for (const media_key of media_keys) {
    const found = isStorable(media_key) ? await findMedia.first(reader, { media_key }) : undefined;
    const isOwned = found && [`${found.owner_user_id}`, ...found.additional_owners].includes(author_id);
    if (!found || found.state === 'erased' || !(isOwned || library_media?.has(media_key))) {
      throw new PostRejectedError('media_keys', 'not_found', `The author has no media ${media_key}`);
    }
    if (found.state !== 'succeeded') {
      throw new PostRejectedError('media_keys', 'invalid', `The media ${media_key} are not ready: ${found.state}`);
    }
    kinds.push(found.kind ?? 'photo');
  }
  const [wrong] = checkMediaMix(kinds);
  if (wrong) throw new PostRejectedError('media_keys', 'invalid', wrong.message ?? wrong.error);
}

/** Checks that the author may use the media, and marks them as posted, which keeps them from expiring. @throws PostRejectedError */
export async function attachMedia(writer: Writer, post: Attached): Promise<void> {
  await checkMedia(writer, post);
  for (const media_key of post.media_keys ?? []) await markPosted(writer, media_key);
}
