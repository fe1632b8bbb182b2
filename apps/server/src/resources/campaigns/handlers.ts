import { type Campaign, type Contract, type ParamsOf, refuse } from '@broadside/core';
import {
  changeCampaign,
  checkActiveCampaigns,
  checkChangedCampaign,
  checkNewCampaign,
  countsAsActive,
  decideCampaignStatus,
  decideFunding,
  resolveCampaign,
} from '@broadside/core/rules';
import { foldName } from '../../db/entity-table.ts';
import { runItems } from '../../pipeline/batch.ts';
import type { AccountContext, HandlersOf } from '../../pipeline/context.ts';
import { found } from '../../pipeline/found.ts';
import { mapPage, pageOf } from '../../pipeline/page.ts';
import type { AccountReader, AccountWriter } from '../../world/account-store.ts';
import type { AccountRow } from '../accounts/store.ts';
import { findFundingInstrument } from '../funding-instruments/handlers.ts';
import type { CampaignRow } from './store.ts';

type Operations = Contract['campaigns'];
type BatchItem = ParamsOf<Operations['batch']>['operations'][number];

/** The campaign with an id. @throws ApiError CAMPAIGN_NOT_FOUND */
export function findCampaign(account: AccountReader, id: string, withDeleted: boolean) {
  return found(account.campaigns.get(id), withDeleted, {
    error: 'CAMPAIGN_NOT_FOUND',
    parameter: 'campaign_id',
    value: id,
  });
}

/** Campaigns as they are shown at a time: whether one is served follows from what is around it. */
async function show(account: AccountReader, record: AccountRow, now: string, rows: readonly CampaignRow[]) {
  const ids = [...new Set(rows.map((row) => row.funding_instrument_id))];
  const instruments = await Promise.all(ids.map((id) => account.funding_instruments.get(id)));
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

async function showOne(account: AccountReader, record: AccountRow, now: string, row: CampaignRow): Promise<Campaign> {
  const campaign = await show(account, record, now, [row]);
  return campaign(row);
}

/** Refuses what would take the account above its limit of active campaigns. @throws ApiError TOO_MANY_CAMPAIGNS */
export async function checkCampaignLimit(account: AccountWriter, record: AccountRow): Promise<void> {
  refuse(checkActiveCampaigns(await account.activeCampaigns(account.now), record.active_campaign_limit));
}

type FundingInstrumentFinder = (id: string) => ReturnType<typeof findFundingInstrument>;

async function create(
  account: AccountWriter,
  record: AccountRow,
  params: ParamsOf<Operations['create']>,
  fundingInstrument: FundingInstrumentFinder,
) {
  const instrument = await fundingInstrument(params.funding_instrument_id);
  refuse(checkNewCampaign(params, instrument));
  const row = await account.campaigns.insert({
    ...resolveCampaign(params, instrument.currency),
    name_folded: foldName(params.name),
    line_item_count: 0,
    flight_start: null,
    flight_end: null,
    content_review_problem: false,
  });
  if (countsAsActive(row, account.now)) await checkCampaignLimit(account, record);
  return row;
}

async function update(
  account: AccountWriter,
  record: AccountRow,
  params: ParamsOf<Operations['update']>,
  fundingInstrument: FundingInstrumentFinder,
) {
  const before = await findCampaign(account, params.campaign_id, false);
  refuse(checkChangedCampaign(before, params, await fundingInstrument(before.funding_instrument_id)));
  const changed = changeCampaign(before, params);
  const row = await account.campaigns.update(before, { ...changed, name_folded: foldName(changed.name) });
  if (countsAsActive(row, account.now) && !countsAsActive(before, account.now)) {
    await checkCampaignLimit(account, record);
  }
  return row;
}

async function remove(account: AccountWriter, campaign_id: string) {
  const before = await findCampaign(account, campaign_id, false);
  await account.hideLineItems(campaign_id);
  return account.campaigns.update(before, { deleted: true });
}

function runItem(
  account: AccountWriter,
  { record }: AccountContext,
  item: BatchItem,
  fundingInstrument: FundingInstrumentFinder,
): Promise<CampaignRow> {
  switch (item.operation_type) {
    case 'Create':
      return create(account, record, { ...item.params, account_id: record.id }, fundingInstrument);
    case 'Update':
      return update(account, record, { ...item.params, account_id: record.id }, fundingInstrument);
    case 'Delete':
      return remove(account, item.params.campaign_id);
  }
}

export const campaigns: HandlersOf<Operations> = {
  async list({ account, ads, record }, params) {
    const page = pageOf(
      await account.campaigns.page(params, {
        campaign_ids: params.campaign_ids,
        funding_instrument_ids: params.funding_instrument_ids,
        q: params.q,
        not_deleted: params.with_deleted ? undefined : true,
        not_draft: params.with_draft ? undefined : true,
      }),
      params.cursor,
    );
    return mapPage(page, await show(account, record, ads.now(), page.data));
  },

  async get({ account, ads, record }, { campaign_id, with_deleted }) {
    return showOne(account, record, ads.now(), await findCampaign(account, campaign_id, with_deleted));
  },

  create({ account, actor, record }, params) {
    return account.write(actor, async (writer) =>
      showOne(
        writer,
        record,
        writer.now,
        await create(writer, record, params, (id) => findFundingInstrument(writer, id, true)),
      ),
    );
  },

  batch(context, { operations }) {
    const { account, actor, record } = context;
    return account.write(actor, async (writer) => {
      // No item of this batch can change a funding instrument, so each is read once for all of them.
      const found = new Map<string, Awaited<ReturnType<FundingInstrumentFinder>>>();
      const fundingInstrument: FundingInstrumentFinder = async (id) => {
        const instrument = found.get(id) ?? (await findFundingInstrument(writer, id, true));
        found.set(id, instrument);
        return instrument;
      };
      const rows = await runItems(operations, (item) => runItem(writer, context, item, fundingInstrument));
      return rows.map(await show(writer, record, writer.now, rows));
    });
  },

  update({ account, actor, record }, params) {
    return account.write(actor, async (writer) =>
      showOne(
        writer,
        record,
        writer.now,
        await update(writer, record, params, (id) => findFundingInstrument(writer, id, true)),
      ),
    );
  },

  delete({ account, actor, record }, { campaign_id }) {
    return account.write(actor, async (writer) =>
      showOne(writer, record, writer.now, await remove(writer, campaign_id)),
    );
  },
};
