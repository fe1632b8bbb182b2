import type { AccountMedia } from '@broadside/core/resources/account-media';
import type { RowOf } from '../../db/entity.ts';
import { mediaPath } from '../../media/media-facts.ts';
import type { Context } from '../../pipeline/context.ts';
import type { accountMedia } from './entity.ts';

export type AccountMediaRow = RowOf<typeof accountMedia>;
type Shown = Pick<Context, 'world' | 'baseUrl'>;

/** Returns account media as callers see them: with the key of a video, or the address of an image. */
export async function showAllAccountMedia(
  { world, baseUrl }: Shown,
  rows: readonly AccountMediaRow[],
): Promise<AccountMedia[]> {
  const facts = await world.media.facts(rows.map(({ media_key }) => media_key));
  return rows.map((row) => {
    const { media_key, creative_type } = row;
    const isVideo = creative_type === 'PREROLL' || creative_type === 'VAST_PREROLL';
    const blob_key = isVideo ? undefined : facts.get(media_key)?.blob_key;
    return {
      ...row,
      video_id: isVideo ? media_key : null,
      media_url: blob_key ? `${baseUrl}${mediaPath(blob_key)}` : null,
    };
  });
}

/** The same for one. */
export async function showAccountMedia(context: Shown, row: AccountMediaRow): Promise<AccountMedia> {
  const [shown] = await showAllAccountMedia(context, [row]);
  if (!shown) throw new TypeError('as many account media are shown as are given');
  return shown;
}
