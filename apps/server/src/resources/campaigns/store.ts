import { sql } from 'drizzle-orm';
import type { Reader, Writer } from '../../db/database.ts';
import { always, amongIds, beginsWith, EntityQueries } from '../../db/entity-table.ts';
import { accountScope } from '../../world/account-scope.ts';
import type { Flights } from '../line-items/store.ts';
import { campaigns } from './table.ts';

/** A campaign as it is stored, with the sums of its line items. */
export type CampaignRow = typeof campaigns.$inferSelect;

export const campaignQueries = new EntityQueries(
  campaigns,
  accountScope(campaigns.account_id),
  {
    campaign_ids: amongIds('campaign_ids', campaigns.id),
    funding_instrument_ids: amongIds('funding_instrument_ids', campaigns.funding_instrument_id),
    q: beginsWith(campaigns.name_folded),
    not_deleted: always(sql`${campaigns.deleted} = 0`),
    not_draft: always(sql`${campaigns.entity_status} <> 'DRAFT'`),
  },
  ['name_folded', 'line_item_count', 'flight_start', 'flight_end', 'content_review_problem'],
);

// Without line items a campaign has no end, so it cannot have ended.
const COUNT_ACTIVE = `SELECT count(*) FROM "campaigns"
  WHERE "account_id" = ? AND "deleted" = 0 AND "entity_status" IN ('ACTIVE', 'PAUSED')
    AND ("line_item_count" = 0 OR "flight_end" IS NULL OR "flight_end" > ?)`;

/** The number of active campaigns of an account; the same decision for one campaign is `countsAsActive` in core. */
export async function countActiveCampaigns(reader: Reader, account_id: string, now: string): Promise<number> {
  const [row] = await reader.query(COUNT_ACTIVE, [account_id, now]);
  return Number(row?.[0] ?? 0);
}

/** Writes down what the line items of a campaign add up to. Derived, so it is no change of the campaign itself. */
export async function setFlights(
  writer: Writer,
  account_id: string,
  campaign_id: string,
  { line_item_count, flight_start, flight_end }: Flights,
): Promise<void> {
  await writer.run(
    'UPDATE "campaigns" SET "line_item_count" = ?, "flight_start" = ?, "flight_end" = ? WHERE "account_id" = ? AND "id" = ?',
    [line_item_count, flight_start, flight_end, account_id, campaign_id],
  );
}
