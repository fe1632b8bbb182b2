import type { Reject } from '@broadside/core';
import { checkActiveCampaigns } from '@broadside/core/resources/campaigns';
import { and, count, eq, gt, inArray, isNull, or } from 'drizzle-orm';
import { type Awaitable, chain } from '../../awaitable.ts';
import { query } from '../../db/query-builder.ts';
import { statement } from '../../db/statement.ts';
import { types } from '../../db/value-types.ts';
import type { AccountRow } from '../../world/account-directory.ts';
import type { AccountReader, AccountWriter } from '../../world/account-store.ts';
import { type CampaignRow, campaign } from './entity.ts';
import { campaigns } from './table.ts';

export { contentAccepted, reviewContent } from './content-review.ts';
export { type CampaignRow, campaign } from './entity.ts';
export { showCampaign, showCampaigns } from './show.ts';

/** Returns the campaign with an id. */
export function findCampaign(
  reject: Reject<'CAMPAIGN_NOT_FOUND'>,
  account: AccountReader,
  id: string,
  with_deleted = false,
): Awaitable<CampaignRow> {
  return account.of(campaign).find(reject, id, with_deleted);
}

/** Returns the campaign of a stored child, deleted or not. It always exists: campaigns are never removed. */
export async function campaignOf(
  account: AccountReader,
  { campaign_id }: { readonly campaign_id: string },
): Promise<CampaignRow> {
  const row = await account.of(campaign).get(campaign_id);
  if (!row) throw new TypeError(`there is no campaign ${campaign_id}`);
  return row;
}

const { account_id, deleted, entity_status, flight_end, line_item_count } = campaigns;

/**
 * Counts the active campaigns of an account; the same decision for one campaign is `countsAsActive` in core. Without line
 * items a campaign has no end, so it cannot have ended.
 */
const countActive = statement({ account_id, now: types.text }, (args) =>
  query
    .select({ active: count() })
    .from(campaigns)
    .where(
      and(
        eq(account_id, args.account_id),
        eq(deleted, false),
        inArray(entity_status, ['ACTIVE', 'PAUSED']),
        or(eq(line_item_count, 0), isNull(flight_end), gt(flight_end, args.now)),
      ),
    )
    .limit(1),
);

/** Rejects a change that exceeds the account's limit of active campaigns. */
export function checkCampaignLimit(
  reject: Reject<'TOO_MANY_CAMPAIGNS'>,
  account: AccountWriter,
  record: AccountRow,
): Awaitable<void> {
  return chain(account.first(countActive, { now: account.now }), (counted) =>
    reject.check(checkActiveCampaigns(counted?.active ?? 0, record.active_campaign_limit)),
  );
}
