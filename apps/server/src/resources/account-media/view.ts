import type { AccountMedia } from '@broadside/core/resources/account-media';
import { type Awaitable, chain } from '../../awaitable.ts';
import type { RowOf } from '../../db/entity.ts';
import { mediaPath } from '../../media/media-facts.ts';
import type { Context } from '../../pipeline/context.ts';
import { ShownRows } from '../../world/shown-rows.ts';
import type { accountMedia } from './entity.ts';

export type AccountMediaRow = RowOf<typeof accountMedia>;

const shown = new ShownRows<AccountMediaRow, AccountMedia>();

/** Returns account media as callers see them: with the key of a video, or the address of an image. */
export function showAllAccountMedia(
  { world, baseUrl }: Pick<Context, 'world' | 'baseUrl'>,
  rows: readonly AccountMediaRow[],
): Awaitable<AccountMedia[]> {
  return chain(world.media.facts(rows.map(({ media_key }) => media_key)), (facts) =>
    rows.map((row) => {
      const own = facts.get(row.media_key);
      return shown.show(row, [baseUrl, own], () => {
        const isVideo = row.creative_type === 'PREROLL' || row.creative_type === 'VAST_PREROLL';
        const blob_key = isVideo ? undefined : own?.blob_key;
        return {
          ...row,
          video_id: isVideo ? row.media_key : null,
          media_url: blob_key ? `${baseUrl}${mediaPath(blob_key)}` : null,
        };
      });
    }),
  );
}
