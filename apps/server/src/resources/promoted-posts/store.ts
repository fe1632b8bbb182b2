import { sql } from 'drizzle-orm';
import type { Reader } from '../../db/database.ts';
import { always, amongIds, EntityQueries } from '../../db/entity-table.ts';
import { accountScope } from '../../world/account-scope.ts';
import { promotedPosts } from './table.ts';

/** A promoted post as stored. */
export type PromotedPostRow = typeof promotedPosts.$inferSelect;

export const promotedPostQueries = new EntityQueries(
  promotedPosts,
  accountScope(promotedPosts.account_id),
  {
    line_item_ids: amongIds('line_item_ids', promotedPosts.line_item_id),
    promoted_post_ids: amongIds('promoted_post_ids', promotedPosts.id),
    not_deleted: always(sql`${promotedPosts.deleted} = 0 AND ${promotedPosts.parent_deleted} = 0`),
  },
  ['paused', 'parent_deleted'],
);

const OF_POST = `SELECT "id" FROM "promoted_posts"
  WHERE "account_id" = ? AND "line_item_id" = ? AND "post_id" = ? AND "deleted" = 0 LIMIT 1`;

/** What promotes a post on a line item now. */
export async function promotedPostOf(
  reader: Reader,
  account_id: string,
  line_item_id: string,
  post_id: string,
): Promise<PromotedPostRow | undefined> {
  const [row] = await reader.query(OF_POST, [account_id, line_item_id, post_id]);
  return row && promotedPostQueries.get(reader, account_id, String(row[0]));
}
