/** The media that a new post shows. */
import { isStorable } from '@broadside/core';
import { eq } from 'drizzle-orm';
import type { Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { media } from '../media/platform-table.ts';
import { keepMedia } from '../media/store.ts';
import { type NewPost, PostRejectedError } from './new-post.ts';

/** Maximum number of media of each kind in a post (specification B, Limits). */
const MAX_PHOTOS = 4;

const findMedia = statement({ media_key: media.media_key }, ({ media_key }) =>
  query
    .select({
      kind: media.kind,
      state: media.state,
      owner_user_id: media.owner_user_id,
      additional_owners: media.additional_owners,
    })
    .from(media)
    .where(eq(media.media_key, media_key))
    .limit(1),
);

/** Checks that the author may use the media, and keeps them from expiring. @throws PostRejectedError */
export async function attachMedia(writer: Writer, { author_id, media_keys = [] }: NewPost): Promise<void> {
  const kinds: string[] = [];
  for (const media_key of media_keys) {
    const found = isStorable(media_key) ? await findMedia.first(writer, { media_key }) : undefined;
    if (!found || ![`${found.owner_user_id}`, ...found.additional_owners].includes(author_id)) {
      throw new PostRejectedError('media_keys', 'not_found', `The author has no media ${media_key}`);
    }
    if (found.state !== 'succeeded') {
      throw new PostRejectedError('media_keys', 'invalid', `The media ${media_key} are not ready: ${found.state}`);
    }
    kinds.push(found.kind ?? 'photo');
  }
  const photos = kinds.filter((kind) => kind === 'photo').length;
  if (kinds.length > MAX_PHOTOS || (photos < kinds.length && kinds.length > 1)) {
    throw new PostRejectedError(
      'media_keys',
      'invalid',
      `A post holds up to ${MAX_PHOTOS} images, or one animated GIF, or one video`,
    );
  }
  for (const media_key of media_keys) await keepMedia(writer, media_key);
}
