import { sql } from 'drizzle-orm';
import { textOrNull } from '../../db/cells.ts';
import type { Reader, Writer } from '../../db/database.ts';
import { always, amongIds, beginsWith, EntityQueries } from '../../db/entity-table.ts';
import { accountScope } from '../../world/account-scope.ts';
import { lineItems } from './table.ts';

/** A line item as it is stored. */
export type LineItemRow = typeof lineItems.$inferSelect;

export const lineItemQueries = new EntityQueries(
  lineItems,
  accountScope(lineItems.account_id),
  {
    campaign_ids: amongIds('campaign_ids', lineItems.campaign_id),
    funding_instrument_ids: amongIds('funding_instrument_ids', lineItems.funding_instrument_id),
    line_item_ids: amongIds('line_item_ids', lineItems.id),
    q: beginsWith(lineItems.name_folded),
    not_deleted: always(sql`${lineItems.deleted} = 0 AND ${lineItems.parent_deleted} = 0`),
    not_draft: always(sql`${lineItems.entity_status} <> 'DRAFT'`),
  },
  ['name_folded', 'parent_deleted'],
);

const COUNT_ACTIVE = `SELECT count(*) FROM "line_items"
  WHERE "account_id" = ? AND "deleted" = 0 AND "parent_deleted" = 0 AND "entity_status" IN ('ACTIVE', 'PAUSED')
    AND ("end_time" IS NULL OR "end_time" > ?)`;

/** The number of active line items of an account; the decision for one is `countsAsActiveLineItem` in core. */
export async function countActiveLineItems(reader: Reader, account_id: string, now: string): Promise<number> {
  const [row] = await reader.query(COUNT_ACTIVE, [account_id, now]);
  return Number(row?.[0] ?? 0);
}

const SUM_UP = `SELECT count(*), coalesce(sum("entity_status" <> 'DRAFT'), 0),
    min(CASE WHEN "entity_status" <> 'DRAFT' THEN "start_time" END),
    CASE WHEN sum("entity_status" <> 'DRAFT' AND "end_time" IS NULL) = 0
      THEN max(CASE WHEN "entity_status" <> 'DRAFT' THEN "end_time" END) END
  FROM "line_items" WHERE "account_id" = ? AND "campaign_id" = ? AND "deleted" = 0`;

/** What the line items of a campaign add up to. Those in DRAFT make no campaign complete and have no flight yet. */
export interface Flights {
  /** Line items that are neither deleted nor drafts. */
  readonly line_item_count: number;
  /** The earliest start of those. */
  readonly flight_start: string | null;
  /** The latest end of those; null while one has no end. */
  readonly flight_end: string | null;
  /** Line items that are not deleted, drafts among them. */
  readonly in_campaign: number;
}

export async function sumUpLineItems(reader: Reader, account_id: string, campaign_id: string): Promise<Flights> {
  const [row] = await reader.query(SUM_UP, [account_id, campaign_id]);
  const [in_campaign, count, start, end] = row ?? [];
  return {
    in_campaign: Number(in_campaign ?? 0),
    line_item_count: Number(count ?? 0),
    flight_start: textOrNull(start),
    flight_end: textOrNull(end),
  };
}

const SIBLING = `SELECT "id" FROM "line_items"
  WHERE "account_id" = ? AND "campaign_id" = ? AND "deleted" = 0 AND "id" <> ? LIMIT 1`;

/** Another line item of the campaign than the one with an id; `undefined` when there is none. */
export async function siblingOf(reader: Reader, account_id: string, campaign_id: string, id: string) {
  const [row] = await reader.query(SIBLING, [account_id, campaign_id, id]);
  return row && lineItemQueries.get(reader, account_id, String(row[0]));
}

/** Hides the line items of a campaign that is being deleted; their own state stays as it is. */
export async function hideLineItems(writer: Writer, account_id: string, campaign_id: string): Promise<void> {
  await writer.run('UPDATE "line_items" SET "parent_deleted" = 1 WHERE "account_id" = ? AND "campaign_id" = ?', [
    account_id,
    campaign_id,
  ]);
}
