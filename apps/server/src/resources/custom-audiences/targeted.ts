/** The campaigns and line items in which an account targets an audience: specification B, Targeted audiences. */
import type { Page } from '@broadside/core';
import type { TargetedCampaign } from '@broadside/core/resources/custom-audiences';
import { isLineItemServable } from '@broadside/core/resources/line-items';
import { type Awaitable, chain, together } from '../../awaitable.ts';
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
export function listTargeted(
  context: Pick<AccountContext, 'account' | 'ads' | 'record'>,
  custom_audience_id: string,
  { with_active, cursor }: TargetedQuery,
): Awaitable<Page<TargetedCampaign>> {
  const { account } = context;
  return chain(lineItemsOfAudience(account, custom_audience_id), (line_item_ids) =>
    chain(campaignsOfLineItems(account, line_item_ids), (campaign_ids) => {
      const read = (found: readonly TargetedCampaign[], after?: string): Awaitable<Page<TargetedCampaign>> => {
        const page = account.of(campaign).list({
          campaign_ids,
          count: PAGE - found.length,
          with_deleted: false,
          with_draft: !with_active,
          with_total_count: false,
          ...(after === undefined ? {} : { cursor: after }),
        });
        return chain(page, (campaigns) =>
          chain(lineItemsIn(context, campaigns.data, line_item_ids, with_active), (more) => {
            const data = [...found, ...more];
            const { next_cursor } = campaigns;
            return next_cursor === null || data.length === PAGE ? { data, next_cursor } : read(data, next_cursor);
          }),
        );
      };
      return read([], cursor);
    }),
  );
}

/** Adds the line items to campaigns, and leaves campaigns without any out. */
function lineItemsIn(
  { account, ads, record }: Pick<AccountContext, 'account' | 'ads' | 'record'>,
  campaigns: readonly CampaignRow[],
  line_item_ids: readonly string[],
  with_active: boolean,
): Awaitable<TargetedCampaign[]> {
  const campaign_ids = campaigns.map(({ id }) => id);
  const now = ads.now();
  const read = together([
    account.of(lineItem).every({ campaign_ids, line_item_ids, with_draft: !with_active }),
    showCampaigns(account, record, now, campaigns),
  ]);
  return chain(read, ([found, show]) => {
    const byCampaign = Map.groupBy(found, ({ campaign_id }) => campaign_id);
    return campaigns.flatMap((row) => {
      const shown = show(row);
      const line_items = (byCampaign.get(row.id) ?? []).flatMap((item) => {
        const servable = isLineItemServable(item, shown, now);
        return servable || !with_active ? [{ id: item.id, name: item.name, servable }] : [];
      });
      return line_items.length > 0 ? [{ campaign_id: row.id, campaign_name: row.name, line_items }] : [];
    });
  });
}
