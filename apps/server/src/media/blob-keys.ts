/** The names of all blobs that rows of a platform refer to, for those who look after the bytes. */
import { and, isNotNull, not, sql } from 'drizzle-orm';
import type { Reader } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { isErased } from './erased.ts';
import { media, mediaSegments } from './platform-table.ts';

const ofMedia = statement({}, () =>
  query
    .select({ id: media.id, blob_key: media.blob_key, preview_blob_key: media.preview_blob_key })
    .from(media)
    .where(and(isNotNull(media.blob_key), not(isErased))),
);
const ofSegments = statement({}, () =>
  query.select({ id: mediaSegments.media_id, blob_key: mediaSegments.blob_key }).from(mediaSegments).where(sql`true`),
);

/** Returns the blobs that rows refer to, each with the id of a medium that does. */
export async function blobKeys(reader: Reader): Promise<Map<string, bigint>> {
  const found = new Map<string, bigint>();
  for (const { id, blob_key, preview_blob_key } of await ofMedia.all(reader)) {
    for (const key of [blob_key, preview_blob_key]) if (key !== null) found.set(key, BigInt(id));
  }
  for (const { id, blob_key } of await ofSegments.all(reader)) found.set(blob_key, BigInt(id));
  return found;
}
