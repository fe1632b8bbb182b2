/**
 * Limits what a user keeps in the media store without using it: unfinished uploads, and media that nothing shows. They count until
 * something uses them, or until they expire.
 */
import type { Quotas } from '@broadside/core';
import { and, eq, gt, sql } from 'drizzle-orm';
import type { Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { types } from '../db/value-types.ts';
import { media } from './platform-table.ts';
import { UploadRejectedError } from './upload.ts';

const unusedOf = statement({ owner_user_id: types.long, now: types.int }, ({ owner_user_id, now }) =>
  query
    .select({
      unfinished: sql<number>`coalesce(sum(${media.state} = 'receiving'), 0)`.mapWith(Number).as('unfinished'),
      unused: sql<number>`count(*)`.mapWith(Number).as('unused'),
      bytes: sql<number>`coalesce(sum(${media.total_bytes}), 0)`.mapWith(Number).as('bytes'),
    })
    .from(media)
    .where(and(eq(media.owner_user_id, owner_user_id), gt(media.expires_ms, now)))
    .limit(1),
);

/**
 * Verifies that a user may add an upload.
 * @param now the time of the world, in milliseconds
 * @throws UploadRejectedError with the limit
 */
export async function verifyQuota(
  writer: Writer,
  { unfinished_uploads, unused_media, unused_media_bytes }: Quotas,
  owner_user_id: bigint,
  { state, total_bytes }: { readonly state: string; readonly total_bytes: number },
  now: number,
): Promise<void> {
  const held = await unusedOf.first(writer, { owner_user_id, now });
  if (!held) return;
  if (state === 'receiving' && held.unfinished >= unfinished_uploads) {
    throw overQuota(`You have ${unfinished_uploads} unfinished uploads, the most that one user may have`);
  }
  if (held.unused >= unused_media)
    throw overQuota(`You have ${unused_media} media that nothing uses, the most that one user may have`);
  if (held.bytes + total_bytes > unused_media_bytes) {
    throw overQuota(
      `Media that nothing uses may have ${unused_media_bytes} bytes for one user, and you have ${held.bytes}`,
    );
  }
}

function overQuota(reason: string): UploadRejectedError {
  return new UploadRejectedError('invalid', 'media', `${reason}; finish or use some, or wait until they expire`);
}
