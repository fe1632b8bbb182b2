/** Everything that is known of uploaded media, for those who use them by their key. */
import { sql } from 'drizzle-orm';
import type { Awaitable } from '../awaitable.ts';
import type { Reader } from '../db/database.ts';
import { rows, statement } from '../db/statement.ts';
import { types } from '../db/value-types.ts';
import { blobOfMedia, stateOfMedia } from './erased.ts';
import { media } from './platform-table.ts';

const listFacts = statement({ keys: types.texts }, ({ keys }) =>
  rows(
    {
      media_key: media.media_key,
      owner_user_id: sql`${media.owner_user_id}`.mapWith(String),
      /** Ids of additional users who may use them. */
      additional_owners: media.additional_owners,
      category: media.category,
      state: stateOfMedia,
      kind: media.kind,
      content_type: media.content_type,
      /** The size of the file. */
      bytes: media.total_bytes,
      width: media.width,
      height: media.height,
      duration_ms: media.duration_ms,
      blob_key: blobOfMedia,
      preview_blob_key: media.preview_blob_key,
      posted: media.posted,
      expires_ms: media.expires_ms,
    },
    (columns) =>
      sql`SELECT ${columns} FROM json_each(${keys}) AS wanted CROSS JOIN ${media} ON ${media.media_key} = wanted.value`,
  ),
);

/** Media as they are stored, in any state of their upload. */
export type MediaFactsRow = Awaited<ReturnType<typeof listFacts.all>>[number];

/** Returns what is known of media, in no order; keys of none are left out. */
export function readFacts(reader: Reader, keys: readonly string[]): Awaitable<MediaFactsRow[]> {
  return keys.length === 0 ? [] : listFacts.all(reader, { keys });
}

/** Returns a path that leads nowhere, for media whose bytes were erased. */
export function erasedPath(media_key: string): string {
  return mediaPath(`erased_${media_key}`);
}

/** Returns the path on the first port of a file of media. */
export function mediaPath(blob_key: string): string {
  return `/media/${blob_key}`;
}
