import { type Contract, changesOf, type ErrorName, type ParamsOf, type Reject } from '@broadside/core';
import { countsAsActive } from '@broadside/core/resources/campaigns';
import type { LineItemChanges, LineItemCreate } from '@broadside/core/resources/line-items';
import {
  changeLineItem,
  checkLineItem,
  checkLineItemLimits,
  countsAsActiveLineItem,
  type LineItemIssue,
  type LineItemSurroundings,
  resolveLineItem,
} from '@broadside/core/resources/line-items';
import { runItems } from '../../pipeline/batch.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import { readHandlers } from '../../pipeline/read-handlers.ts';
import type { AccountRow } from '../../world/account-directory.ts';
import type { AccountReader, AccountWriter } from '../../world/account-store.ts';
import { type CampaignRow, campaignOf, checkCampaignLimit, findCampaign, reviewContent } from '../campaigns/find.ts';
import { fundingInstrumentOf } from '../funding-instruments/find.ts';
import { fullPromotableUser, promotableAmong } from '../promotable-users/find.ts';
import { targetAppPlatforms } from '../targeting-criteria/find.ts';
import { type LineItemRow, lineItem } from './entity.ts';
import { findLineItem } from './find.ts';
import { countActiveLineItems, siblingOf, sumUp } from './flights.ts';
import { listPlacements } from './placements.ts';

/** Rejects a line item that is created or changed, and what else `Name` says. */
type RejectChange<Name extends ErrorName> = Reject<
  LineItemIssue['error'] | 'TOO_MANY_CAMPAIGNS' | 'TOO_MANY_LINE_ITEMS' | Name
>;

type BatchItem = ParamsOf<Contract['line_items']['batch']>['operations'][number];

/** Updates the campaign's summary after a line item was stored, and checks the limits. */
async function updateCampaign(
  reject: Reject<'TOO_MANY_CAMPAIGNS' | 'TOO_MANY_LINE_ITEMS'>,
  account: AccountWriter,
  record: AccountRow,
  campaign: CampaignRow,
  becameActive: boolean,
): Promise<void> {
  const { in_campaign, ...flights } = await sumUp(account, campaign.id);
  reject.check(
    checkLineItemLimits({
      in_campaign,
      active: becameActive ? await countActiveLineItems(account, account.now) : 0,
    }),
  );
  // Another flight can make an ended campaign active again.
  if (!countsAsActive(campaign, account.now) && countsAsActive({ ...campaign, ...flights }, account.now)) {
    await checkCampaignLimit(reject, account, record);
  }
}

/** Reads the state that the rules check a line item against. @param id the line item's own, empty for a new one */
async function surroundings(
  account: AccountReader,
  campaign: CampaignRow,
  id: string,
  params: LineItemCreate | LineItemChanges,
): Promise<LineItemSurroundings> {
  const { advertiser_user_id } = params;
  const [sibling, funding, promotable] = await Promise.all([
    siblingOf(account, campaign.id, id),
    fundingInstrumentOf(account, campaign),
    advertiser_user_id === undefined ? [] : promotableAmong(account, [advertiser_user_id]),
  ]);
  return { campaign, sibling, funding, is_promotable: promotable.length > 0, given: new Set(Object.keys(params)) };
}

async function create(
  reject: RejectChange<'CAMPAIGN_NOT_FOUND'>,
  account: AccountWriter,
  record: AccountRow,
  params: LineItemCreate,
): Promise<LineItemRow> {
  const campaign = await findCampaign(reject, account, params.campaign_id);
  const advertiser_user_id = await fullPromotableUser(account);
  const fields = resolveLineItem(params, { campaign, advertiser_user_id });
  reject.check(checkLineItem(fields, await surroundings(account, campaign, '', params)));
  const row = await account.of(lineItem).insert({
    ...fields,
    audience_expansion: fields.audience_expansion ?? null,
  });
  await targetAppPlatforms(account, undefined, row);
  await updateCampaign(reject, account, record, campaign, countsAsActiveLineItem(row, campaign, account.now));
  return row;
}

async function update(
  reject: RejectChange<'LINE_ITEM_NOT_FOUND'>,
  account: AccountWriter,
  record: AccountRow,
  params: LineItemChanges & { readonly line_item_id: string },
): Promise<LineItemRow> {
  const before = await findLineItem(reject, account, params.line_item_id);
  const campaign = await campaignOf(account, before);
  const changed = changeLineItem(before, params, campaign);
  reject.check(checkLineItem(changed, await surroundings(account, campaign, before.id, changesOf(before, params))));
  const row = await account.of(lineItem).update(before, changed);
  await targetAppPlatforms(account, before, row);
  const active = (item: LineItemRow) => countsAsActiveLineItem(item, campaign, account.now);
  await updateCampaign(reject, account, record, campaign, active(row) && !active(before));
  return row;
}

async function remove(
  reject: Reject<'LINE_ITEM_NOT_FOUND'>,
  account: AccountWriter,
  line_item_id: string,
): Promise<LineItemRow> {
  const row = await account.of(lineItem).remove(reject, line_item_id);
  await reviewContent(account, row.campaign_id);
  // No limit is checked: without its last flight an ended campaign may count again, which is not a reason to reject.
  await sumUp(account, row.campaign_id);
  return row;
}

function runItem(
  reject: RejectChange<'CAMPAIGN_NOT_FOUND' | 'LINE_ITEM_NOT_FOUND'>,
  account: AccountWriter,
  record: AccountRow,
  item: BatchItem,
): Promise<LineItemRow> {
  switch (item.operation_type) {
    case 'Create':
      return create(reject, account, record, item.params);
    case 'Update':
      return update(reject, account, record, item.params);
    case 'Delete':
      return remove(reject, account, item.params.line_item_id);
  }
}

export const handlers: HandlersOf<Contract['line_items']> = {
  ...readHandlers(lineItem, 'line_item_id'),

  create({ account, actor, record, reject }, params) {
    return account.write(actor, (writer) => create(reject, writer, record, params));
  },

  batch({ account, actor, record, reject }, { operations }) {
    return account.write(actor, (writer) => runItems(operations, (item) => runItem(reject, writer, record, item)));
  },

  update({ account, actor, record, reject }, params) {
    return account.write(actor, (writer) => update(reject, writer, record, params));
  },

  delete({ account, actor, reject }, { line_item_id }) {
    return account.write(actor, (writer) => remove(reject, writer, line_item_id));
  },

  placements: listPlacements,
};
