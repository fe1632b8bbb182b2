import { aspectRatio, type LibraryMedia, stillKeyOf } from '@broadside/core/resources/media-library';
import { type Awaitable, chain } from '../../awaitable.ts';
import type { Context } from '../../pipeline/context.ts';
import { ShownRows } from '../../world/shown-rows.ts';
import type { LibraryMediaRow } from './entity.ts';
import { type LibraryFacts, libraryFacts } from './facts.ts';

/** Returns records as callers see them. */
export function showLibrary(
  { world, baseUrl }: Pick<Context, 'world' | 'baseUrl'>,
  rows: readonly LibraryMediaRow[],
): Awaitable<LibraryMedia[]> {
  const keys = rows.flatMap(({ id, poster_media_key }) => (poster_media_key === null ? [id] : [id, poster_media_key]));
  return chain(libraryFacts(world, keys), (facts) =>
    // The bytes of media in a library are kept until the person who uploaded them is deleted.
    rows.flatMap((row) => {
      const media = facts.get(row.id);
      const poster = row.poster_media_key === null ? undefined : facts.get(row.poster_media_key);
      return media
        ? [
            remembered.show(row, [baseUrl, media, poster], () =>
              shown(row, media, poster, (path) => `${baseUrl}${path}`),
            ),
          ]
        : [];
    }),
  );
}

const remembered = new ShownRows<LibraryMediaRow, LibraryMedia>();

function shown(
  row: LibraryMediaRow,
  media: LibraryFacts,
  given: LibraryFacts | undefined,
  urlOf: (path: string) => string,
): LibraryMedia {
  const { name, file_name, created_at, updated_at, deleted } = row;
  const { media_key, media_type, media_category, path, posted, width, height } = media;
  const common = {
    media_key,
    media_type,
    media_category,
    media_status: 'TRANSCODE_COMPLETED',
    media_url: urlOf(path),
    name,
    file_name,
    posted,
    created_at,
    updated_at,
    deleted,
  } as const;
  if (media_type === 'IMAGE') return common;
  const poster = given?.path ?? media.still_path;
  return {
    ...common,
    title: row.title,
    description: row.description,
    duration: media_type === 'VIDEO' ? media.duration_ms : null,
    aspect_ratio: aspectRatio(width, height),
    poster_media_key: row.poster_media_key ?? stillKeyOf(media_key),
    poster_media_url: poster === null ? null : urlOf(poster),
  };
}
