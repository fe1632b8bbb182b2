import { and, eq } from 'drizzle-orm';
import { query } from '../../db/query-builder.ts';
import { statement } from '../../db/statement.ts';
import type { AccountWriter } from '../../world/account-store.ts';
import { reviewContentOf } from '../line-items/find.ts';
import { mediaCreatives } from './table.ts';

export { mediaCreative } from './entity.ts';
export { mediaCreatives } from './table.ts';

const { account_id, account_media_id, deleted, line_item_id, parent_deleted } = mediaCreatives;

const listShowing = statement({ account_id, account_media_id }, (args) =>
  query
    .selectDistinct({ line_item_id })
    .from(mediaCreatives)
    .where(
      and(
        eq(account_id, args.account_id),
        eq(account_media_id, args.account_media_id),
        eq(deleted, false),
        eq(parent_deleted, false),
      ),
    ),
);
const hideShowing = statement({ account_id, account_media_id }, (args) =>
  query
    .update(mediaCreatives)
    .set({ parent_deleted: true })
    .where(and(eq(account_id, args.account_id), eq(account_media_id, args.account_media_id), eq(deleted, false))),
);

/** Hides the media creatives that show account media, when those are deleted. */
export async function hideCreativesOf(writer: AccountWriter, account_media_id: string): Promise<void> {
  const showing = await writer.all(listShowing, { account_media_id });
  await writer.run(hideShowing, { account_media_id });
  for (const { line_item_id } of showing) await reviewContentOf(writer, line_item_id);
}
