import type { Contract, ParamsOf, Reject } from '@broadside/core';
import type { Campaign, NewCampaignIssue } from '@broadside/core/resources/campaigns';
import {
  type CampaignIssue,
  changeCampaign,
  checkChangedCampaign,
  checkNewCampaign,
  countsAsActive,
  resolveCampaign,
} from '@broadside/core/resources/campaigns';
import { mapPage } from '../../db/page.ts';
import { runItems } from '../../pipeline/batch.ts';
import type { AccountContext, HandlersOf } from '../../pipeline/context.ts';
import type { AccountRow } from '../../world/account-directory.ts';
import type { AccountReader, AccountWriter } from '../../world/account-store.ts';
import { findFundingInstrument, fundingInstrumentOf } from '../funding-instruments/find.ts';
import { type CampaignRow, campaign } from './entity.ts';
import { checkCampaignLimit, findCampaign } from './find.ts';
import { showCampaigns } from './show.ts';

type Operations = Contract['campaigns'];
type BatchItem = ParamsOf<Operations['batch']>['operations'][number];

async function showOne(account: AccountReader, record: AccountRow, now: string, row: CampaignRow): Promise<Campaign> {
  return (await showCampaigns(account, record, now, [row]))(row);
}

type FundingInstrumentFinder = (id: string) => ReturnType<typeof findFundingInstrument>;

async function create(
  reject: Reject<NewCampaignIssue['error'] | 'TOO_MANY_CAMPAIGNS'>,
  account: AccountWriter,
  record: AccountRow,
  params: ParamsOf<Operations['create']>,
  fundingInstrument: FundingInstrumentFinder,
) {
  const instrument = await fundingInstrument(params.funding_instrument_id);
  reject.check(checkNewCampaign(params, instrument));
  const row = await account.of(campaign).insert(resolveCampaign(params, instrument.currency));
  if (countsAsActive(row, account.now)) await checkCampaignLimit(reject, account, record);
  return row;
}

async function update(
  reject: Reject<CampaignIssue['error'] | 'CAMPAIGN_NOT_FOUND' | 'TOO_MANY_CAMPAIGNS'>,
  account: AccountWriter,
  record: AccountRow,
  params: ParamsOf<Operations['update']>,
  fundingInstrument: FundingInstrumentFinder,
) {
  const before = await findCampaign(reject, account, params.campaign_id);
  reject.check(checkChangedCampaign(before, params, await fundingInstrument(before.funding_instrument_id)));
  const row = await account.of(campaign).update(before, changeCampaign(before, params));
  if (countsAsActive(row, account.now) && !countsAsActive(before, account.now)) {
    await checkCampaignLimit(reject, account, record);
  }
  return row;
}

function runItem(
  reject: Reject<NewCampaignIssue['error'] | 'CAMPAIGN_NOT_FOUND' | 'TOO_MANY_CAMPAIGNS'>,
  account: AccountWriter,
  { record }: AccountContext,
  item: BatchItem,
  fundingInstrument: FundingInstrumentFinder,
): Promise<CampaignRow> {
  switch (item.operation_type) {
    case 'Create':
      return create(reject, account, record, { ...item.params, account_id: record.id }, fundingInstrument);
    case 'Update':
      return update(reject, account, record, { ...item.params, account_id: record.id }, fundingInstrument);
    case 'Delete':
      return account.of(campaign).remove(reject, item.params.campaign_id);
  }
}

export const handlers: HandlersOf<Operations> = {
  async list({ account, ads, record }, params) {
    const page = await account.of(campaign).list(params);
    return mapPage(page, await showCampaigns(account, record, ads.now(), page.data));
  },

  async get({ account, ads, record, reject }, { campaign_id, with_deleted }) {
    return showOne(account, record, ads.now(), await findCampaign(reject, account, campaign_id, with_deleted));
  },

  create({ account, actor, record, reject }, params) {
    return account.write(actor, async (writer) =>
      showOne(
        writer,
        record,
        writer.now,
        await create(reject, writer, record, params, (id) => findFundingInstrument(reject, writer, id)),
      ),
    );
  },

  batch(context, { operations }) {
    const { account, actor, record, reject } = context;
    return account.write(actor, async (writer) => {
      // No item of this batch can change a funding instrument, so each is read once for all of them.
      const found = new Map<string, Awaited<ReturnType<FundingInstrumentFinder>>>();
      const fundingInstrument: FundingInstrumentFinder = async (id) => {
        const instrument = found.get(id) ?? (await findFundingInstrument(reject, writer, id));
        found.set(id, instrument);
        return instrument;
      };
      const rows = await runItems(operations, (item) => runItem(reject, writer, context, item, fundingInstrument));
      return rows.map(await showCampaigns(writer, record, writer.now, rows));
    });
  },

  update({ account, actor, record, reject }, params) {
    return account.write(actor, async (writer) =>
      showOne(
        writer,
        record,
        writer.now,
        await update(reject, writer, record, params, (id) =>
          fundingInstrumentOf(writer, { funding_instrument_id: id }),
        ),
      ),
    );
  },

  delete({ account, actor, record, reject }, { campaign_id }) {
    return account.write(actor, async (writer) =>
      showOne(writer, record, writer.now, await writer.of(campaign).remove(reject, campaign_id)),
    );
  },
};
