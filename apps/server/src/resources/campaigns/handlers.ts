import { type Contract, changesOf, type ParamsOf, type Reject } from '@broadside/core';
import type { NewCampaignIssue } from '@broadside/core/resources/campaigns';
import {
  type CampaignIssue,
  changeCampaign,
  checkChangedCampaign,
  checkNewCampaign,
  countsAsActive,
  resolveCampaign,
} from '@broadside/core/resources/campaigns';
import { type Awaitable, chain } from '../../awaitable.ts';
import { runItems } from '../../pipeline/batch.ts';
import type { AccountContext, HandlersOf } from '../../pipeline/context.ts';
import { readHandlers } from '../../pipeline/read-handlers.ts';
import type { AccountRow } from '../../world/account-directory.ts';
import type { AccountWriter } from '../../world/account-store.ts';
import {
  type FundingInstrumentRow,
  findFundingInstrument,
  fundingInstrument,
  fundingInstrumentOf,
} from '../funding-instruments/find.ts';
import { type CampaignRow, campaign } from './entity.ts';
import { checkCampaignLimit, findCampaign } from './find.ts';
import { showCampaign, showCampaigns } from './show.ts';
import { campaigns } from './table.ts';

type Operations = Contract['campaigns'];
type BatchItem = ParamsOf<Operations['batch']>['operations'][number];

type FundingInstrumentFinder = (id: string) => Awaitable<FundingInstrumentRow>;

function create(
  reject: Reject<NewCampaignIssue['error'] | 'TOO_MANY_CAMPAIGNS'>,
  account: AccountWriter,
  record: AccountRow,
  params: ParamsOf<Operations['create']>,
  fundingInstrument: FundingInstrumentFinder,
): Awaitable<CampaignRow> {
  return chain(fundingInstrument(params.funding_instrument_id), (instrument) => {
    reject.check(checkNewCampaign(params, instrument));
    return chain(account.of(campaign).insert(resolveCampaign(params, instrument.currency)), (row) =>
      countsAsActive(row, account.now) ? chain(checkCampaignLimit(reject, account, record), () => row) : row,
    );
  });
}

function update(
  reject: Reject<CampaignIssue['error'] | 'CAMPAIGN_NOT_FOUND' | 'TOO_MANY_CAMPAIGNS'>,
  account: AccountWriter,
  record: AccountRow,
  params: ParamsOf<Operations['update']>,
  fundingInstrument: FundingInstrumentFinder,
): Awaitable<CampaignRow> {
  return chain(findCampaign(reject, account, params.campaign_id), (before) =>
    chain(fundingInstrument(before.funding_instrument_id), (instrument) => {
      const changes = changesOf(before, params);
      reject.check(checkChangedCampaign(before, changes, instrument));
      return chain(account.of(campaign).update(before, changeCampaign(before, changes)), (row) =>
        countsAsActive(row, account.now) && !countsAsActive(before, account.now)
          ? chain(checkCampaignLimit(reject, account, record), () => row)
          : row,
      );
    }),
  );
}

function runItem(
  reject: Reject<NewCampaignIssue['error'] | 'CAMPAIGN_NOT_FOUND' | 'TOO_MANY_CAMPAIGNS'>,
  account: AccountWriter,
  { record }: AccountContext,
  item: BatchItem,
  fundingInstrument: FundingInstrumentFinder,
): Awaitable<CampaignRow> {
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
  ...readHandlers(
    campaign,
    'campaign_id',
    ({ account, ads, record }, rows) =>
      chain(showCampaigns(account, record, ads.now(), rows), (show) => rows.map((row) => show(row))),
    ({ account, ads, record }, row) => showCampaign(account, record, ads.now(), row),
    { entity: fundingInstrument, by: campaigns.funding_instrument_id },
  ),

  create({ account, actor, record, reject }, params) {
    return account.write(actor, (writer) =>
      chain(
        create(reject, writer, record, params, (id) => findFundingInstrument(reject, writer, id)),
        (row) => showCampaign(writer, record, writer.now, row),
      ),
    );
  },

  batch(context, { operations }) {
    const { account, actor, record, reject } = context;
    return account.write(actor, (writer) => {
      // No item of this batch can change a funding instrument, so each is read once for all of them.
      const found = new Map<string, FundingInstrumentRow>();
      const fundingInstrument: FundingInstrumentFinder = (id) =>
        found.get(id) ??
        chain(findFundingInstrument(reject, writer, id), (instrument) => {
          found.set(id, instrument);
          return instrument;
        });
      const running = runItems(operations, (item) => runItem(reject, writer, context, item, fundingInstrument));
      return chain(running, (rows) =>
        chain(showCampaigns(writer, record, writer.now, rows), (show) => rows.map((row) => show(row))),
      );
    });
  },

  update({ account, actor, record, reject }, params) {
    return account.write(actor, (writer) =>
      chain(
        update(reject, writer, record, params, (id) => fundingInstrumentOf(writer, { funding_instrument_id: id })),
        (row) => showCampaign(writer, record, writer.now, row),
      ),
    );
  },

  delete({ account, actor, record, reject }, { campaign_id }) {
    return account.write(actor, (writer) =>
      chain(writer.of(campaign).remove(reject, campaign_id), (row) => showCampaign(writer, record, writer.now, row)),
    );
  },
};
