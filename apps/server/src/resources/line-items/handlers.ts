import { type Contract, type LineItemChanges, type LineItemCreate, type ParamsOf, refuse } from '@broadside/core';
import {
  changeLineItem,
  checkLineItem,
  checkLineItemLimits,
  countsAsActive,
  countsAsActiveLineItem,
  type LineItemSurroundings,
  resolveLineItem,
} from '@broadside/core/rules';
import { foldName } from '../../db/entity-table.ts';
import { runItems } from '../../pipeline/batch.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import { found } from '../../pipeline/found.ts';
import { pageOf } from '../../pipeline/page.ts';
import type { AccountReader, AccountWriter } from '../../world/account-store.ts';
import type { AccountRow } from '../accounts/store.ts';
import { checkCampaignLimit, findCampaign } from '../campaigns/handlers.ts';
import type { CampaignRow } from '../campaigns/store.ts';
import { findFundingInstrument } from '../funding-instruments/handlers.ts';
import { listPlacements } from '../placements/handlers.ts';
import { targetAppPlatforms } from '../targeting-criteria/app-platforms.ts';
import type { LineItemRow } from './store.ts';

type BatchItem = ParamsOf<Contract['line_items']['batch']>['operations'][number];

/** The line item with an id; one whose campaign is deleted counts as deleted. @throws ApiError LINE_ITEM_NOT_FOUND */
export function findLineItem(account: AccountReader, id: string, withDeleted: boolean) {
  return found(account.line_items.get(id), withDeleted, {
    error: 'LINE_ITEM_NOT_FOUND',
    parameter: 'line_item_id',
    value: id,
  });
}

const folded = (name: string | null) => (name === null ? null : foldName(name));

/** After a line item was stored: the campaign's sums, and the limits of which it may be the one too many. */
async function updateCampaign(
  account: AccountWriter,
  record: AccountRow,
  campaign: CampaignRow,
  becameActive: boolean,
): Promise<void> {
  const flights = await account.sumUp(campaign.id);
  refuse(
    checkLineItemLimits({
      in_campaign: flights.in_campaign,
      active: becameActive ? await account.activeLineItems(account.now) : 0,
    }),
  );
  // A further flight can bring an ended campaign back among the active ones.
  if (!countsAsActive(campaign, account.now) && countsAsActive({ ...campaign, ...flights }, account.now)) {
    await checkCampaignLimit(account, record);
  }
}

/** What a line item is held against. @param id the line item's own, empty for a new one */
async function surroundings(
  account: AccountReader,
  campaign: CampaignRow,
  id: string,
  params: LineItemCreate | LineItemChanges,
): Promise<LineItemSurroundings> {
  const { advertiser_user_id } = params;
  const [sibling, funding, promotable] = await Promise.all([
    account.sibling(campaign.id, id),
    findFundingInstrument(account, campaign.funding_instrument_id, true),
    advertiser_user_id === undefined ? [] : account.promotableAmong([advertiser_user_id]),
  ]);
  return { campaign, sibling, funding, is_promotable: promotable.length > 0, given: new Set(Object.keys(params)) };
}

async function create(account: AccountWriter, record: AccountRow, params: LineItemCreate): Promise<LineItemRow> {
  const campaign = await findCampaign(account, params.campaign_id, false);
  const advertiser_user_id = await account.fullPromotableUser();
  const fields = resolveLineItem(params, { campaign, advertiser_user_id });
  refuse(checkLineItem(fields, await surroundings(account, campaign, '', params)));
  const row = await account.line_items.insert({
    ...fields,
    name_folded: folded(fields.name),
    audience_expansion: fields.audience_expansion ?? null,
    parent_deleted: false,
  });
  await targetAppPlatforms(account, undefined, row);
  await updateCampaign(account, record, campaign, countsAsActiveLineItem(row, campaign, account.now));
  return row;
}

async function update(
  account: AccountWriter,
  record: AccountRow,
  params: LineItemChanges & { readonly line_item_id: string },
): Promise<LineItemRow> {
  const before = await findLineItem(account, params.line_item_id, false);
  const campaign = await findCampaign(account, before.campaign_id, false);
  const changed = changeLineItem(before, params, campaign);
  refuse(checkLineItem(changed, await surroundings(account, campaign, before.id, params)));
  const row = await account.line_items.update(before, { ...changed, name_folded: folded(changed.name) });
  await targetAppPlatforms(account, before, row);
  const active = (item: LineItemRow) => countsAsActiveLineItem(item, campaign, account.now);
  await updateCampaign(account, record, campaign, active(row) && !active(before));
  return row;
}

async function remove(account: AccountWriter, line_item_id: string): Promise<LineItemRow> {
  const before = await findLineItem(account, line_item_id, false);
  await account.hideChildren(line_item_id);
  const row = await account.line_items.update(before, { deleted: true });
  // No limit is checked: with its last flight gone an ended campaign may count again, which is no reason to keep it.
  await account.sumUp(before.campaign_id);
  return row;
}

function runItem(account: AccountWriter, record: AccountRow, item: BatchItem): Promise<LineItemRow> {
  switch (item.operation_type) {
    case 'Create':
      return create(account, record, item.params);
    case 'Update':
      return update(account, record, item.params);
    case 'Delete':
      return remove(account, item.params.line_item_id);
  }
}

export const line_items: HandlersOf<Contract['line_items']> = {
  async list({ account }, params) {
    const page = await account.line_items.page(params, {
      campaign_ids: params.campaign_ids,
      funding_instrument_ids: params.funding_instrument_ids,
      line_item_ids: params.line_item_ids,
      q: params.q,
      not_deleted: params.with_deleted ? undefined : true,
      not_draft: params.with_draft ? undefined : true,
    });
    return pageOf(page, params.cursor);
  },

  get({ account }, { line_item_id, with_deleted }) {
    return findLineItem(account, line_item_id, with_deleted);
  },

  create({ account, actor, record }, params) {
    return account.write(actor, (writer) => create(writer, record, params));
  },

  batch({ account, actor, record }, { operations }) {
    return account.write(actor, (writer) => runItems(operations, (item) => runItem(writer, record, item)));
  },

  update({ account, actor, record }, params) {
    return account.write(actor, (writer) => update(writer, record, params));
  },

  delete({ account, actor }, { line_item_id }) {
    return account.write(actor, (writer) => remove(writer, line_item_id));
  },

  placements: listPlacements,
};
