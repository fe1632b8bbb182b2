import { type Campaign, type CampaignStatus, decideCampaignStatus } from '@broadside/core/resources/campaigns';
import { decideFunding } from '@broadside/core/resources/funding-instruments';
import { type Awaitable, chain, together } from '../../awaitable.ts';
import type { AccountRow } from '../../world/account-directory.ts';
import type { AccountReader } from '../../world/account-store.ts';
import { areSame, ShownRows } from '../../world/shown-rows.ts';
import { type FundingInstrumentRow, fundingInstrument } from '../funding-instruments/find.ts';
import type { CampaignRow } from './entity.ts';

const shown = new ShownRows<CampaignRow, Campaign>();

/** Returns a function that shows campaigns at a time: whether one is served is derived from related entities. */
export function showCampaigns(
  account: AccountReader,
  record: AccountRow,
  now: string,
  rows: readonly CampaignRow[],
): Awaitable<(row: CampaignRow) => Campaign> {
  const ids = new Set<string>();
  for (const row of rows) ids.add(row.funding_instrument_id);
  return chain(together([...ids].map((id) => account.of(fundingInstrument).get(id))), (instruments) => {
    const payers = new Map<string, Inputs>();
    for (const row of instruments) if (row) payers.set(row.id, [record, row, now]);
    return (row) => show(row, payers.get(row.funding_instrument_id) ?? [record, undefined, now]);
  });
}

/** Shows one campaign. */
export function showCampaign(
  account: AccountReader,
  record: AccountRow,
  now: string,
  row: CampaignRow,
): Awaitable<Campaign> {
  return chain(account.of(fundingInstrument).get(row.funding_instrument_id), (payer) =>
    show(row, [record, payer, now]),
  );
}

/** All that what is shown of a row depends on beside it. */
type Inputs = readonly [record: AccountRow, payer: FundingInstrumentRow | undefined, now: string];

function show(row: CampaignRow, inputs: Inputs): Campaign {
  return shown.show(row, inputs, (last) => {
    const [account, payer, now] = inputs;
    const {
      line_item_count,
      flight_start,
      flight_end,
      content_review_problem,
      line_items_spent_until,
      awaiting_approval,
    } = row;
    const status = decideCampaignStatus(row, {
      account,
      funding: payer
        ? { ...decideFunding(payer, now), start_time: payer.start_time }
        : { able_to_fund: false, start_time: row.created_at },
      line_item_count,
      flight_start,
      flight_end,
      content_review_problem,
      spent: row,
      line_items_spent_until,
      awaiting_approval,
      now,
    });
    return last && hasStatus(last, status) ? last : { ...row, ...status };
  });
}

function hasStatus(campaign: Campaign, { servable, effective_status, reasons_not_servable }: CampaignStatus): boolean {
  return (
    campaign.servable === servable &&
    campaign.effective_status === effective_status &&
    areSame(campaign.reasons_not_servable, reasons_not_servable)
  );
}
