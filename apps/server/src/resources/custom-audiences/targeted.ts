/** The campaigns and line items in which an account targets an audience: specification B, Targeted audiences. */
import type { Page } from '@broadside/core';
import type { TargetedCampaign } from '@broadside/core/resources/custom-audiences';
import { isLineItemServable } from '@broadside/core/resources/line-items';
import type { AccountContext } from '../../pipeline/context.ts';
import { type CampaignRow, campaign, showCampaigns } from '../campaigns/find.ts';
import { campaignsOfLineItems, lineItem } from '../line-items/find.ts';
import { lineItemsOfAudience } from '../targeting-criteria/find.ts';

/** The list has no `count` (our choice: the default of others). */
const PAGE = 200;

interface TargetedQuery {
  /** Only line items that are served. */
  readonly with_active: boolean;
  readonly cursor?: string | undefined;
}

/**
 * Lists the campaigns of the account in which line items target an audience, the newest first. Our choice: those that leave it
 * out are listed too, because they depend on it alike; those that target it through a flexible audience are that one's.
 */
export async function listTargeted(
  context: Pick<AccountContext, 'account' | 'ads' | 'record'>,
  custom_audience_id: string,
  { with_active, cursor }: TargetedQuery,
): Promise<Page<TargetedCampaign>> {
  const { account } = context;
  const line_item_ids = await lineItemsOfAudience(account, custom_audience_id);
  const campaign_ids = await campaignsOfLineItems(account, line_item_ids);
  const data: TargetedCampaign[] = [];
  let next_cursor: string | null | undefined = cursor;
  do {
    const page: Page<CampaignRow> = await account.of(campaign).list({
      campaign_ids,
      count: PAGE - data.length,
      with_deleted: false,
      with_draft: !with_active,
      with_total_count: false,
      ...(next_cursor === undefined ? {} : { cursor: next_cursor }),
    });
    data.push(...(await lineItemsIn(context, page.data, line_item_ids, with_active)));
    next_cursor = page.next_cursor;
  } while (next_cursor !== null && data.length < PAGE);
  return { data, next_cursor };
}

/** Adds the line items to campaigns, and leaves campaigns without any out. */
async function lineItemsIn(
  { account, ads, record }: Pick<AccountContext, 'account' | 'ads' | 'record'>,
  campaigns: readonly CampaignRow[],
  line_item_ids: readonly string[],
  with_active: boolean,
): Promise<TargetedCampaign[]> {
  const campaign_ids = campaigns.map(({ id }) => id);
  const found = await account.of(lineItem).every({ campaign_ids, line_item_ids, with_draft: !with_active });
  const byCampaign = Map.groupBy(found, ({ campaign_id }) => campaign_id);
  const now = ads.now();
  const show = await showCampaigns(account, record, now, campaigns);
  return campaigns.flatMap((row) => {
    const shown = show(row);
    const line_items = (byCampaign.get(row.id) ?? []).flatMap((item) => {
      const servable = isLineItemServable(item, shown, now);
      return servable || !with_active ? [{ id: item.id, name: item.name, servable }] : [];
    });
    return line_items.length > 0 ? [{ campaign_id: row.id, campaign_name: row.name, line_items }] : [];
  });
}
