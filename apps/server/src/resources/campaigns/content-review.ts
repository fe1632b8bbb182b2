import type { Writer } from '../../db/database.ts';

/** The tables of what is reviewed before it is shown. */
const reviewedTables = ['promoted_posts', 'promoted_accounts', 'media_creatives'] as const;

const CREATIVES = reviewedTables
  .map(
    (
      table,
    ) => `SELECT "approval_status" FROM "${table}" WHERE "account_id" = ? AND "deleted" = 0 AND "parent_deleted" = 0
      AND "line_item_id" IN (SELECT "id" FROM "line_items" WHERE "account_id" = ? AND "campaign_id" = ?)`,
  )
  .join(' UNION ALL ');

const SET = `UPDATE "campaigns" SET "content_review_problem" =
    (SELECT count(*) > 0 AND coalesce(sum("approval_status" = 'ACCEPTED'), 0) = 0 FROM (${CREATIVES}))
  WHERE "account_id" = ? AND "id" = ? AND "deleted" = 0`;

/** Writes down whether a campaign has something to show and nothing of it was accepted. Derived, so it is no change of the campaign. */
export async function setContentReview(writer: Writer, account_id: string, campaign_id: string): Promise<void> {
  const places = reviewedTables.flatMap(() => [account_id, account_id, campaign_id]);
  await writer.run(SET, [...places, account_id, campaign_id]);
}
