import { type Campaign, decideCampaignStatus } from '@broadside/core/resources/campaigns';
import { decideFunding } from '@broadside/core/resources/funding-instruments';
import type { AccountRow } from '../../world/account-directory.ts';
import type { AccountReader } from '../../world/account-store.ts';
import { fundingInstrument } from '../funding-instruments/find.ts';
import type { CampaignRow } from './entity.ts';

/** Returns a function that shows campaigns at a time: whether one is served is derived from related entities. */
export async function showCampaigns(
  account: AccountReader,
  record: AccountRow,
  now: string,
  rows: readonly CampaignRow[],
) {
  const ids = [...new Set(rows.map((row) => row.funding_instrument_id))];
  const instruments = await Promise.all(ids.map((id) => account.of(fundingInstrument).get(id)));
  const funding = new Map(
    instruments.flatMap((row) =>
      row ? [[row.id, { ...decideFunding(row, now), start_time: row.start_time }] as const] : [],
    ),
  );
  return (row: CampaignRow): Campaign => {
    const { line_item_count, flight_start, flight_end, content_review_problem } = row;
    const paying = funding.get(row.funding_instrument_id) ?? { able_to_fund: false, start_time: row.created_at };
    const status = decideCampaignStatus(row, {
      account: record,
      funding: paying,
      line_item_count,
      flight_start,
      flight_end,
      content_review_problem,
      now,
    });
    return Object.assign(row, status);
  };
}
