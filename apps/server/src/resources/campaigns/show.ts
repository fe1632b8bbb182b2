import { type Campaign, type CampaignStatus, decideCampaignStatus } from '@broadside/core/resources/campaigns';
import { decideFunding } from '@broadside/core/resources/funding-instruments';
import { type Awaitable, chain, together } from '../../awaitable.ts';
import type { AccountRow } from '../../world/account-directory.ts';
import type { AccountReader } from '../../world/account-store.ts';
import { areSame, ShownRows } from '../../world/shown-rows.ts';
import { fundingInstrument } from '../funding-instruments/find.ts';
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
    const payers = new Map(
      instruments.flatMap((row) => {
        if (!row) return [];
        const funding = { ...decideFunding(row, now), start_time: row.start_time };
        return [[row.id, { funding, inputs: [record, row, now] }] as const];
      }),
    );
    return (row) => {
      const payer = payers.get(row.funding_instrument_id);
      return shown.show(row, payer?.inputs ?? [record, undefined, now], (last) => {
        const { line_item_count, flight_start, flight_end, content_review_problem } = row;
        const status = decideCampaignStatus(row, {
          account: record,
          funding: payer?.funding ?? { able_to_fund: false, start_time: row.created_at },
          line_item_count,
          flight_start,
          flight_end,
          content_review_problem,
          now,
        });
        return last && hasStatus(last, status) ? last : { ...row, ...status };
      });
    };
  });
}

function hasStatus(campaign: Campaign, { servable, effective_status, reasons_not_servable }: CampaignStatus): boolean {
  return (
    campaign.servable === servable &&
    campaign.effective_status === effective_status &&
    areSame(campaign.reasons_not_servable, reasons_not_servable)
  );
}
